import { type PermissionResolvable, PermissionsBitField } from "discord.js";
import { describeChannel } from "../describe/describe-user.ts";
import type { Sessions } from "../gateway/sessions.ts";
import type { FakeState } from "../state/fake-state.ts";
import { botPermissions, everyonePermissions } from "../state/permissions.ts";
import type { Account, Guild, GuildOptions, User } from "../types.ts";
import { createChannel } from "./create-channel.ts";

const aDayMs = 24 * 3_600_000;

/** A new guild. */
export function createGuild(
  state: FakeState,
  sessions: Sessions,
  {
    channels = [{ name: "general" }],
    hasBot = true,
    locale = "en-US",
    members = [],
    ...options
  }: GuildOptions & {
    owner: User;
  },
): Guild {
  const id = state.createId(options.shard);
  const addRole = (name: string, to: Account, permissions: PermissionResolvable, botId?: string) => {
    const role = { id: state.createId(), name, permissions: PermissionsBitField.resolve(permissions), botId };
    own.roles.set(role.id, role);
    own.members.get(to.id)?.roleIds.add(role.id);
  };
  const join = (account: Account, joinedAt = Date.now()) => {
    own.members.set(account.id, { account, roleIds: new Set(), joinedAt });
  };
  const invite = (joinedAt: number) => {
    own.hasBot = true;
    join(state.bot, joinedAt);
    addRole(state.bot.name, state.bot, botPermissions, state.bot.id);
    sessions.sendGuild(own, "GUILD_CREATE");
  };
  const own: Guild = {
    id,
    name: options.name ?? `Guild ${state.guilds.size + 1}`,
    owner: options.owner,
    locale,
    roles: new Map([[id, { id, name: "@everyone", permissions: everyonePermissions, botId: undefined }]]),
    members: new Map(),
    hasBot: false,
    get botRoleId() {
      return [...own.roles.values()].find(({ botId }) => botId !== undefined)?.id ?? "";
    },
    get channels() {
      return [...state.channels.values()].filter((one) => one.guild === own);
    },
    channel(name) {
      const found = own.channels.find((one) => one.name === name);
      if (!found) throw new Error(`No channel ${name} in ${own.name}.`);
      return found;
    },
    createChannel({ name = `channel-${own.channels.length}`, isAgeRestricted = false } = {}) {
      const channel = createChannel(state, sessions, { kind: "guild", guild: own, name, isAgeRestricted });
      sessions.sendGuild(own, "CHANNEL_CREATE", describeChannel(channel));
      return channel;
    },
    addMember: (user) => join(user),
    grant(user, permissions) {
      addRole(`Role of ${user.name}`, user, permissions);
      sessions.sendGuild(own, "GUILD_UPDATE");
    },
    addBot: () => invite(Date.now()),
  };
  state.guilds.set(id, own);
  for (const user of [own.owner, ...members]) join(user);
  for (const channel of channels) own.createChannel(channel);
  if (hasBot) invite(Date.now() - aDayMs);
  return own;
}

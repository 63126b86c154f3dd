import { type PermissionResolvable, PermissionsBitField } from "discord.js";
import { describeChannel, describeFullGuild } from "../describe/describe-guild.ts";
import type { Sessions } from "../gateway/sessions.ts";
import type { FakeState, StoredChannel, StoredGuild } from "../state/fake-state.ts";
import { usualBotPermissions, usualEveryonePermissions } from "../state/permissions.ts";
import type { ChannelOptions, Guild, GuildOptions, User } from "../types.ts";
import type { Views } from "./views.ts";

const aDayMs = 24 * 3_600_000;

/** Creates guilds. */
export function createGuilds(
  state: FakeState,
  sessions: Sessions,
  views: Views,
  createUser: (name: string) => User,
) {
  return function createGuild(options: GuildOptions = {}): Guild {
    const owner = options.owner ?? createUser(`Owner ${state.guilds.size + 1}`);
    const id = state.createId(options.shard);
    const resolve = (permissions: PermissionResolvable) => PermissionsBitField.resolve(permissions);
    const everyone = resolve(options.everyonePermissions ?? usualEveryonePermissions);
    const stored: StoredGuild = {
      id,
      name: options.name ?? `Guild ${state.guilds.size + 1}`,
      ownerId: owner.id,
      locale: options.locale ?? "en-US",
      roles: new Map([[id, { id, name: "@everyone", permissions: everyone, isManaged: false }]]),
      members: new Map(),
      hasBot: options.hasBot ?? true,
      botPermissions: resolve(options.botPermissions ?? usualBotPermissions),
    };
    state.guilds.set(id, stored);
    for (const user of [owner, ...(options.members ?? [])]) join(stored, user.id);
    for (const channel of options.channels ?? [{ name: "general" }]) addChannel(state, stored, channel);
    const guild = createView(stored, owner);
    views.guilds.set(id, guild);
    if (stored.hasBot) inviteBot(stored, { joinedAt: Date.now() - aDayMs });
    return guild;
  };

  function createView(stored: StoredGuild, owner: User): Guild {
    const list = () =>
      [...state.channels.values()].filter((one) => one.guildId === stored.id && !one.isRemoved);
    return {
      id: stored.id,
      name: stored.name,
      owner,
      get hasBot() {
        return stored.hasBot;
      },
      get botRoleId() {
        return [...stored.roles.values()].find(({ botId }) => botId !== undefined)?.id ?? "";
      },
      get channels() {
        return list().map(({ id }) => views.channel(id));
      },
      channel(name) {
        const found = list().find((one) => one.name === name);
        if (!found) throw new Error(`No channel ${name} in ${stored.name}.`);
        return views.channel(found.id);
      },
      createChannel(options = {}) {
        const channel = addChannel(state, stored, options);
        sessions.guildChanged(stored.id, "CHANNEL_CREATE", describeChannel(state, channel));
        return views.channel(channel.id);
      },
      addMember(user, permissions) {
        join(stored, user.id);
        if (permissions !== undefined) this.grant(user, permissions);
      },
      grant(user, permissions) {
        addRole(stored, user.id, `Role of ${user.name}`, PermissionsBitField.resolve(permissions), false);
        if (stored.hasBot) sessions.guildChanged(stored.id, "GUILD_UPDATE", describeFullGuild(state, stored));
      },
      addBot() {
        stored.hasBot = true;
        inviteBot(stored, { joinedAt: Date.now() });
      },
      removeBot() {
        stored.hasBot = false;
        stored.members.delete(state.bot.id);
        sessions.guildGone(stored);
      },
    };
  }

  function inviteBot(stored: StoredGuild, { joinedAt }: { joinedAt: number }): void {
    join(stored, state.bot.id, joinedAt);
    addRole(stored, state.bot.id, state.bot.name, stored.botPermissions, true);
    sessions.guildAvailable(stored);
  }

  function join(stored: StoredGuild, userId: string, joinedAt = Date.now()): void {
    stored.members.set(userId, { roleIds: new Set(), joinedAt });
  }

  function addRole(
    stored: StoredGuild,
    userId: string,
    name: string,
    permissions: bigint,
    isManaged: boolean,
  ): void {
    const id = state.createId();
    const owner = isManaged ? { botId: userId } : {};
    stored.roles.set(id, { id, name, permissions, isManaged, ...owner });
    stored.members.get(userId)?.roleIds.add(id);
  }
}

function addChannel(state: FakeState, guild: StoredGuild, options: ChannelOptions): StoredChannel {
  const id = state.createId();
  const channel: StoredChannel = {
    id,
    kind: "guild",
    guildId: guild.id,
    name: options.name ?? `channel-${id.slice(-4)}`,
    isAgeRestricted: options.isAgeRestricted ?? false,
    overwrites: new Map(),
    recipientIds: [],
    isRemoved: false,
    typingCount: 0,
  };
  state.channels.set(id, channel);
  return channel;
}

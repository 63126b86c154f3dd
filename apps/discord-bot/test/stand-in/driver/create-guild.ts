import { type PermissionResolvable, PermissionsBitField } from "discord.js";
import { describeChannel, describeFullGuild } from "../describe/describe-guild.ts";
import type { Sessions } from "../gateway/sessions.ts";
import { usualBotPermissions, usualEveryonePermissions } from "../state/permissions.ts";
import type { StoredChannel, StoredGuild, World } from "../state/world.ts";
import type { ChannelOptions, Guild, GuildOptions, User } from "../types.ts";
import type { Views } from "./views.ts";

/** Makes guilds. */
export function createGuilds(
  world: World,
  sessions: Sessions,
  views: Views,
  createUser: (name: string) => User,
) {
  return function createGuild(options: GuildOptions = {}): Guild {
    const owner = options.owner ?? createUser(`Owner ${world.guilds.size + 1}`);
    const id = world.createId();
    const resolve = (given: PermissionResolvable) => PermissionsBitField.resolve(given);
    const everyone = resolve(options.everyonePermissions ?? usualEveryonePermissions);
    const stored: StoredGuild = {
      id,
      name: options.name ?? `Guild ${world.guilds.size + 1}`,
      ownerId: owner.id,
      locale: options.locale ?? "en-US",
      roles: new Map([[id, { id, name: "@everyone", permissions: everyone, isManaged: false }]]),
      members: new Map(),
      hasBot: options.hasBot ?? true,
      botPermissions: resolve(options.botPermissions ?? usualBotPermissions),
    };
    world.guilds.set(id, stored);
    for (const user of [owner, ...(options.members ?? [])]) join(stored, user.id);
    for (const channel of options.channels ?? [{ name: "general" }]) addChannel(world, stored, channel);
    const guild = createView(stored, owner);
    views.guilds.set(id, guild);
    if (stored.hasBot) inviteBot(stored);
    return guild;
  };

  function createView(stored: StoredGuild, owner: User): Guild {
    const list = () =>
      [...world.channels.values()].filter((one) => one.guildId === stored.id && !one.isRemoved);
    return {
      id: stored.id,
      name: stored.name,
      owner,
      get hasBot() {
        return stored.hasBot;
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
        const channel = addChannel(world, stored, options);
        sessions.guildChanged(stored.id, "CHANNEL_CREATE", describeChannel(world, channel));
        return views.channel(channel.id);
      },
      addMember(user, permissions) {
        join(stored, user.id);
        if (permissions !== undefined) this.grant(user, permissions);
      },
      grant(user, permissions) {
        addRole(stored, user.id, `Role of ${user.name}`, PermissionsBitField.resolve(permissions), false);
        if (stored.hasBot) sessions.guildChanged(stored.id, "GUILD_UPDATE", describeFullGuild(world, stored));
      },
      addBot() {
        stored.hasBot = true;
        inviteBot(stored);
        sessions.guildAvailable(stored);
      },
      removeBot() {
        stored.hasBot = false;
        stored.members.delete(world.bot.id);
        sessions.guildGone(stored);
      },
    };
  }

  function inviteBot(stored: StoredGuild): void {
    join(stored, world.bot.id);
    addRole(stored, world.bot.id, world.bot.name, stored.botPermissions, true);
    sessions.guildAvailable(stored);
  }

  function join(stored: StoredGuild, userId: string): void {
    stored.members.set(userId, { roleIds: new Set(), joinedAt: Date.now() });
  }

  function addRole(
    stored: StoredGuild,
    userId: string,
    name: string,
    permissions: bigint,
    isManaged: boolean,
  ): void {
    const id = world.createId();
    stored.roles.set(id, { id, name, permissions, isManaged });
    stored.members.get(userId)?.roleIds.add(id);
  }
}

function addChannel(world: World, guild: StoredGuild, options: ChannelOptions): StoredChannel {
  const id = world.createId();
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
  world.channels.set(id, channel);
  return channel;
}

import { compact, type Json } from "@koma/fake-chat";
import type { Channel, Guild } from "../state/channels.ts";
import type { FakeState } from "../state/fake-state.ts";
import type { Account } from "../types.ts";

/** A user as Discord's API describes it. */
export function describeUser({ id, name, isBot }: Omit<Account, "acceptsDirect">): Json {
  return compact({
    id,
    username: isBot ? name : name.toLowerCase().replaceAll(/[^a-z0-9_.]/g, "_"),
    global_name: isBot ? null : name,
    discriminator: isBot ? "0001" : "0",
    bot: isBot ? true : undefined,
    public_flags: 0,
    flags: 0,
    ...nulls("avatar banner accent_color avatar_decoration_data collectibles primary_guild"),
  });
}

/** A member without its user, as in messages. */
export function describeMember(guild: Guild, userId: string): Json {
  const { joinedAt = 0, roleIds = [] } = guild.members.get(userId) ?? {};
  return {
    joined_at: new Date(joinedAt).toISOString(),
    roles: [...roleIds],
    flags: 0,
    pending: false,
    mute: false,
    deaf: false,
    ...nulls(
      "avatar avatar_decoration_data banner collectibles communication_disabled_until nick premium_since",
    ),
  };
}

/** A guild in the gateway's GUILD_CREATE event. */
export function describeGuild(state: FakeState, guild: Guild): Json {
  return {
    id: guild.id,
    name: guild.name,
    owner_id: guild.owner.id,
    preferred_locale: guild.locale,
    roles: [...guild.roles.values()].map(({ id, name, permissions, botId }, position) => ({
      id,
      name,
      permissions: permissions.toString(),
      position,
      color: 0,
      colors: { primary_color: 0, secondary_color: null, tertiary_color: null },
      hoist: false,
      managed: botId !== undefined,
      ...(botId !== undefined && { tags: { bot_id: botId } }),
      mentionable: false,
      flags: 0,
    })),
    joined_at: new Date(guild.members.get(state.bot.id)?.joinedAt ?? 0).toISOString(),
    large: false,
    member_count: guild.members.size,
    members: [state.bot, guild.owner].map((user) => ({
      ...describeMember(guild, user.id),
      user: describeUser(user),
    })),
    channels: guild.channels.map((channel) => describeChannel(channel)),
    ...nulls("icon system_channel_id rules_channel_id afk_channel_id"),
    ...Object.fromEntries(lists.map((name) => [name, []])),
  };
}

const lists = [
  ...["features", "emojis", "stickers", "threads", "presences", "voice_states", "stage_instances"],
  ...["guild_scheduled_events", "soundboard_sounds"],
];

/** A channel: of a guild, the bot's direct messages, or a group. */
export function describeChannel(channel: Channel): Json {
  const last = channel.history.findLast((one) => !one.isDeleted);
  const common = {
    id: channel.id,
    flags: 0,
    last_message_id: last?.id ?? null,
    type: channelTypeOf(channel),
  };
  const recipients = channel.recipients.map(describeUser);
  if (channel.kind === "direct") return { ...common, recipients };
  if (channel.kind === "group")
    return { ...common, recipients, name: null, icon: null, owner_id: channel.recipients[0]?.id };
  return {
    ...common,
    guild_id: channel.guild?.id,
    name: channel.name,
    parent_id: null,
    rate_limit_per_user: 0,
    topic: null,
    position: 0,
    permission_overwrites: [...channel.overwrites].map(([id, deny]) => ({
      id,
      type: 1,
      allow: "0",
      deny: deny.toString(),
    })),
    nsfw: channel.isAgeRestricted,
  };
}

/** Discord's type number of a channel. */
export function channelTypeOf({ kind }: Channel): 0 | 1 | 3 {
  return kind === "guild" ? 0 : kind === "direct" ? 1 : 3;
}

/** The actor of an interaction: a member with the permissions in the channel, or a user. */
export function describeActor(channel: Channel, user: Account): Json {
  if (channel.guild === undefined) return { user: describeUser(user) };
  const permissions = channel.permissionsOf(user.id).toString();
  return { member: { ...describeMember(channel.guild, user.id), user: describeUser(user), permissions } };
}

/** The bot's application in messages. */
export function describeApplication({ bot }: FakeState): Json {
  return { id: bot.id, name: bot.name, icon: null, description: "", type: null, bot: describeUser(bot) };
}

/** The bot's application as its owner reads it. */
export function describeOwnApplication(state: FakeState): Json {
  const flags = state.settings.hasMessageContent ? 1 << 19 : 0;
  return {
    ...describeApplication(state),
    bot_public: true,
    bot_require_code_grant: false,
    verify_key: "0".repeat(64),
    flags,
    flags_new: String(flags),
    redirect_uris: [],
    owner: describeUser({ ...state.bot, isBot: false, name: "Owner" }),
    approximate_guild_count: state.guilds.size,
    approximate_user_install_count: [...state.users.values()].filter((user) => user.hasInstalled).length,
    approximate_user_authorization_count: 0,
    event_webhooks_status: 1,
    explicit_content_filter: 0,
    eligible_oauth2_scopes: [],
    integration_types_config: { "0": {}, "1": {} },
    ...nulls("interactions_endpoint_url role_connections_verification_url event_webhooks_url team"),
  };
}

/** Fields that are null. */
function nulls(names: string): Json {
  return Object.fromEntries(names.split(" ").map((name) => [name, null]));
}

import { getFrom, type Json } from "@koma/fake-chat";
import type { FakeState, StoredChannel, StoredGuild, StoredRole } from "../state/fake-state.ts";
import { permissionsIn } from "../state/permissions.ts";
import { describeFullMember, describeUser } from "./describe-user.ts";

/** A guild in a REST response. */
export function describeGuild(guild: StoredGuild): Json {
  return {
    id: guild.id,
    name: guild.name,
    icon: null,
    description: null,
    home_header: null,
    splash: null,
    discovery_splash: null,
    features: [],
    banner: null,
    owner_id: guild.ownerId,
    application_id: null,
    region: "us-east",
    afk_channel_id: null,
    afk_timeout: 300,
    system_channel_id: null,
    system_channel_flags: 0,
    widget_enabled: false,
    widget_channel_id: null,
    verification_level: 0,
    roles: [...guild.roles.values()].map((role, position) => describeRole(role, position)),
    default_message_notifications: 0,
    mfa_level: 0,
    explicit_content_filter: 0,
    max_presences: null,
    max_members: 500_000,
    max_stage_video_channel_users: 50,
    max_video_channel_users: 25,
    vanity_url_code: null,
    premium_tier: 0,
    premium_subscription_count: 0,
    preferred_locale: guild.locale,
    rules_channel_id: null,
    safety_alerts_channel_id: null,
    public_updates_channel_id: null,
    premium_progress_bar_enabled: false,
    nsfw: false,
    nsfw_level: 0,
    emojis: [],
    stickers: [],
    incidents_data: null,
  };
}

/** A guild in the gateway's GUILD_CREATE event. */
export function describeFullGuild(state: FakeState, guild: StoredGuild): Json {
  const channels = [...state.channels.values()].filter((one) => one.guildId === guild.id && !one.isRemoved);
  return {
    ...describeGuild(guild),
    joined_at: new Date(guild.members.get(state.bot.id)?.joinedAt ?? 0).toISOString(),
    large: false,
    member_count: guild.members.size,
    members: [state.bot, getFrom(state.users, guild.ownerId, "user")].map((user) =>
      describeFullMember(guild, user),
    ),
    channels: channels.map((channel) => describeChannel(state, channel)),
    threads: [],
    presences: [],
    voice_states: [],
    stage_instances: [],
    guild_scheduled_events: [],
    soundboard_sounds: [],
  };
}

/** A channel: of a guild, the bot's direct messages, or a group. */
export function describeChannel(state: FakeState, channel: StoredChannel): Json {
  const last = [...state.messages.values()].findLast((one) => one.channelId === channel.id && !one.isDeleted);
  const common = { id: channel.id, flags: 0, last_message_id: last?.id ?? null };
  if (channel.kind !== "guild") return { ...common, ...describePrivate(state, channel) };
  return {
    ...common,
    type: 0,
    guild_id: channel.guildId,
    name: channel.name,
    parent_id: null,
    rate_limit_per_user: 0,
    topic: null,
    position: 0,
    permission_overwrites: [...channel.overwrites].map(([id, overwrite]) => ({
      id,
      type: overwrite.isMember ? 1 : 0,
      allow: "0",
      deny: overwrite.deny.toString(),
    })),
    nsfw: channel.isAgeRestricted,
  };
}

/** A channel in an interaction, with the user's permissions in it. */
export function describeUsedChannel(state: FakeState, channel: StoredChannel, userId: string): Json {
  return {
    ...describeChannel(state, channel),
    permissions: permissionsIn(state, channel, userId).toString(),
  };
}

/** Discord's type number of a channel. */
export function channelTypeOf(channel: StoredChannel): 0 | 1 | 3 {
  return channel.kind === "guild" ? 0 : channel.kind === "direct" ? 1 : 3;
}

function describePrivate(state: FakeState, channel: StoredChannel): Json {
  const recipients = channel.recipientIds.map((id) => describeUser(getFrom(state.users, id, "user")));
  if (channel.kind === "direct") return { type: 1, recipients };
  return { type: 3, recipients, name: null, icon: null, owner_id: channel.recipientIds[0] };
}

function describeRole(role: StoredRole, position: number): Json {
  return {
    id: role.id,
    name: role.name,
    permissions: role.permissions.toString(),
    position,
    color: 0,
    colors: { primary_color: 0, secondary_color: null, tertiary_color: null },
    hoist: false,
    managed: role.isManaged,
    ...(role.botId !== undefined && { tags: { bot_id: role.botId } }),
    mentionable: false,
    icon: null,
    unicode_emoji: null,
    flags: 0,
  };
}

import { compact, type Json } from "@koma/fake-chat";
import type { FakeState, StoredChannel, StoredGuild, StoredUser } from "../state/fake-state.ts";
import { permissionsIn } from "../state/permissions.ts";

/** A user as Discord's API describes it. */
export function describeUser(user: StoredUser): Json {
  return compact({
    id: user.id,
    username: user.isBot ? user.name : user.name.toLowerCase().replaceAll(/[^a-z0-9_.]/g, "_"),
    avatar: null,
    discriminator: user.isBot ? "0001" : "0",
    public_flags: 0,
    flags: 0,
    banner: null,
    accent_color: null,
    global_name: user.isBot ? null : user.name,
    avatar_decoration_data: null,
    collectibles: null,
    primary_guild: null,
    bot: user.isBot ? true : undefined,
  });
}

/** The bot in the response of `/users/@me`. */
export function describeSelf(state: FakeState): Json {
  return {
    ...describeUser(state.bot),
    mfa_enabled: true,
    locale: "en-US",
    premium_type: 0,
    email: null,
    verified: true,
  };
}

/** A member without its user, as in messages. */
export function describeMember(guild: StoredGuild, userId: string): Json {
  const member = guild.members.get(userId);
  return {
    avatar: null,
    avatar_decoration_data: null,
    banner: null,
    collectibles: null,
    communication_disabled_until: null,
    flags: 0,
    joined_at: new Date(member?.joinedAt ?? 0).toISOString(),
    nick: null,
    pending: false,
    premium_since: null,
    roles: [...(member?.roleIds ?? [])],
    mute: false,
    deaf: false,
  };
}

/** A member with its user. */
export function describeFullMember(guild: StoredGuild, user: StoredUser): Json {
  return { ...describeMember(guild, user.id), user: describeUser(user) };
}

/** A member in an interaction, with its permissions in the channel. */
export function describeActor(
  state: FakeState,
  guild: StoredGuild,
  channel: StoredChannel,
  user: StoredUser,
): Json {
  return {
    ...describeFullMember(guild, user),
    permissions: permissionsIn(state, channel, user.id).toString(),
  };
}

/** The bot's application in messages. */
export function describeApplication(state: FakeState): Json {
  return {
    id: state.applicationId,
    name: state.bot.name,
    icon: null,
    description: "",
    type: null,
    bot: describeUser(state.bot),
  };
}

/** The bot's application as its owner reads it. */
export function describeOwnApplication(state: FakeState): Json {
  return {
    ...describeApplication(state),
    bot_public: true,
    bot_require_code_grant: false,
    verify_key: "0".repeat(64),
    flags: state.settings.hasMessageContent ? 1 << 19 : 0,
    flags_new: String(state.settings.hasMessageContent ? 1 << 19 : 0),
    redirect_uris: [],
    interactions_endpoint_url: null,
    role_connections_verification_url: null,
    owner: describeUser({ ...state.bot, isBot: false, name: "Owner" }),
    approximate_guild_count: state.guilds.size,
    approximate_user_install_count: [...state.users.values()].filter((user) => user.hasInstalled).length,
    approximate_user_authorization_count: 0,
    event_webhooks_url: null,
    event_webhooks_status: 1,
    explicit_content_filter: 0,
    team: null,
    eligible_oauth2_scopes: [],
    integration_types_config: { "0": {}, "1": {} },
  };
}

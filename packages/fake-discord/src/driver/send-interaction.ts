import { asObject, compact, getFrom, type Json } from "@koma/fake-chat";
import { describeUsedChannel } from "../describe/describe-guild.ts";
import { describeMessage } from "../describe/describe-message.ts";
import { describeActor, describeUser } from "../describe/describe-user.ts";
import type { Sessions } from "../gateway/sessions.ts";
import type { FakeState, StoredChannel, StoredInteraction } from "../state/fake-state.ts";
import type { Interactions, NewInteraction } from "../state/interactions.ts";
import { allows, permissionsIn } from "../state/permissions.ts";
import { contextOf } from "./find-command.ts";

/** Creates an interaction and sends the gateway's INTERACTION_CREATE to the bot. */
export function createSender(state: FakeState, sessions: Sessions, interactions: Interactions) {
  return function send(fields: NewInteraction, data: Json): StoredInteraction {
    const channel = getFrom(state.channels, fields.channelId, "channel");
    const interaction = interactions.create({
      ...fields,
      isForcedPrivate: mustBePrivate(state, channel, fields),
    });
    sessions.interactionCreated(channel.guildId, describeInteraction(state, interaction, channel, data));
    state.announce();
    return interaction;
  };
}

function describeInteraction(
  state: FakeState,
  interaction: StoredInteraction,
  channel: StoredChannel,
  data: Json,
): Json {
  const user = getFrom(state.users, interaction.userId, "user");
  const guild = channel.guildId === undefined ? undefined : getFrom(state.guilds, channel.guildId, "guild");
  const source = interaction.sourceId === undefined ? undefined : state.messages.get(interaction.sourceId);
  const botsPermissions =
    guild && !guild.hasBot
      ? permissionsIn(state, channel, user.id)
      : permissionsIn(state, channel, state.bot.id);
  return compact({
    id: interaction.id,
    application_id: state.applicationId,
    type: interaction.type,
    token: interaction.token,
    version: 1,
    data,
    channel: describeUsedChannel(state, channel, user.id),
    channel_id: channel.id,
    guild_id: guild?.id,
    guild: guild && { id: guild.id, locale: guild.locale, features: [] },
    guild_locale: guild?.locale,
    member: guild && describeActor(state, guild, channel, user),
    user: guild ? undefined : describeUser(user),
    locale: user.locale,
    app_permissions: botsPermissions.toString(),
    entitlements: [],
    authorizing_integration_owners: interaction.owners,
    context: contextOf(channel),
    attachment_size_limit: state.settings.uploadLimitBytes,
    message: source && describeMessage(state, source),
  });
}

/** A user-installed app can reply publicly only where external apps are allowed. */
function mustBePrivate(state: FakeState, channel: StoredChannel, fields: NewInteraction): boolean {
  if (channel.kind !== "guild" || asObject(fields.owners)?.["0"] !== undefined) return false;
  return !allows(permissionsIn(state, channel, fields.userId), "UseExternalApps");
}

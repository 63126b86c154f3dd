import { describeUsedChannel } from "../describe/describe-guild.ts";
import { describeMessage } from "../describe/describe-message.ts";
import { describeActor, describeUser } from "../describe/describe-user.ts";
import type { Sessions } from "../gateway/sessions.ts";
import type { Interactions, NewInteraction } from "../state/interactions.ts";
import { asObject, compact, type Json } from "../state/json.ts";
import { allows, permissionsIn } from "../state/permissions.ts";
import { getFrom, type StoredChannel, type StoredInteraction, type World } from "../state/world.ts";
import { contextOf } from "./find-command.ts";

/** Makes an interaction and tells the bot, as the gateway's INTERACTION_CREATE does. */
export function createSender(world: World, sessions: Sessions, interactions: Interactions) {
  return function send(fields: NewInteraction, data: Json): StoredInteraction {
    const channel = getFrom(world.channels, fields.channelId, "channel");
    const interaction = interactions.create({
      ...fields,
      isForcedPrivate: mustBePrivate(world, channel, fields),
    });
    sessions.interactionCreated(channel.guildId, describeInteraction(world, interaction, channel, data));
    world.announce();
    return interaction;
  };
}

function describeInteraction(
  world: World,
  interaction: StoredInteraction,
  channel: StoredChannel,
  data: Json,
): Json {
  const user = getFrom(world.users, interaction.userId, "user");
  const guild = channel.guildId === undefined ? undefined : getFrom(world.guilds, channel.guildId, "guild");
  const source = interaction.sourceId === undefined ? undefined : world.messages.get(interaction.sourceId);
  const botsPermissions =
    guild && !guild.hasBot
      ? permissionsIn(world, channel, user.id)
      : permissionsIn(world, channel, world.bot.id);
  return compact({
    id: interaction.id,
    application_id: world.applicationId,
    type: interaction.type,
    token: interaction.token,
    version: 1,
    data,
    channel: describeUsedChannel(world, channel, user.id),
    channel_id: channel.id,
    guild_id: guild?.id,
    guild: guild && { id: guild.id, locale: guild.locale, features: [] },
    guild_locale: guild?.locale,
    member: guild && describeActor(world, guild, channel, user),
    user: guild ? undefined : describeUser(user),
    locale: user.locale,
    app_permissions: botsPermissions.toString(),
    entitlements: [],
    authorizing_integration_owners: interaction.owners,
    context: contextOf(channel),
    attachment_size_limit: world.settings.uploadLimitBytes,
    message: source && describeMessage(world, source),
  });
}

/** An app of one's own answers others only where external apps are allowed. */
function mustBePrivate(world: World, channel: StoredChannel, fields: NewInteraction): boolean {
  if (channel.kind !== "guild" || asObject(fields.owners)?.["0"] !== undefined) return false;
  return !allows(permissionsIn(world, channel, fields.userId), "UseExternalApps");
}

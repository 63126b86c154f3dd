import { compact, type Json } from "@koma/fake-chat";
import { describeMessage } from "../describe/describe-message.ts";
import { describeActor, describeChannel } from "../describe/describe-user.ts";
import type { Sessions } from "../gateway/sessions.ts";
import type { Channel } from "../state/channels.ts";
import { acknowledgeWithinMs, tokenTtlMs, uploadLimitBytes } from "../state/defaults.ts";
import type { FakeState } from "../state/fake-state.ts";
import { Interaction, type NewInteraction } from "../state/interaction.ts";

/** Discord's number of an interaction context. */
export function contextOf({ kind }: Channel): 0 | 1 | 2 {
  return kind === "guild" ? 0 : kind === "direct" ? 1 : 2;
}

/** Interactions and their time limits: 3 s to acknowledge, 15 minutes to write. */
export function createInteractions(state: FakeState, sessions: Sessions) {
  const timers = new Set<NodeJS.Timeout>();

  const after = (ms: number, act: () => void) => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      act();
      state.announce();
    }, ms);
    timers.add(timer);
  };

  return {
    /** Creates an interaction and sends the gateway's INTERACTION_CREATE to the bot. */
    send(fields: NewInteraction, data: Json): Interaction {
      const interaction = new Interaction(state, state.createId(), fields);
      state.interactions.set(interaction.id, interaction);
      after(acknowledgeWithinMs, () => {
        interaction.isFailed = interaction.acknowledgement === undefined;
      });
      after(tokenTtlMs, () => interaction.expire());
      sessions.sendInteraction(fields.channel.guild, describeInteraction(state, interaction, data));
      state.announce();
      return interaction;
    },

    close() {
      for (const timer of timers) clearTimeout(timer);
    },
  };
}

/** See `createInteractions`. */
export type Interactions = ReturnType<typeof createInteractions>;

function describeInteraction(state: FakeState, interaction: Interaction, data: Json): Json {
  const { channel, owners, source, user } = interaction;
  const { guild } = channel;
  const permissions = channel.permissionsOf(user.id);
  const ofBot = guild && !guild.hasBot ? permissions : channel.permissionsOf(state.bot.id);
  return compact({
    id: interaction.id,
    application_id: state.bot.id,
    type: interaction.type,
    token: interaction.token,
    version: 1,
    data,
    channel: { ...describeChannel(channel), permissions: permissions.toString() },
    channel_id: channel.id,
    guild_id: guild?.id,
    guild: guild && { id: guild.id, locale: guild.locale, features: [] },
    guild_locale: guild?.locale,
    ...describeActor(channel, user),
    locale: user.locale,
    app_permissions: ofBot.toString(),
    entitlements: [],
    authorizing_integration_owners: owners,
    context: contextOf(channel),
    attachment_size_limit: uploadLimitBytes,
    message: source && describeMessage(state, source),
  });
}

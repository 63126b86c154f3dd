import { compact, type Json } from "@koma/fake-chat";
import { describeMessage } from "../describe/describe-message.ts";
import { describeActor, describeChannel } from "../describe/describe-user.ts";
import type { Sessions } from "../gateway/sessions.ts";
import { acknowledgeWithinMs, tokenTtlMs, uploadLimitBytes } from "../state/defaults.ts";
import type { FakeState } from "../state/fake-state.ts";
import { allows, permissionsIn } from "../state/permissions.ts";
import { seeModal } from "../state/seen.ts";
import type { Channel, Interaction, Message } from "../types.ts";

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
    send(fields: InteractionFields, data: Json): Interaction {
      const interaction = createInteraction(state, fields);
      state.interactions.set(interaction.id, interaction);
      after(acknowledgeWithinMs, () => {
        interaction.isFailed = interaction.acknowledgement === undefined;
      });
      after(tokenTtlMs, interaction.expire);
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

/** The fields of a new interaction besides the defaults. */
type InteractionFields = Pick<Interaction, "type" | "user" | "channel" | "owners"> &
  Partial<Pick<Interaction, "command" | "source" | "cause">>;

function createInteraction(state: FakeState, fields: InteractionFields): Interaction {
  const { channel, owners, user } = fields;
  const id = state.createId();
  const name = fields.command?.name ?? id;
  const ensureAlive = () => {
    if (own.isFailed) throw new Error(`The application did not respond to ${name}.`);
  };
  const findReply = (): Message | undefined => {
    ensureAlive();
    const { acknowledgement, original } = own;
    if (acknowledgement === "modal") throw new Error("The interaction showed a modal, not a reply.");
    if (acknowledgement === undefined) return undefined;
    if (acknowledgement === "deferred-update" && !own.hasUpdated) return undefined;
    return original && !original.isThinking && !original.isDeleted ? original : undefined;
  };
  const wait = <Value>(find: () => Value | undefined, what: string): Promise<Value> =>
    state.waitFor(find, () => {
      const seen = [own.acknowledgement ?? "nothing", own.original && JSON.stringify(own.original.text)];
      return `${what} of ${name}; so far: ${seen.filter(Boolean).join(", ")}`;
    });

  const own: Interaction = {
    id,
    token: Buffer.from(`interaction:${id}:${Math.random()}`).toString("base64url"),
    command: undefined,
    source: undefined,
    cause: undefined,
    ...fields,
    isForcedPrivate:
      channel.kind === "guild" && owners["0"] === undefined && !allows(channel, user.id, "UseExternalApps"),
    createdAt: Date.now(),
    acknowledgement: undefined,
    acknowledgedAfterMs: undefined,
    isFailed: false,
    isExpired: false,
    original: undefined,
    hasUpdated: false,
    followUps: [],
    shownModal: undefined,
    acknowledged: () =>
      wait(() => {
        ensureAlive();
        return own.acknowledgement;
      }, "the acknowledgement"),
    reply: () => wait(findReply, "the reply"),
    replyWhere: (fits) =>
      wait(() => {
        const found = findReply();
        return found && fits(found) ? found : undefined;
      }, "a fitting reply"),
    followUp: (index = 0) => wait(() => own.followUps[index], `follow-up ${index}`),
    modal: () =>
      wait(() => {
        ensureAlive();
        return own.shownModal && seeModal(own.shownModal);
      }, "the modal"),
    expire() {
      own.isExpired = true;
      state.announce();
    },
  };
  return own;
}

function describeInteraction(state: FakeState, interaction: Interaction, data: Json): Json {
  const { channel, owners, source, user } = interaction;
  const { guild } = channel;
  const permissions = permissionsIn(channel, user.id);
  const ofBot = guild && !guild.hasBot ? permissions : permissionsIn(channel, state.bot.id);
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

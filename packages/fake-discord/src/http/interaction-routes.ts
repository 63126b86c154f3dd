import { asObject, compact, type Json } from "@koma/fake-chat";
import { describeMessage } from "../describe/describe-message.ts";
import { checkModal } from "../rules/component-rules.ts";
import { checkMessageBody } from "../rules/message-rules.ts";
import type { FakeState } from "../state/fake-state.ts";
import type { Messages } from "../state/messages.ts";
import type { Acknowledgement, Interaction, Message, MessageFields } from "../types.ts";
import { type Call, describeCall, type Routes } from "./call.ts";
import { DiscordProblem, invalidForm } from "./problems.ts";
import type { Writer } from "./write-message.ts";

const webhook = "/webhooks/{webhook_id}/{webhook_token}";
const followUpsOfOwnApps = 5;
const names: Readonly<Record<number, Acknowledgement>> = {
  4: "reply",
  5: "deferred-reply",
  6: "deferred-update",
  7: "update",
  9: "modal",
};

/** The callback that acknowledges an interaction, and its replies: the original and follow-ups. */
export function createInteractionRoutes(
  state: FakeState,
  { messages, write }: { messages: Messages; write: Writer },
): Routes {
  const refuse = (call: Call, problems: readonly string[]) => {
    if (problems.length === 0) return;
    const where = describeCall(call);
    state.violations.push(...problems.map((problem) => ({ rule: "interaction", where, problem })));
    throw invalidForm(problems);
  };

  const mustHide = (interaction: Interaction, data: Json): boolean =>
    (Number(data.flags ?? 0) & 64) !== 0 || interaction.isForcedPrivate;

  const respond = (
    interaction: Interaction,
    fields: Partial<MessageFields>,
    isEphemeral: boolean,
  ): Message => {
    const { channel, command, source, user } = interaction;
    interaction.original = messages.create({
      ...fields,
      channel,
      author: state.bot,
      type: command ? (command.type === 1 ? 20 : 23) : source ? 19 : 0,
      flags: (fields.flags ?? 0) | (isEphemeral ? 64 : 0),
      visibleTo: isEphemeral ? user.id : undefined,
      interaction,
    });
    return interaction.original;
  };

  const edit = (
    call: Call,
    data: Json,
    before: Message,
    way: "interaction" | "interaction-edit",
  ): Message => {
    const isEphemeral = before.visibleTo !== undefined;
    messages.edit(before, write(call, data, { way, channel: before.channel, before, isEphemeral }));
    return before;
  };

  const acknowledge = (call: Call, interaction: Interaction, type: number): Message | undefined => {
    const data = asObject(call.fields.data) ?? {};
    const { channel, source } = interaction;
    const isEphemeral = mustHide(interaction, data);
    switch (type) {
      case 4:
        return respond(
          interaction,
          write(call, data, { way: "interaction", channel, isEphemeral }),
          isEphemeral,
        );
      case 5: {
        const other = Object.keys(data).filter((key) => key !== "flags" && data[key] !== false);
        refuse(call, checkMessageBody(data, "deferral", false));
        refuse(
          call,
          other.map((key) => `${key} has no meaning in a deferral`),
        );
        return respond(interaction, { isThinking: true }, isEphemeral);
      }
      case 7:
        if (!source || source.isDeleted) throw new DiscordProblem(10008);
        interaction.hasUpdated = true;
        interaction.original = source;
        return edit(call, data, source, "interaction-edit");
      case 9:
        refuse(call, checkModal(data));
        interaction.shownModal = data;
        return undefined;
      default:
        interaction.original = source;
        return undefined;
    }
  };

  const findInteraction = ({ parameters }: Call): Interaction => {
    const found = [...state.interactions.values()].find((one) => one.token === parameters.webhook_token);
    if (parameters.webhook_id !== state.bot.id || !found) throw new DiscordProblem(10015);
    if (found.isExpired) throw new DiscordProblem(50027);
    if (found.acknowledgement === undefined) throw new DiscordProblem(10015);
    return found;
  };

  const findMessage = (call: Call, { original, source, followUps }: Interaction): Message => {
    const id = call.parameters.message_id ?? "@original";
    const found =
      id === "@original" ? original : [original, source, ...followUps].find((one) => one?.id === id);
    if (found === undefined || found.isDeleted) throw new DiscordProblem(10008);
    return found;
  };

  const change = (call: Call): Json => {
    const interaction = findInteraction(call);
    const message = edit(call, call.fields, findMessage(call, interaction), "interaction-edit");
    if (message === interaction.source) {
      interaction.hasUpdated = true;
      state.announce();
    }
    return describeMessage(state, message);
  };

  const remove = (call: Call): void => messages.delete(findMessage(call, findInteraction(call)));

  const followUp = (call: Call): Json => {
    const interaction = findInteraction(call);
    const { channel, followUps, original, owners, user } = interaction;
    if (owners["0"] === undefined && followUps.length >= followUpsOfOwnApps) throw new DiscordProblem(40094);
    // The first follow-up after a deferral replaces the waiting message and keeps its visibility.
    if (original?.isThinking && !original.isDeleted)
      return describeMessage(state, edit(call, call.fields, original, "interaction"));
    const isEphemeral = mustHide(interaction, call.fields);
    const message = messages.create({
      ...write(call, call.fields, { way: "interaction", channel, isEphemeral }),
      channel,
      author: state.bot,
      type: original ? 19 : 0,
      reference: original && { type: 0, message: original },
      visibleTo: isEphemeral ? user.id : undefined,
      interaction,
    });
    followUps.push(message);
    state.announce();
    return describeMessage(state, message);
  };

  return {
    "POST /interactions/{interaction_id}/{interaction_token}/callback"(call) {
      const interaction = state.interactions.get(call.parameters.interaction_id ?? "");
      const isKnown = interaction?.token === call.parameters.interaction_token;
      if (!interaction || !isKnown || interaction.isFailed || interaction.isExpired)
        throw new DiscordProblem(10062);
      if (interaction.acknowledgement !== undefined) throw new DiscordProblem(40060);
      const type = Number(call.fields.type);
      refuse(call, checkFitting(interaction, type));
      const message = acknowledge(call, interaction, type);
      interaction.acknowledgement = names[type];
      interaction.acknowledgedAfterMs = Date.now() - interaction.createdAt;
      state.announce();
      if (call.query.with_response !== "true") return undefined;
      return describeCallback(state, interaction, message);
    },
    [`POST ${webhook}`]: followUp,
    [`GET ${webhook}/messages/@original`]: (call) =>
      describeMessage(state, findMessage(call, findInteraction(call))),
    [`PATCH ${webhook}/messages/@original`]: change,
    [`DELETE ${webhook}/messages/@original`]: remove,
    [`PATCH ${webhook}/messages/{message_id}`]: change,
    [`DELETE ${webhook}/messages/{message_id}`]: remove,
  };
}

/** The acknowledgements that an interaction accepts. */
function checkFitting({ source, type }: Interaction, callback: number): readonly string[] {
  const isFit =
    [4, 5].includes(callback) ||
    (callback === 9 && type !== 5) ||
    ([6, 7].includes(callback) && source !== undefined && type !== 2);
  return isFit ? [] : [`callback type ${callback} does not fit an interaction of type ${type}`];
}

function describeCallback(state: FakeState, { id, type, hasUpdated }: Interaction, message?: Message): Json {
  return compact({
    interaction: compact({
      id,
      type,
      response_message_id: message?.id,
      response_message_loading: message?.isThinking,
      response_message_ephemeral: message?.isEphemeral,
    }),
    resource: message && { type: hasUpdated ? 7 : 4, message: describeMessage(state, message) },
  });
}

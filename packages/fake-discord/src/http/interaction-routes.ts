import { asObject, asObjects, compact, getFrom, type Json } from "@koma/fake-chat";
import { describeMessage } from "../describe/describe-message.ts";
import { checkMessageBody } from "../rules/message-rules.ts";
import { checkModal } from "../rules/modal-rules.ts";
import type { FakeState, StoredInteraction, StoredMessage } from "../state/fake-state.ts";
import type { Interactions } from "../state/interactions.ts";
import type { Messages } from "../state/messages.ts";
import { type Call, describeCall, parameter, type Response, type Route } from "./call.ts";
import { DiscordProblem, invalidForm } from "./problems.ts";
import type { Writer } from "./write-message.ts";

/** The callback that acknowledges an interaction. */
export function createInteractionRoutes(
  state: FakeState,
  parts: { messages: Messages; interactions: Interactions; write: Writer },
): readonly Route[] {
  const { messages, interactions, write } = parts;

  const refuse = (call: Call, problems: readonly string[]) => {
    if (problems.length === 0) return;
    const where = describeCall(call);
    state.violations.push(...problems.map((problem) => ({ rule: "interaction", where, problem })));
    throw invalidForm(problems);
  };

  const respond = (call: Call, interaction: StoredInteraction, data: Json): StoredMessage => {
    const isEphemeral = (Number(data.flags ?? 0) & 64) !== 0 || interaction.isForcedPrivate;
    const written = write(call, data, { way: "interaction", channelId: interaction.channelId, isEphemeral });
    return respondWith(interaction, { ...written, isThinking: false }, isEphemeral);
  };

  const respondWith = (
    interaction: StoredInteraction,
    fields: Partial<StoredMessage>,
    isEphemeral: boolean,
  ) => {
    const message = messages.create({
      ...fields,
      channelId: interaction.channelId,
      authorId: state.bot.id,
      type:
        interaction.type === 2 ? (interaction.commandType === 1 ? 20 : 23) : interaction.sourceId ? 19 : 0,
      flags: (fields.flags ?? 0) | (isEphemeral ? 64 : 0),
      visibleTo: isEphemeral ? interaction.userId : undefined,
      interactionId: interaction.id,
    });
    interaction.originalId = message.id;
    return message;
  };

  const defer = (call: Call, interaction: StoredInteraction, data: Json): StoredMessage => {
    refuse(call, checkMessageBody(data, "deferral", false));
    const other = Object.keys(data).filter((key) => key !== "flags" && data[key] !== false);
    refuse(
      call,
      other.map((key) => `${key} has no meaning in a deferral`),
    );
    const isEphemeral = (Number(data.flags ?? 0) & 64) !== 0 || interaction.isForcedPrivate;
    return respondWith(interaction, { isThinking: true }, isEphemeral);
  };

  const update = (call: Call, interaction: StoredInteraction, data: Json): StoredMessage => {
    const source = getFrom(state.messages, interaction.sourceId ?? "", "message");
    if (source.isDeleted) throw new DiscordProblem(10008);
    const written = write(call, data, {
      way: "interaction-edit",
      channelId: source.channelId,
      before: source,
      isEphemeral: source.visibleTo !== undefined,
    });
    messages.edit(source, written);
    interaction.hasUpdated = true;
    return source;
  };

  const acknowledge = (call: Call, interaction: StoredInteraction, body: Json): StoredMessage | undefined => {
    const data = asObject(body.data) ?? {};
    refuse(call, fitting(interaction, Number(body.type)));
    switch (body.type) {
      case 4: {
        const message = respond(call, interaction, data);
        interactions.acknowledge(interaction, "reply");
        return message;
      }
      case 5: {
        const message = defer(call, interaction, data);
        interactions.acknowledge(interaction, "deferred-reply");
        return message;
      }
      case 6:
        interaction.originalId = interaction.sourceId;
        interactions.acknowledge(interaction, "deferred-update");
        return undefined;
      case 7: {
        const message = update(call, interaction, data);
        interaction.originalId = interaction.sourceId;
        interactions.acknowledge(interaction, "update");
        return message;
      }
      case 8:
        interaction.choices = asObjects(data.choices);
        interactions.acknowledge(interaction, "autocomplete");
        return undefined;
      case 9:
        refuse(call, checkModal(data));
        interaction.modal = data;
        interactions.acknowledge(interaction, "modal");
        return undefined;
      default:
        throw invalidForm([`the fake does not support the type ${String(body.type)}`]);
    }
  };

  return [
    {
      method: "POST",
      template: "/interactions/{interaction_id}/{interaction_token}/callback",
      handle(call, body): Response {
        const interaction = state.interactions.get(parameter(call, "interaction_id"));
        const isKnown = interaction?.token === parameter(call, "interaction_token");
        if (!interaction || !isKnown || interaction.isFailed || interaction.isExpired)
          throw new DiscordProblem(10062);
        if (interaction.acknowledgement !== undefined) throw new DiscordProblem(40060);
        const message = acknowledge(call, interaction, body);
        if (call.query.with_response !== "true") return { status: 204 };
        return { status: 200, body: describeCallback(state, interaction, message) };
      },
    },
  ];
}

/** The acknowledgements that an interaction accepts. */
function fitting(interaction: StoredInteraction, type: number): readonly string[] {
  const isFit =
    interaction.type === 4
      ? type === 8
      : [4, 5].includes(type) ||
        (type === 9 && interaction.type !== 5) ||
        ([6, 7].includes(type) && interaction.sourceId !== undefined && interaction.type !== 2);
  return isFit ? [] : [`callback type ${type} does not fit an interaction of type ${interaction.type}`];
}

function describeCallback(
  state: FakeState,
  interaction: StoredInteraction,
  message: StoredMessage | undefined,
): Json {
  const isUpdate = interaction.acknowledgement === "update";
  return compact({
    interaction: compact({
      id: interaction.id,
      type: interaction.type,
      response_message_id: message?.id,
      response_message_loading: message?.isThinking,
      response_message_ephemeral: message && message.visibleTo !== undefined,
    }),
    resource: message && { type: isUpdate ? 7 : 4, message: describeMessage(state, message) },
  });
}

import { asObject, type Json } from "@koma/fake-chat";
import { describeMessage } from "../describe/describe-message.ts";
import { checkModal } from "../rules/component-rules.ts";
import { checkMessageBody } from "../rules/message-rules.ts";
import type { Message } from "../state/channels.ts";
import type { FakeState } from "../state/fake-state.ts";
import type { Acknowledgement, Interaction } from "../state/interaction.ts";
import type { Messages } from "../state/messages.ts";
import { type Call, describeCall, type Routes } from "./call.ts";
import { DiscordProblem, invalidForm } from "./problems.ts";
import type { Writer } from "./write-message.ts";

const webhook = "/webhooks/{webhook_id}/{webhook_token}";
const followUpsOfOwnApps = 5;
/** The callbacks that the bot uses; the fake rejects Discord's others. */
const names: Readonly<Record<number, Acknowledgement>> = {
  5: "deferred-reply",
  6: "deferred-update",
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

  const edit = (call: Call, before: Message, way: "interaction" | "interaction-edit"): Json => {
    const { channel, visibleTo } = before;
    const isEphemeral = visibleTo !== undefined;
    messages.edit(before, write(call, call.fields, { way, channel, before, isEphemeral }));
    return describeMessage(state, before);
  };

  const acknowledge = (call: Call, interaction: Interaction, name: Acknowledgement) => {
    const data = asObject(call.fields.data) ?? {};
    const { channel, command, source, user } = interaction;
    if (name === "modal") {
      refuse(call, checkModal(data));
      interaction.shownModal = data;
    } else if (name === "deferred-update") interaction.original = source;
    else {
      const other = Object.keys(data).filter((key) => key !== "flags" && data[key] !== false);
      refuse(call, [
        ...checkMessageBody(data, "deferral", false),
        ...other.map((key) => `${key} has no meaning in a deferral`),
      ]);
      const isEphemeral = mustHide(interaction, data);
      interaction.original = messages.create({
        channel,
        author: state.bot,
        type: command ? (command.type === 1 ? 20 : 23) : source ? 19 : 0,
        flags: isEphemeral ? 64 : 0,
        visibleTo: isEphemeral ? user.id : undefined,
        isThinking: true,
        interaction,
      });
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
    const message = findMessage(call, interaction);
    const described = edit(call, message, "interaction-edit");
    if (message === interaction.source) {
      interaction.hasUpdated = true;
      state.announce();
    }
    return described;
  };

  return {
    "POST /interactions/{interaction_id}/{interaction_token}/callback"(call) {
      const interaction = state.interactions.get(call.parameters.interaction_id ?? "");
      const isKnown = interaction?.token === call.parameters.interaction_token;
      if (!interaction || !isKnown || interaction.isFailed || interaction.isExpired)
        throw new DiscordProblem(10062);
      if (interaction.acknowledgement !== undefined) throw new DiscordProblem(40060);
      const type = Number(call.fields.type);
      const name = names[type];
      if (name === undefined || !isFitting(interaction, name))
        return refuse(call, [
          `callback type ${type} does not fit an interaction of type ${interaction.type}`,
        ]);
      acknowledge(call, interaction, name);
      interaction.acknowledgement = name;
      interaction.acknowledgedAfterMs = Date.now() - interaction.createdAt;
      state.announce();
    },
    [`POST ${webhook}`](call) {
      const interaction = findInteraction(call);
      const { channel, followUps, original, owners, user } = interaction;
      if (owners["0"] === undefined && followUps.length >= followUpsOfOwnApps)
        throw new DiscordProblem(40094);
      // The first follow-up after a deferral replaces the waiting message and keeps its visibility.
      if (original?.isThinking && !original.isDeleted) return edit(call, original, "interaction");
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
    },
    [`PATCH ${webhook}/messages/@original`]: change,
    [`PATCH ${webhook}/messages/{message_id}`]: change,
    [`DELETE ${webhook}/messages/@original`]: (call) =>
      messages.delete(findMessage(call, findInteraction(call))),
  };
}

function isFitting({ source, type }: Interaction, name: Acknowledgement): boolean {
  if (name === "modal") return type !== 5;
  return name === "deferred-reply" || (source !== undefined && type !== 2);
}

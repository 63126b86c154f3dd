import { getFrom } from "@koma/fake-chat";
import { describeMessage } from "../describe/describe-message.ts";
import type { FakeState, StoredInteraction, StoredMessage } from "../state/fake-state.ts";
import type { Messages } from "../state/messages.ts";
import { type Call, parameter, type Response, type Route } from "./call.ts";
import { DiscordProblem } from "./problems.ts";
import type { Writer } from "./write-message.ts";

const base = "/webhooks/{webhook_id}/{webhook_token}";
const followUpsOfOwnApps = 5;

/** The replies of an interaction: read, edit and delete the original, send follow-ups. */
export function createWebhookRoutes(
  state: FakeState,
  parts: { messages: Messages; write: Writer },
): readonly Route[] {
  const { messages, write } = parts;

  const findInteraction = (call: Call): StoredInteraction => {
    const token = parameter(call, "webhook_token");
    const interaction = [...state.interactions.values()].find((one) => one.token === token);
    if (parameter(call, "webhook_id") !== state.applicationId || !interaction)
      throw new DiscordProblem(10015);
    if (interaction.isExpired) throw new DiscordProblem(50027);
    if (interaction.acknowledgement === undefined) throw new DiscordProblem(10015);
    return interaction;
  };

  const findMessage = (call: Call, interaction: StoredInteraction): StoredMessage => {
    const id = call.parameters.message_id;
    const own = [interaction.originalId, interaction.sourceId, ...interaction.followUpIds];
    const expected =
      id === undefined || id === "@original" ? interaction.originalId : own.find((one) => one === id);
    const message = expected === undefined ? undefined : state.messages.get(expected);
    if (message === undefined || message.isDeleted) throw new DiscordProblem(10008);
    return message;
  };

  const read = (call: Call): Response => {
    const message = findMessage(call, findInteraction(call));
    return { status: 200, body: describeMessage(state, message) };
  };

  const change = (call: Call, body: Readonly<Record<string, unknown>>): Response => {
    const interaction = findInteraction(call);
    const message = findMessage(call, interaction);
    const isEphemeral = message.visibleTo !== undefined;
    const written = write(call, body, {
      way: "interaction-edit",
      channelId: message.channelId,
      before: message,
      isEphemeral,
    });
    messages.edit(message, written);
    if (message.id === interaction.sourceId) {
      interaction.hasUpdated = true;
      state.announce();
    }
    return { status: 200, body: describeMessage(state, message) };
  };

  const remove = (call: Call): Response => {
    messages.delete(findMessage(call, findInteraction(call)));
    return { status: 204 };
  };

  const followUp = (call: Call, body: Readonly<Record<string, unknown>>): Response => {
    const interaction = findInteraction(call);
    const original = state.messages.get(interaction.originalId ?? "");
    const isOwnApp = interaction.owners["0"] === undefined;
    if (isOwnApp && interaction.followUpIds.length >= followUpsOfOwnApps) throw new DiscordProblem(40094);
    if (original?.isThinking && !original.isDeleted) {
      // The first follow-up after a deferral replaces the waiting message and keeps its visibility.
      const written = write(call, body, {
        way: "interaction",
        channelId: original.channelId,
        before: original,
        isEphemeral: original.visibleTo !== undefined,
      });
      messages.edit(original, written);
      return { status: 200, body: describeMessage(state, original) };
    }
    const isEphemeral = (Number(body.flags ?? 0) & 64) !== 0 || interaction.isForcedPrivate;
    const channel = getFrom(state.channels, interaction.channelId, "channel");
    const written = write(call, body, { way: "interaction", channelId: channel.id, isEphemeral });
    const message = messages.create({
      ...written,
      channelId: channel.id,
      authorId: state.bot.id,
      type: original ? 19 : 0,
      reference: original && { type: 0, channelId: original.channelId, messageId: original.id },
      visibleTo: isEphemeral ? interaction.userId : undefined,
      interactionId: interaction.id,
    });
    interaction.followUpIds.push(message.id);
    state.announce();
    return { status: 200, body: describeMessage(state, message) };
  };

  return [
    { method: "POST", template: base, handle: followUp },
    ...["/messages/@original", "/messages/{message_id}"].flatMap((path) => [
      { method: "GET", template: `${base}${path}`, handle: read },
      { method: "PATCH", template: `${base}${path}`, handle: change },
      { method: "DELETE", template: `${base}${path}`, handle: remove },
    ]),
  ];
}

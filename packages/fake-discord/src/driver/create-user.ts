import { asNumber, asObjects, asText, type Json } from "@koma/fake-chat";
import type { APIApplicationCommand } from "discord.js";
import { isSelect, listComponents } from "../describe/components.ts";
import { describeContent, describeMessage } from "../describe/describe-message.ts";
import { describeChannel } from "../describe/describe-user.ts";
import type { Sessions } from "../gateway/sessions.ts";
import type { FakeState } from "../state/fake-state.ts";
import { findPings, type Messages } from "../state/messages.ts";
import { allows } from "../state/permissions.ts";
import type { Channel, Interaction, Message, User, Written } from "../types.ts";
import { createCommandData, createModalData } from "./command-data.ts";
import { createChannel } from "./create-channel.ts";
import { contextOf, type Interactions } from "./create-interaction.ts";

/** A new user; an action that Discord's client does not allow throws. */
export function createUser(
  state: FakeState,
  {
    sessions,
    messages,
    interactions,
  }: { sessions: Sessions; messages: Messages; interactions: Interactions },
  options: { name?: string; locale?: string } = {},
): User {
  const useControl = (
    source: Message,
    customId: string,
    values: readonly string[] | undefined,
  ): Interaction => {
    const { channel } = source;
    ensureSeen(source, own);
    const control = listComponents(source.components).find((one) => one.custom_id === customId);
    if (control === undefined) throw new Error(`The message has no control ${customId}.`);
    if (control.disabled === true) throw new Error(`${asText(control.label) ?? customId} is disabled.`);
    if (isSelect(control) !== (values !== undefined))
      throw new Error(`${customId} cannot be used in this way.`);
    if (values) ensureChoosable(control, values);
    const resolved = control.type === 8 &&
      values && { resolved: { channels: describeChosen(state, values) } };
    const data = {
      component_type: control.type,
      custom_id: customId,
      id: control.id ?? 1,
      ...(values && { values }),
      ...resolved,
    };
    const owners = source.interaction?.owners ?? ownersOf(own, channel);
    return interactions.send({ type: 3, user: own, channel, owners, source }, data);
  };

  const own: User = {
    id: state.createId(),
    name: options.name ?? `Person ${state.users.size + 1}`,
    locale: options.locale ?? "en-US",
    isBot: false,
    hasInstalled: false,
    acceptsDirect: true,
    get direct() {
      return direct;
    },
    setAcceptsDirect(accepts) {
      own.acceptsDirect = accepts;
    },
    install() {
      own.hasInstalled = true;
    },
    slash(name, typed = {}, { channel = direct } = {}) {
      const [root = "", ...path] = name.split(" ");
      const { found, owners } = findCommand(state, root, 1, own, channel);
      const data = createCommandData(state, messages, found, { path, typed, channel });
      const command = { name, type: 1, target: undefined } as const;
      return interactions.send({ type: 2, user: own, channel, owners, command }, data);
    },
    messageCommand(name, target) {
      const { channel, id } = target;
      ensureSeen(target, own);
      const { found, owners } = findCommand(state, name, 3, own, channel);
      // It contains the message's content regardless of intents.
      const resolved = { messages: { [id]: describeMessage(state, target) } };
      const data = { id: found.id, type: 3, name, target_id: id, resolved };
      const command = { name, type: 3, target } as const;
      return interactions.send({ type: 2, user: own, channel, owners, command }, data);
    },
    sendMessage(channel, written) {
      const fields = write(state, messages, channel, written);
      if (!allows(channel, own.id, ["ViewChannel", "SendMessages"]))
        throw new Error(`${own.name} may not write in ${channel.name}.`);
      return messages.create({ ...fields, channel, author: own });
    },
    editMessage(message, written) {
      if (message.author !== own) throw new Error(`${own.name} is not the author of this message.`);
      const { content, files, embeds, pings } = write(state, messages, message.channel, written);
      messages.edit(message, { content, files, embeds, pings });
    },
    deleteMessage(message) {
      messages.delete(message);
    },
    react(message, emoji) {
      ensureSeen(message, own);
      sessions.sendReaction(message, own, emoji);
    },
    clickButton: (message, customId) => useControl(message, customId, undefined),
    select: useControl,
    submitModal(cause, values) {
      const { channel, owners, source, shownModal } = cause;
      if (shownModal === undefined) throw new Error("The interaction showed no modal.");
      const data = createModalData(shownModal, values);
      return interactions.send({ type: 5, user: own, channel, owners, source, cause }, data);
    },
  };
  const direct = createChannel(state, sessions, {
    kind: "direct",
    name: "direct messages",
    recipients: [own],
  });
  state.users.set(own.id, own);
  return own;
}

/** The command that a user may use here, and its installations; throws with the reason if the user may not. */
function findCommand(
  state: FakeState,
  name: string,
  type: 1 | 3,
  user: User,
  channel: Channel,
): { found: APIApplicationCommand; owners: Record<string, string> } {
  const names = state.commands.map((one) => one.name).join(", ") || "none";
  const found = state.commands.find((one) => one.name === name && Number(one.type) === type);
  if (!found) throw new Error(`No command ${name} is registered; there are: ${names}`);
  const contexts = found.contexts?.map(Number) ?? [0, 1, 2];
  if (!contexts.includes(contextOf(channel)))
    throw new Error(`${name} is not available in a ${channel.kind} channel.`);
  const owners = ownersOf(user, channel, found.integration_types?.map(Number) ?? [0]);
  if (Object.keys(owners).length === 0)
    throw new Error(`The app of ${name} is installed neither here nor by ${user.name}.`);
  if (channel.kind === "guild" && !allows(channel, user.id, ["ViewChannel", "UseApplicationCommands"]))
    throw new Error(`${user.name} may not use commands here.`);
  return { found, owners };
}

/** The owners of the installations, as `authorizing_integration_owners`. */
function ownersOf(
  user: User,
  { guild, kind }: Channel,
  types: readonly number[] = [0, 1],
): Record<string, string> {
  const byGuild = kind === "direct" ? "0" : guild?.hasBot ? guild.id : undefined;
  return {
    ...(types.includes(0) && byGuild !== undefined && { "0": byGuild }),
    ...(types.includes(1) && user.hasInstalled && { "1": user.id }),
  };
}

/** The message of a user's text and files. */
function write(state: FakeState, messages: Messages, channel: Channel, written: string | Written) {
  const {
    content = "",
    attachments = [],
    embeds = [],
    replyTo,
    forward,
    mentionsBot,
  }: Written = typeof written === "string" ? { content: written } : written;
  const text = [mentionsBot ? `<@${state.bot.id}>` : "", content].filter((part) => part !== "").join(" ");
  const files = attachments.map((file) => messages.host(channel.id, file));
  const reference = replyTo
    ? ({ type: 0, message: replyTo } as const)
    : forward && ({ type: 1, message: forward } as const);
  return {
    content: text,
    embeds,
    files,
    type: replyTo ? 19 : 0,
    flags: forward ? 1 << 14 : 0,
    reference,
    snapshot: forward && describeContent(state, forward),
    pings: findPings(text, [], undefined, replyTo?.author.id),
  };
}

function ensureSeen({ isDeleted, visibleTo }: Message, user: User): void {
  if (isDeleted || (visibleTo !== undefined && visibleTo !== user.id))
    throw new Error(`${user.name} cannot see this message.`);
}

/** Throws if the menu does not contain a value, or requires fewer or more values. */
function ensureChoosable(control: Json, values: readonly string[]): void {
  const [least, most] = [asNumber(control.min_values) ?? 1, asNumber(control.max_values) ?? 1];
  if (values.length < least || values.length > most)
    throw new Error(`The menu requires ${least} to ${most} values.`);
  const known = new Set(asObjects(control.options).map(({ value }) => value));
  const unknown = values.filter((value) => control.type === 3 && !known.has(value));
  if (unknown.length > 0) throw new Error(`The menu has no ${unknown.join(", ")}.`);
}

/** The channels chosen in a menu, in the interaction's format. */
function describeChosen(state: FakeState, ids: readonly string[]): Json {
  const channels = ids.flatMap((id) => state.channels.get(id) ?? []);
  return Object.fromEntries(channels.map((channel) => [channel.id, describeChannel(channel)]));
}

import { asNumber, asObjects, asText, type Json } from "@koma/fake-chat";
import type { APIApplicationCommand } from "discord.js";
import { describeContent, describeMessage } from "../describe/describe-message.ts";
import { describeChannel } from "../describe/describe-user.ts";
import { isSelect, listComponents } from "../describe/list-components.ts";
import type { Sessions } from "../gateway/sessions.ts";
import { Channel, type ChannelParts, type Message } from "../state/channels.ts";
import type { FakeState } from "../state/fake-state.ts";
import type { Interaction } from "../state/interaction.ts";
import { findPings, type Messages } from "../state/messages.ts";
import type { Account, OwnFile } from "../types.ts";
import { createCommandData, createModalData, type Typed } from "./command-data.ts";
import { contextOf, type Interactions } from "./create-interaction.ts";

/** A message of a user. */
type Written = {
  content?: string;
  attachments?: readonly OwnFile[];
  /** Embeds in the format of link previews: `{ image: { url } }`, `{ thumbnail: { url } }`, `{ title }` … */
  embeds?: readonly Json[];
  replyTo?: Message;
  forward?: Message;
  /** Mentions the bot at the start. */
  mentionsBot?: boolean;
};

/** A new user, who can do what Discord's client allows; other actions throw. */
export function createUser(
  state: FakeState,
  parts: { channelParts: ChannelParts; sessions: Sessions; messages: Messages; interactions: Interactions },
  options: { name?: string; locale?: string } = {},
) {
  const { channelParts, sessions, messages, interactions } = parts;
  const useControl = (
    source: Message,
    customId: string,
    values: readonly string[] | undefined,
  ): Interaction => {
    const { channel } = source;
    ensureSeen(source, account);
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
    const owners = source.interaction?.owners ?? ownersOf(account, channel);
    return interactions.send({ type: 3, user: account, channel, owners, source }, data);
  };

  const account: Account = {
    id: state.createId(),
    name: options.name ?? `Person ${state.users.size + 1}`,
    locale: options.locale ?? "en-US",
    isBot: false,
    hasInstalled: false,
    acceptsDirect: true,
  };
  const direct = new Channel(channelParts, {
    kind: "direct",
    name: "direct messages",
    recipients: [account],
  });
  const own = Object.assign(account, {
    /** The direct messages with the bot. */
    direct,
    /** Accepts direct messages (default), or not: the bot then gets 50007. */
    setAcceptsDirect(accepts: boolean): void {
      account.acceptsDirect = accepts;
    },
    install(): void {
      account.hasInstalled = true;
    },
    /**
     * Uses a registered slash command, by default in the direct messages with the bot; `name` may contain a
     * subcommand: `settings language`.
     */
    slash(name: string, typed: Typed = {}, { channel = direct }: { channel?: Channel } = {}): Interaction {
      const [root = "", ...path] = name.split(" ");
      const { found, owners } = findCommand(state, root, 1, account, channel);
      const data = createCommandData(state, messages, found, { path, typed, channel });
      const command = { name, type: 1, target: undefined } as const;
      return interactions.send({ type: 2, user: account, channel, owners, command }, data);
    },
    messageCommand(name: string, target: Message): Interaction {
      const { channel, id } = target;
      ensureSeen(target, account);
      const { found, owners } = findCommand(state, name, 3, account, channel);
      // It contains the message's content regardless of intents.
      const resolved = { messages: { [id]: describeMessage(state, target) } };
      const data = { id: found.id, type: 3, name, target_id: id, resolved };
      const command = { name, type: 3, target } as const;
      return interactions.send({ type: 2, user: account, channel, owners, command }, data);
    },
    sendMessage(channel: Channel, written: string | Written): Message {
      const fields = write(state, messages, channel, written);
      if (!channel.allows(account.id, ["ViewChannel", "SendMessages"]))
        throw new Error(`${account.name} may not write in ${channel.name}.`);
      return messages.create({ ...fields, channel, author: account });
    },
    editMessage(message: Message, written: string | Written): void {
      if (message.author !== account) throw new Error(`${account.name} is not the author of this message.`);
      const { content, files, embeds, pings } = write(state, messages, message.channel, written);
      messages.edit(message, { content, files, embeds, pings });
    },
    deleteMessage: messages.delete,
    /** Reacts to a message with an emoji of Unicode. */
    react(message: Message, emoji: string): void {
      ensureSeen(message, account);
      sessions.sendReaction(message, account, emoji);
    },
    /** Clicks a button by its custom id. */
    clickButton: (message: Message, customId: string): Interaction =>
      useControl(message, customId, undefined),
    select: (message: Message, customId: string, values: readonly string[]): Interaction =>
      useControl(message, customId, values),
    /** Submits the modal of an interaction; values by custom id. */
    submitModal(cause: Interaction, values: Readonly<Record<string, string>>): Interaction {
      const { channel, owners, source, shownModal } = cause;
      if (shownModal === undefined) throw new Error("The interaction showed no modal.");
      const data = createModalData(shownModal, values);
      return interactions.send({ type: 5, user: account, channel, owners, source, cause }, data);
    },
  });
  state.users.set(own.id, own);
  return own;
}

/** See `createUser`. */
export type User = ReturnType<typeof createUser>;

/** The command that a user may use here, and its installations; throws with the reason if the user may not. */
function findCommand(
  state: FakeState,
  name: string,
  type: 1 | 3,
  user: Account,
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
  if (channel.kind === "guild" && !channel.allows(user.id, ["ViewChannel", "UseApplicationCommands"]))
    throw new Error(`${user.name} may not use commands here.`);
  return { found, owners };
}

/** The owners of the installations, as `authorizing_integration_owners`. */
function ownersOf(
  user: Account,
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

function ensureSeen({ isDeleted, visibleTo }: Message, user: Account): void {
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

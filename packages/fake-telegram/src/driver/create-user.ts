import { asObject, asObjects, asText, compact, type Json } from "@koma/fake-chat";
import { createRejecter } from "../http/call.ts";
import type { Contents } from "../methods/contents.ts";
import { readDeepLink } from "../rules/address-rules.ts";
import { type Account, describeUser } from "../state/account.ts";
import type { Chat, Message, SeenButton } from "../state/chat.ts";
import { limits } from "../state/defaults.ts";
import { describeChat, describeMessage } from "../state/describe.ts";
import type { FakeState, Query } from "../state/fake-state.ts";
import type { Messages } from "../state/messages.ts";
import type { UpdateQueue } from "../state/updates.ts";
import { detectEntities } from "../text/entities.ts";
import type { Chats } from "./create-chat.ts";
import type { Writer, Written, WrittenContent } from "./write.ts";

/** A new user with a private chat with the bot, who can do what Telegram's apps allow; other actions throw. */
export function createUser(
  state: FakeState,
  parts: { chats: Chats; contents: Contents; messages: Messages; updates: UpdateQueue; writer: Writer },
  options: { name?: string; language?: string } = {},
) {
  const { chats, contents, messages, updates, writer } = parts;
  const id = 100_000_000 + state.createNumber() * 101;
  const name = options.name ?? `Person ${id}`;
  const members = [id, state.bot.id].map((member) => [member, "member"] as const);
  const direct = chats.create({ id, kind: "private", title: name }, members);
  const account: Account = {
    id,
    name,
    username: undefined,
    language: options.language,
    isBot: false,
    hasStarted: false,
    hasBlocked: false,
  };
  const own = Object.assign(account, {
    /** The private chat with the bot. */
    direct,
    /** Sends a message to a chat; resolves when it exists (an album: its first message). */
    sends: (chat: Chat, written: string | Written): Promise<Message> =>
      writer.write(account, chat, typeof written === "string" ? { text: written } : written),
    /** Edits an own message: the bot gets `edited_message`. */
    edits(message: Message, text: string): void {
      writer.edit(message, account, { ...message.content, text, entities: detectEntities(text, []) });
    },
    /** Replaces the photo of an own message: the bot gets `edited_message`. */
    async replaces(message: Message, written: WrittenContent): Promise<void> {
      writer.edit(message, account, await writer.readContent(written));
    },
    deletes: messages.delete,
    /** Opens `t.me/bot?start=PAYLOAD` and presses Start; without a payload the plain /start. */
    starts: (payload?: string): Promise<Message> =>
      writer.write(account, direct, { text: payload === undefined ? "/start" : `/start ${payload}` }),
    /** Presses a button with callback data. `isStale`: in a copy of the message that is inaccessible to the bot. */
    clicks: (button: SeenButton, { isStale = false } = {}) => click(state, updates, account, button, isStale),
    /** Presses a button with an address; a deep link to the bot is opened and started. */
    async opens(button: SeenButton): Promise<Message | undefined> {
      if (button.url === undefined) throw new Error(`"${button.text}" has no address.`);
      const link = readDeepLink(state.settings.username, button.url);
      return link && !link.isGroup ? own.starts(link.payload || undefined) : undefined;
    },
    /** Types `@bot query` in a chat (default: the private chat with the bot). */
    asksInline: (query: string, { chat = direct }: { chat?: Chat } = {}) =>
      askInline(state, updates, account, query, chat === direct ? "sender" : chat.kind),
    /** Sends a result of an inline query into a chat. */
    async picks(result: { raw: Json }, chat: Chat): Promise<Message> {
      const method = "answerInlineQuery";
      const call = { method, parameters: {}, files: new Map(), reject: createRejecter(state, method) };
      const content = await contents.readResult(call, result.raw);
      const inlineMessageId = content.keyboard.length > 0 ? `AAInline${state.createNumber()}` : undefined;
      const message = writer.publish(chat, account, content, { isViaBot: true, inlineMessageId });
      if (inlineMessageId !== undefined) state.inlineMessages.set(inlineMessageId, message);
      return message;
    },
    /** Blocks the bot, which gets 403 from then on. */
    blocks(): void {
      account.hasBlocked = true;
    },
    /** The commands in the app's menu for this user in a chat. */
    commandsIn: (chat: Chat) => seeCommands(state, account, chat),
  });
  state.users.set(id, own);
  return own;
}

/** See `createUser`. */
export type User = ReturnType<typeof createUser>;

function open(state: FakeState, fields: Pick<Query, "id" | "kind" | "userId" | "ttlMs" | "message">): Query {
  const query: Query = { at: Date.now(), isExpired: false, reply: undefined, ...fields };
  state.queries.set(query.id, query);
  return query;
}

/** Waits for the response, and rejects once it can no longer arrive. */
function waitForResponse(state: FakeState, query: Query, what: string): Promise<Json> {
  const find = () => {
    if (query.reply === undefined && (query.isExpired || Date.now() - query.at > query.ttlMs)) {
      state.warnings.push({ rule: "callback", where: query.kind, problem: `${what} was never answered` });
      throw new Error(`${what} was not answered in ${query.ttlMs} ms.`);
    }
    return query.reply;
  };
  return state.waitFor(find, () => `a response to ${what}`);
}

/** One press on a button. */
function click(state: FakeState, updates: UpdateQueue, user: Account, button: SeenButton, isStale: boolean) {
  const { callbackData, message, text } = button;
  const { chat } = message;
  if (callbackData === undefined) throw new Error(`"${text}" opens an address: see opens().`);
  const isThere = message.buttons.some((one) => one.callbackData === callbackData && one.text === text);
  if (!isStale && (message.isDeleted || !isThere))
    throw new Error(`${user.name} can no longer see "${text}".`);
  if (!chat.members.has(user.id)) throw new Error(`${user.name} cannot see ${chat.title}.`);
  const id = `${state.bot.id}${String(state.createNumber()).padStart(9, "0")}`;
  const ttlMs = state.settings.callbackQueryTtlMs;
  const query = open(state, { id, kind: "callback", userId: user.id, ttlMs, message });
  const seen =
    isStale || message.isDeleted
      ? { chat: describeChat(state, chat), message_id: message.id, date: 0 }
      : describeMessage(state, message);
  updates.push(
    "callback_query",
    compact({
      id,
      from: describeUser(user),
      message: message.inlineMessageId === undefined ? seen : undefined,
      inline_message_id: message.inlineMessageId,
      chat_instance: String(chat.id * 7919),
      data: callbackData,
    }),
  );
  return {
    id,
    /** Waits for the response; rejects if it is late or missing. */
    async response() {
      const reply = await waitForResponse(state, query, `the callback query of "${text}"`);
      return {
        text: asText(reply.text) || undefined,
        isAlert: reply.show_alert === true,
      };
    },
    /** Expires the query now. */
    expire() {
      query.isExpired = true;
      state.announce();
    },
  };
}

/** A query typed after the bot's name. */
function askInline(state: FakeState, updates: UpdateQueue, user: Account, text: string, chat_type: string) {
  const id = `inline${state.createNumber()}`;
  const ttlMs = limits.inlineTtlMs;
  const query = open(state, { id, kind: "inline", userId: user.id, ttlMs, message: undefined });
  updates.push("inline_query", { id, from: describeUser(user), query: text, offset: "", chat_type });
  return {
    id,
    async response() {
      const reply = await waitForResponse(state, query, `the inline query "${text}"`);
      const results = asObjects(reply.results).map((raw) => ({
        type: String(raw.type),
        title: asText(raw.title),
        description: asText(raw.description),
        raw,
      }));
      const button = asObject(reply.button);
      return { results, button: button && { text: String(button.text) } };
    },
  };
}

/**
 * The commands in the app's menu: the narrowest scope with a list, in the user's language or the default one.
 */
function seeCommands(state: FakeState, user: Account, chat: Chat) {
  const language = user.language?.split("-")[0] ?? "";
  const [commands = []] = scopesOf(user, chat).flatMap((type) =>
    [language, ""].flatMap((one) => {
      const list = state.commands.get(`${type}/${one}`);
      return list ? [list] : [];
    }),
  );
  return commands.map(({ command, description }) => ({
    command: asText(command) ?? "",
    description: asText(description) ?? "",
  }));
}

/** The scopes that the bot uses: none of a single chat or member. */
function scopesOf(user: Account, { kind, members }: Chat): readonly string[] {
  if (kind === "private") return ["all_private_chats", "default"];
  const isAdmin = ["creator", "administrator"].includes(members.get(user.id) ?? "left");
  return [...(isAdmin ? ["all_chat_administrators"] : []), "all_group_chats", "default"];
}

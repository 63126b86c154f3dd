import type { InlineQueryResult } from "grammy/types";
import type { Chat } from "./chats.ts";
import type { Written } from "./content.ts";
import type { Message, SeenButton } from "./seen.ts";

/** A person. */
export type User = {
  readonly id: number;
  readonly name: string;
  readonly username: string | undefined;
  readonly language: string | undefined;
  setLanguage(language: string | undefined): void;
  /** The private chat with the bot. */
  readonly direct: Chat;
  /** Writes into a chat; resolves when the message is there (an album: its first message). Throws where the person could not. */
  sends(chat: Chat, written: string | Written): Promise<Message>;
  /** Changes an own message: the bot gets `edited_message`. */
  edits(message: Message, text: string): void;
  deletes(message: Message): void;
  /** Opens `t.me/bot?start=PAYLOAD` and presses Start; without a payload the plain /start. */
  starts(payload?: string): Promise<Message>;
  /** Opens `t.me/bot?startgroup=PAYLOAD`: adds the bot to the group. */
  addsBotTo(chat: Chat, payload?: string): Promise<void>;
  /** Presses a button with callback data. `isStale`: in a copy of the message that the bot can no longer see. */
  clicks(button: SeenButton, options?: { isStale?: boolean }): Click;
  /** Presses a button with an address; a deep link to the bot is opened and started. */
  opens(button: SeenButton): Promise<Message | undefined>;
  /** Types `@bot query` in a chat (default: the private chat with the bot). */
  asksInline(query: string, options?: { chat?: Chat; offset?: string }): InlineQuery;
  /** Sends a result of an inline query into a chat. */
  picks(result: SeenInlineResult, chat: Chat): Promise<Message>;
  /** Blocks the bot: it gets `my_chat_member`, and 403 from then on. */
  blocks(): void;
  unblocks(): void;
  /** What the app's menu of commands shows this person in a chat. */
  commandsIn(chat: Chat): readonly { command: string; description: string }[];
  reacts(message: Message, emoji: string | undefined): void;
};

/** One press on a button. */
export type Click = {
  readonly id: string;
  readonly user: User;
  /** undefined until the bot answered it. */
  readonly reply: CallbackQueryResponse | undefined;
  /** Waits for the answer; rejects when it came too late or never. */
  response(): Promise<CallbackQueryResponse>;
  /** Ends the query now, as if its time had gone by. */
  expire(): void;
};

/** What a person sees after a press. */
export type CallbackQueryResponse = {
  text: string | undefined;
  isAlert: boolean;
  url: string | undefined;
  afterMs: number;
};

/** A query typed after the bot's name. */
export type InlineQuery = {
  readonly id: string;
  readonly reply: InlineQueryResponse | undefined;
  response(): Promise<InlineQueryResponse>;
  expire(): void;
};

/** What the app lists above the input field. */
export type InlineQueryResponse = {
  results: readonly SeenInlineResult[];
  isPersonal: boolean;
  cacheSeconds: number;
  nextOffset: string;
  button: { text: string; startParameter: string | undefined } | undefined;
};

/** One result that can be sent. */
export type SeenInlineResult = {
  queryId: string;
  id: string;
  type: string;
  title: string | undefined;
  description: string | undefined;
  raw: InlineQueryResult;
};

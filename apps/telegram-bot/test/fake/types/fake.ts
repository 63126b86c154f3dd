import type { BotCommand, Update, UserFromGetMe } from "grammy/types";
import type { Channel, Chat, GroupOptions } from "./chats.ts";
import type { OwnFile } from "./content.ts";
import type { RecordedCall, Violation } from "./options.ts";
import type { Message } from "./seen.ts";
import type { User } from "./users.ts";

/** Which calls a fault meets. */
export type FaultTarget = {
  /** `sendMessage`, several, or a pattern. Default: all but getUpdates. */
  method?: string | readonly string[] | RegExp;
  chat?: Chat;
  /** How many calls it meets (default all until removed). */
  times?: number;
};

/** A fault that is at work. */
export type Fault = { readonly hits: number; remove(): void };

/** Everything that can go wrong at Telegram. */
export type Faults = {
  /** 429 with `parameters.retry_after` from the first call on, until so many seconds have passed (at least 1); calling again earlier is a violation. */
  rateLimit(target: FaultTarget & { retryAfterSeconds: number }): Fault;
  /** An error. With a status alone: 500, 502, 503 as Telegram's proxies say it (502: no JSON); or with Telegram's description. */
  fail(
    target: FaultTarget & {
      status: number;
      description?: string;
      parameters?: { retry_after?: number; migrate_to_chat_id?: number };
    },
  ): Fault;
  delay(target: FaultTarget & { ms: number }): Fault;
  /** Ends the connection without an answer. `isAfter`: the work is done first, only the answer is lost. */
  hangUp(target: FaultTarget & { isAfter?: boolean }): Fault;
  /** `getUpdates` answers 409: another instance of the bot runs. */
  conflict(times?: number): Fault;
  /** Downloads answer so (default 404), or drop in the middle. */
  failDownloads(options?: { status?: number; isDropped?: boolean; times?: number }): Fault;
  /** Every address that getFile gave ends now. */
  expireFiles(): void;
};

/** The updates, seen from Telegram's side. */
export type Updates = {
  /** Updates that the bot has not confirmed (or its webhook not accepted). */
  readonly pendingCount: number;
  /** Every update there ever was for the bot, with those it does not want left out. */
  readonly all: readonly Update[];
  /** How often getUpdates was called. */
  readonly pollCount: number;
  /** Delivers an update once more, as Telegram does when a confirmation was lost. Default: the last. */
  deliverAgain(updateId?: number): void;
  /** Any update, with a new id. */
  deliver(update: Omit<Update, "update_id">): number;
  /** An update with a new id and any content, also one that contradicts the description of the Bot API. */
  deliverRaw(update: object): number;
  /** Waits until the bot polls (or its webhook is set). */
  ready(): Promise<void>;
  /** Waits until every update is confirmed and no call is under way or came for `quietMs` (default 200). */
  settled(quietMs?: number): Promise<void>;
};

/** The webhook, seen from Telegram's side. */
export type Webhook = {
  readonly url: string;
  readonly secret: string | undefined;
  /** Status codes of the deliveries so far. */
  readonly statuses: readonly number[];
  /** Posts to the webhook as somebody else would: with a wrong secret (or none: `undefined`). Answers the status. */
  post(options: {
    secret: string | undefined;
    update?: Omit<Update, "update_id">;
    url?: string;
  }): Promise<number>;
};

/** What the bot told Telegram about itself; language "" is the default. */
export type Profile = {
  /** Commands by scope (`default`, `all_private_chats`, `chat:ID` …) and language: `commands("all_private_chats", "ja")`. */
  commands(scope?: string, language?: string): readonly BotCommand[];
  /** Every list that is set: `scope/language`. */
  readonly commandScopes: readonly string[];
  name(language?: string): string | undefined;
  description(language?: string): string | undefined;
  shortDescription(language?: string): string | undefined;
};

/** A Telegram of our own. */
export type Fake = {
  /** For grammY: `client: { apiRoot: standIn.apiUrl }`. */
  readonly apiUrl: string;
  readonly token: string;
  readonly bot: UserFromGetMe;
  /** What the bot (or the stand-in) did wrong; tests assert that it is empty. */
  readonly violations: readonly Violation[];
  /** What Telegram takes, yet is doubtful: an edit that changed nothing, an address that Telegram could not reach, an answer that a test waited for in vain. */
  readonly warnings: readonly Violation[];
  readonly calls: readonly RecordedCall[];
  createUser(options?: { name?: string; username?: string; language?: string; isPremium?: boolean }): User;
  createGroup(options?: GroupOptions): Chat;
  /** A chat of two people without the bot: for guest mode and inline results. */
  createPrivate(one: User, other: User): Chat;
  createChannel(options?: { title?: string; username?: string }): Channel;
  /** A file on the web (this server's), for addresses in messages and for what the bot sends by address. */
  hostFile(file: OwnFile & { name: string }): string;
  readonly faults: Faults;
  readonly updates: Updates;
  readonly webhook: Webhook;
  readonly profile: Profile;
  /** Waits until the condition holds; looked at again whenever anything happened. */
  waitUntil(condition: () => boolean, what?: string): Promise<void>;
  /** The messages as a page in Telegram's look, media inside; for people and for pictures of the tests. */
  renderChat(messages: readonly Message[], options?: RenderOptions): string;
  close(): Promise<void>;
};

/** How a chat is drawn. */
export type RenderOptions = {
  theme?: "light" | "dark";
  /** Who looks: own messages stand on the right. Default: the first person who wrote. */
  viewer?: User;
  /** What a press answered, as the app shows it for a moment. */
  alert?: string;
};

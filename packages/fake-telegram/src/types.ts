import type { Json, Violation } from "@koma/fake-chat";
import type { MessageEntity } from "grammy/types";
import type { FakeOptions } from "./state/defaults.ts";

export type { FakeOptions, Violation };

/** A user or a bot. */
export type Account = {
  readonly id: number;
  readonly name: string;
  readonly username: string | undefined;
  readonly language: string | undefined;
  readonly isBot: boolean;
  /** True if the user has written to the bot, which may not write first. */
  hasStarted: boolean;
  hasBlocked: boolean;
};

/** A member's status in a group. */
export type MemberStatus = "creator" | "administrator" | "member" | "left";

/** The rights that the bot can be denied in a group; `send` means all of them. */
export type Denial = "send" | "photos" | "videos" | "other" | "reactions";

/** A chat of users, with or without the bot. */
export type Chat = {
  readonly id: number;
  readonly kind: "private" | "group" | "supergroup";
  readonly title: string;
  readonly isForum: boolean;
  readonly members: Map<number, MemberStatus>;
  readonly denied: Set<Denial>;
  readonly topics: Map<number, Topic>;
  /** All messages, including deleted ones. */
  readonly history: Message[];
  migratedTo: number | undefined;
  /** The current messages by time. */
  readonly messages: readonly Message[];
  /** The bot's messages that are not deleted. */
  readonly replies: readonly Message[];
  /** Waits for a matching message of the bot (also after an edit). */
  waitForMessage(fits?: (message: Message) => boolean): Promise<Message>;
  addMember(user: Account): void;
  /** Makes a member an administrator. */
  promote(user: Account): void;
  addBot(by: Account): void;
  /** Makes the bot an administrator (with the right to delete messages): it then reads everything. */
  promoteBot(): void;
  /** Denies the bot rights; replaces an earlier denial. */
  denyBot(rights: readonly Denial[]): void;
  /** A topic of a forum by its name; created if missing. */
  topic(name: string): Topic;
  /** The group becomes a supergroup with another id; returns the new one. */
  migrate(): Chat;
};

/** A topic of a forum. */
export type Topic = { readonly id: number; readonly name: string };

/** The options of a new group. */
export type GroupOptions = {
  title?: string;
  /** Default `supergroup`. */
  kind?: "group" | "supergroup";
  isForum?: boolean;
  /** The first is the owner; default: a new user. */
  members?: readonly User[];
  /** Whether the bot is a member (default yes). */
  hasBot?: boolean;
  isBotAdmin?: boolean;
};

/** A file of a user. */
export type OwnFile = {
  bytes: Uint8Array;
  name?: string;
  /** The size that Telegram reports, for a large file without its bytes. */
  size?: number;
  /** Telegram does not report the size. */
  isSizeUntold?: boolean;
  /** Telegram's thumbnail (JPEG), at most 320 pixels. */
  thumbnail?: Uint8Array;
};

/** A sticker of a user; `kind` is the format of its bytes: WebP, TGS or WebM. */
type OwnSticker = OwnFile & { kind: "static" | "animated" | "video" };

/** The content of a message of a user, with at most one file. */
export type WrittenContent = {
  /** The text, or the caption of a file. Commands, mentions and addresses in it are detected as in Telegram. */
  text?: string;
  /** Telegram converts it to JPEGs in several sizes. */
  photo?: Uint8Array | OwnFile;
  /** Sent "as a file": the bytes stay unchanged. */
  document?: OwnFile;
  /** A GIF in Telegram's form, mostly MP4. */
  animation?: OwnFile;
  video?: OwnFile;
  /** A round video message: no caption. */
  videoNote?: OwnFile;
  sticker?: OwnSticker;
  voice?: OwnFile;
  hasSpoiler?: boolean;
};

/** A message of a user. */
export type Written = WrittenContent & {
  /** Several photos, videos or documents at once: one message each, with one media_group_id. */
  album?: readonly WrittenContent[];
  /** The message of this chat that it replies to. */
  replyTo?: Message | undefined;
  /** The message of another chat that it replies to, with the data that Telegram shows of it. */
  externalReply?: { message: Message };
  /** Forwards this message: its content is sent again. Only `topic` may be set in addition. */
  forward?: Message;
  topic?: Topic;
};

/** A user, who can do what Telegram's apps allow; other actions throw. */
export type User = Account & {
  /** The private chat with the bot. */
  readonly direct: Chat;
  /** Sends a message to a chat; resolves when it exists (an album: its first message). */
  sends(chat: Chat, written: string | Written): Promise<Message>;
  /** Edits an own message: the bot gets `edited_message`. */
  edits(message: Message, text: string): void;
  /** Replaces the photo of an own message: the bot gets `edited_message`. */
  replaces(message: Message, written: WrittenContent): Promise<void>;
  deletes(message: Message): void;
  /** Opens `t.me/bot?start=PAYLOAD` and presses Start; without a payload the plain /start. */
  starts(payload?: string): Promise<Message>;
  /** Presses a button with callback data. `isStale`: in a copy of the message that is inaccessible to the bot. */
  clicks(button: SeenButton, options?: { isStale?: boolean }): Click;
  /** Presses a button with an address; a deep link to the bot is opened and started. */
  opens(button: SeenButton): Promise<Message | undefined>;
  /** Types `@bot query` in a chat (default: the private chat with the bot). */
  asksInline(query: string, options?: { chat?: Chat }): InlineQuery;
  /** Sends a result of an inline query into a chat. */
  picks(result: SeenInlineResult, chat: Chat): Promise<Message>;
  /** Blocks the bot, which gets 403 from then on. */
  blocks(): void;
  /** The commands in the app's menu for this user in a chat. */
  commandsIn(chat: Chat): readonly { command: string; description: string }[];
};

/** One press on a button. */
export type Click = {
  readonly id: string;
  /** Waits for the response; rejects if it is late or missing. */
  response(): Promise<{ text: string | undefined; isAlert: boolean }>;
  /** Expires the query now. */
  expire(): void;
};

/** A query typed after the bot's name. */
export type InlineQuery = {
  readonly id: string;
  response(): Promise<{
    results: readonly SeenInlineResult[];
    button: { text: string } | undefined;
  }>;
};

/** One result that can be sent. */
export type SeenInlineResult = {
  type: string;
  title: string | undefined;
  description: string | undefined;
  raw: Json;
};

/** A pending callback, inline or guest query. */
export type Query = {
  id: string;
  kind: "callback" | "inline" | "guest";
  userId: number;
  at: number;
  ttlMs: number;
  isExpired: boolean;
  reply: Json | undefined;
  message: Message | undefined;
};

/** A button below a message. */
export type SeenButton = {
  message: Message;
  text: string;
  callbackData: string | undefined;
  url: string | undefined;
};

/** The kind of a sent file: its id is valid only for that kind. */
export type FileKind =
  | "photo"
  | "video"
  | "animation"
  | "document"
  | "sticker"
  | "video_note"
  | "voice"
  | "thumbnail";

/** A file on Telegram's servers. */
export type StoredFile = {
  id: string;
  uniqueId: string;
  kind: FileKind;
  bytes: Uint8Array;
  /** The size that Telegram reports; a test can set it above the number of bytes. */
  size: number;
  isSizeUntold: boolean;
  name: string | undefined;
  mimeType: string | undefined;
  width: number | undefined;
  height: number | undefined;
  thumbnail: StoredFile | undefined;
  /** The smaller sizes of a photo, and the photo itself as the last. */
  sizes: readonly StoredFile[];
  sticker: { isAnimated: boolean; isVideo: boolean } | undefined;
  path: string;
  /** The expiry of its address; 0 before getFile. */
  expiresAt: number;
};

/** The content of a message, from which the text and media fields are derived. */
export type Content = {
  text: string;
  entities: readonly MessageEntity[];
  media: StoredFile | undefined;
  hasSpoiler: boolean;
  keyboard: readonly (readonly Json[])[];
  linkPreview: Json | undefined;
};

/** The fields of a message besides its content. */
export type MessageFields = {
  /** Fields of a service message. */
  service: Json | undefined;
  replyTo: Message | undefined;
  externalReply: Json | undefined;
  forwardOrigin: Json | undefined;
  topicId: number | undefined;
  albumId: string | undefined;
  /** The id for edits by the bot of a message that a user sent through the bot, or the bot as a guest. */
  inlineMessageId: string | undefined;
  isViaBot: boolean;
  /** The id of the user who mentioned the bot as a guest. */
  guestOf: number | undefined;
  guestQueryId: string | undefined;
  /** True if it was for the bot: in privacy mode, the bot sees the replies to it too. */
  isForBot: boolean;
};

/** A message as users see it, which shows later edits. */
export type Message = Readonly<Omit<Content, "keyboard" | "linkPreview">> &
  MessageFields & {
    readonly id: number;
    readonly chat: Chat;
    readonly author: Account;
    readonly date: number;
    editDate: number | undefined;
    isDeleted: boolean;
    content: Content;
    /** The versions before and after each edit; the last is the current one. */
    readonly versions: { media: StoredFile | undefined; at: number }[];
    /** The emoji of the bot's reactions. */
    reactions: readonly string[];
    /** The id of its update for the bot; undefined if there was none. */
    updateId: number | undefined;
    readonly buttons: readonly SeenButton[];
    /** The button with this label (exact, or by a pattern); throws with the list of existing ones. */
    button(label: string | RegExp): SeenButton;
    readonly replyToId: number | undefined;
    /**
     * Waits for the bot's reply to this message (to any message of its album); in a private chat also for a
     * later message that is no reply. With `fits`: until one matches, also after edits.
     */
    reply(fits?: (reply: Message) => boolean): Promise<Message>;
    /** All replies of the bot to this message that are not deleted. */
    readonly replies: readonly Message[];
    /** Waits until this message matches, also after edits. */
    becomes(fits: (message: Message) => boolean): Promise<Message>;
  };

/** One call of the bot with its response. */
export type RecordedCall = {
  method: string;
  /** The parameters; JSON inside of form fields is parsed. */
  parameters: Json;
  files: readonly { name: string; size: number }[];
  /** The HTTP status; 0 if the connection was dropped. */
  status: number;
  at: number;
};

/** The calls that a fault affects. */
export type FaultTarget = {
  /** `sendMessage`, several, or a pattern. Default: all but getUpdates. */
  method?: string | readonly string[] | RegExp;
  chat?: Chat;
  /** The number of affected calls (default: all until removed). */
  times?: number;
};

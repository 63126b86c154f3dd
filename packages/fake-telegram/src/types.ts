import type {
  Message as ApiMessage,
  BotCommand,
  InlineKeyboardButton,
  InlineQueryResult,
  MessageEntity,
  Update,
  UserFromGetMe,
} from "grammy/types";

/** A chat of users, with or without the bot. */
export type Chat = {
  readonly id: number;
  readonly kind: "private" | "group" | "supergroup" | "channel";
  readonly title: string;
  readonly isForum: boolean;
  readonly members: readonly User[];
  readonly hasBot: boolean;
  /** The current messages by time. */
  readonly messages: readonly Message[];
  /** All messages, including deleted ones. */
  readonly history: readonly Message[];
  /** The bot's messages that are not deleted. */
  readonly replies: readonly Message[];
  /** Waits for the bot's reply to this message; see `Message.reply`. */
  replyTo(message: Message, fits?: (reply: Message) => boolean): Promise<Message>;
  /** Waits for a matching message of the bot (also after an edit). */
  waitForMessage(fits?: (message: Message) => boolean): Promise<Message>;
  /** The chat actions of the bot: `typing`, `upload_video` … */
  readonly actions: readonly { action: string; at: number; topicId: number | undefined }[];
  addMember(...users: readonly User[]): void;
  removeMember(user: User): void;
  /** Makes a member an administrator, or an ordinary member again. */
  promote(user: User, isAdmin?: boolean): void;
  addBot(by: User): void;
  removeBot(by: User): void;
  /** Makes the bot an administrator (with the right to delete messages): it then reads everything. */
  promoteBot(isAdmin?: boolean): void;
  /** Denies the bot rights; replaces an earlier denial. `send` means all of them. */
  denyBot(rights: readonly ("send" | "photos" | "videos" | "other" | "reactions")[]): void;
  /**
   * Another bot writes: in privacy mode general commands (`/find` without `@bot`) no longer reach this one.
   */
  otherBotSpeaks(text?: string): void;
  /** A topic of a forum by its name; created if missing. */
  topic(name: string): Topic;
  /** The group becomes a supergroup with another id; returns the new one. */
  migrate(): Chat;
};

/** A topic of a forum. */
export type Topic = { readonly id: number; readonly name: string; readonly chat: Chat; close(): void };

/** A channel, as the origin of forwarded messages. */
export type Channel = { readonly id: number; readonly title: string; readonly username: string | undefined };

/** The options of a new group. */
export type GroupOptions = {
  title?: string;
  /** Default `supergroup`. */
  kind?: "group" | "supergroup";
  isForum?: boolean;
  /** The first is the owner; default: a new user. */
  members?: readonly User[];
  admins?: readonly User[];
  /** Whether the bot is a member (default yes). */
  hasBot?: boolean;
  isBotAdmin?: boolean;
  username?: string;
};

/** A file of a user. */
export type OwnFile = {
  bytes: Uint8Array;
  name?: string;
  /**
   * The type that the sender's app states, which Telegram does not validate. Default: by the name's
   * extension.
   */
  mimeType?: string;
  /** The size that Telegram reports, for a large file without its bytes. */
  size?: number;
  /** Telegram does not report the size. */
  isSizeUntold?: boolean;
  width?: number;
  height?: number;
  duration?: number;
  /** Telegram's thumbnail (JPEG), at most 320 pixels. */
  thumbnail?: Uint8Array;
};

/** A sticker of a user; `kind` is the format of its bytes: WebP, TGS or WebM. */
type OwnSticker = OwnFile & { kind: "static" | "animated" | "video"; emoji?: string };

/** The origin of a forwarded or quoted message. */
export type Origin =
  | { user: User }
  /** A user with a hidden account: only a name. */
  | { hiddenName: string }
  | { channel: Channel; messageId?: number };

/** A message of a user. At most one of photo, document, animation, video, videoNote, sticker, album. */
export type Written = {
  /**
   * The text, or the caption of a file. Commands, mentions and addresses in it are detected as in Telegram.
   */
  text?: string;
  /** Further entities: text_link, text_mention, spoiler … */
  entities?: readonly MessageEntity[];
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
  /**
   * Several photos, videos or documents at once: one message each, with one media_group_id; the first has the
   * text.
   */
  album?: readonly {
    photo?: Uint8Array | OwnFile;
    video?: OwnFile;
    document?: OwnFile;
    text?: string;
    hasSpoiler?: boolean;
  }[];
  hasSpoiler?: boolean;
  /** The message of this chat that it replies to. */
  replyTo?: Message;
  /** The quoted part of the message that it replies to. */
  quote?: string;
  /** The message of another chat that it replies to, with the data that Telegram shows of it. */
  externalReply?: { message: Message; origin?: Origin };
  /** Forwards this message: its content is sent again. Only `topic` may be set in addition. */
  forward?: Message;
  /** The origin of a forwarded message (default: its author). */
  forwardOrigin?: Origin;
  topic?: Topic;
  /** Addresses whose preview Telegram shows above or below. */
  isSilent?: boolean;
};

/** A user. */
export type User = {
  readonly id: number;
  readonly name: string;
  readonly username: string | undefined;
  readonly language: string | undefined;
  setLanguage(language: string | undefined): void;
  /** The private chat with the bot. */
  readonly direct: Chat;
  /**
   * Sends a message to a chat; resolves when it exists (an album: its first message). Throws if the user
   * cannot.
   */
  sends(chat: Chat, written: string | Written): Promise<Message>;
  /** Edits an own message: the bot gets `edited_message`. */
  edits(message: Message, text: string): void;
  /** Replaces the photo of an own message: the bot gets `edited_message`. */
  replaces(message: Message, written: { photo: Uint8Array; text?: string }): Promise<void>;
  deletes(message: Message): void;
  /** Opens `t.me/bot?start=PAYLOAD` and presses Start; without a payload the plain /start. */
  starts(payload?: string): Promise<Message>;
  /** Opens `t.me/bot?startgroup=PAYLOAD`: adds the bot to the group. */
  addsBotTo(chat: Chat, payload?: string): Promise<void>;
  /**
   * Presses a button with callback data. `isStale`: in a copy of the message that is inaccessible to the bot.
   */
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
  /** The commands in the app's menu for this user in a chat. */
  commandsIn(chat: Chat): readonly { command: string; description: string }[];
  reacts(message: Message, emoji: string | undefined): void;
};

/** One press on a button. */
export type Click = {
  readonly id: string;
  readonly user: User;
  /** Undefined until the bot answers it. */
  readonly reply: CallbackQueryResponse | undefined;
  /** Waits for the response; rejects if it is late or missing. */
  response(): Promise<CallbackQueryResponse>;
  /** Expires the query now. */
  expire(): void;
};

/** The visible response to a press. */
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

/** The list of results above the input field. */
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

/** A button below a message. */
export type SeenButton = {
  message: Message;
  text: string;
  row: number;
  column: number;
  callbackData: string | undefined;
  url: string | undefined;
  raw: InlineKeyboardButton;
};

/** The media of a message. */
export type SeenMedia = {
  kind: "photo" | "video" | "animation" | "document" | "sticker" | "video_note" | "voice" | "audio";
  /** The id of the largest size. */
  fileId: string;
  bytes: Uint8Array;
  name: string | undefined;
  mimeType: string | undefined;
  width: number | undefined;
  height: number | undefined;
  duration: number | undefined;
  thumbnail: Uint8Array | undefined;
  hasSpoiler: boolean;
};

/** A version of a message. */
export type Version = {
  text: string;
  media: SeenMedia | undefined;
  buttons: readonly string[];
  raw: ApiMessage;
  at: number;
};

/** A message as users see it; every field is read on access, so a stored message shows later edits. */
export type Message = {
  readonly id: number;
  readonly chat: Chat;
  readonly author: { id: number; name: string; isBot: boolean };
  /** Text or caption, without markup. */
  readonly text: string;
  readonly entities: readonly MessageEntity[];
  readonly media: SeenMedia | undefined;
  readonly hasSpoiler: boolean;
  readonly keyboard: readonly (readonly SeenButton[])[];
  readonly buttons: readonly SeenButton[];
  /** The button with this label (exact, or by a pattern); throws with the list of existing ones. */
  button(label: string | RegExp): SeenButton;
  readonly isDeleted: boolean;
  readonly editCount: number;
  /** The versions before and after each edit; the last is the current one. */
  readonly versions: readonly Version[];
  readonly replyToId: number | undefined;
  /** The quoted part of the message that it replies to. */
  readonly quote: string | undefined;
  readonly topicId: number | undefined;
  readonly albumId: string | undefined;
  /** The messages of the same album, including this one; only this one without an album. */
  readonly album: readonly Message[];
  /** The emoji of the bot's reactions. */
  readonly reactions: readonly string[];
  /** The id for edits by the bot of a message that a user sent through the bot, or the bot as a guest. */
  readonly inlineMessageId: string | undefined;
  readonly isViaBot: boolean;
  /** The id of the user who mentioned the bot as a guest. */
  readonly guestOf: number | undefined;
  readonly isSilent: boolean;
  /** The id of its update for the bot; undefined if there was none. */
  readonly updateId: number | undefined;
  readonly raw: ApiMessage;
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

/** The behaviour of the fake Telegram. Every field has a default. */
export type FakeOptions = {
  /** The bot's token, `NUMBER:SECRET`. */
  token?: string;
  /** The bot's name without `@` (default `koma_bot`). */
  username?: string;
  /** BotFather's privacy mode (default on). */
  hasPrivacyMode?: boolean;
  /** BotFather's guest mode (default on). */
  hasGuestMode?: boolean;
  /** BotFather's inline mode (default on). */
  hasInlineMode?: boolean;
  /** BotFather's inline feedback: `chosen_inline_result` updates (default off). */
  hasInlineFeedback?: boolean;
  /** The lifetime of a callback query (default 15000). */
  callbackQueryTtlMs?: number;
  /** The lifetime of an inline query (default 10000). */
  inlineTtlMs?: number;
  /** The lifetime of a guest query (default 60000). */
  guestTtlMs?: number;
  /** The lifetime of the address of `getFile` (default one hour). */
  fileTtlMs?: number;
  /** The largest file of `getFile` in bytes (default 20 MiB). */
  downloadLimitBytes?: number;
  /**
   * Telegram's usual limits (30 messages per second, 20 per minute in a group), with 429 above them. Default
   * off.
   */
  hasRateLimits?: boolean;
  /**
   * Optional fields without a value are null, as on some compatible servers; Telegram omits them (default
   * off).
   */
  sendsNulls?: boolean;
  /** The time limit of `reply()`, `waitForMessage()` … (default 15000). */
  patienceMs?: number;
};

/** A rule that the bot broke, or an invalid response of the fake. */
export type Violation = {
  /**
   * `schema`, `unknown-field`, `method`, `length`, `html`, `entities`, `keyboard`, `media`, `callback`,
   * `secret`, `fake` …
   */
  rule: string;
  /** The method. */
  where: string;
  /** The problem, with its path inside the parameters. */
  problem: string;
};

/** One call of the bot with its response. */
export type RecordedCall = {
  method: string;
  /** The parameters; JSON inside of form fields is parsed. */
  parameters: Readonly<Record<string, unknown>>;
  files: readonly { name: string; fileName: string; size: number }[];
  encoding: "json" | "form" | "multipart" | "query" | "webhook";
  /** The HTTP status; 0 if the connection was dropped. */
  status: number;
  /** Telegram's description of an error. */
  description: string | undefined;
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

/** An active fault. */
export type Fault = { readonly hits: number; remove(): void };

/** The faults of Telegram. */
export type Faults = {
  /**
   * 429 with `parameters.retry_after` from the first call on, until `retryAfterSeconds` (at least 1) have
   * passed; an earlier repetition is a violation.
   */
  rateLimit(target: FaultTarget & { retryAfterSeconds: number }): Fault;
  /**
   * An error. With a status alone: 500, 502, 503 as Telegram's proxies send them (502: no JSON); or with
   * Telegram's description.
   */
  fail(
    target: FaultTarget & {
      status: number;
      description?: string;
      parameters?: { retry_after?: number; migrate_to_chat_id?: number };
      /** The body of the response, in place of Telegram's. */
      body?: object;
    },
  ): Fault;
  delay(target: FaultTarget & { ms: number }): Fault;
  /**
   * Ends the connection without a response. `isAfter`: the call takes effect, and only the response is lost.
   */
  hangUp(target: FaultTarget & { isAfter?: boolean }): Fault;
  /** `getUpdates` returns 409: another instance of the bot runs. */
  conflict(times?: number): Fault;
  /** Downloads fail with this status (default 404), or are interrupted. */
  failDownloads(options?: { status?: number; isDropped?: boolean; times?: number }): Fault;
  /** All addresses of getFile expire now. */
  expireFiles(): void;
};

/** The updates from Telegram's side. */
export type Updates = {
  /** Updates that the bot has not confirmed (or its webhook not accepted). */
  readonly pendingCount: number;
  /** All updates for the bot, without those of types that it does not request. */
  readonly all: readonly Update[];
  /** The number of getUpdates calls. */
  readonly pollCount: number;
  /** Delivers an update again, as Telegram does after a lost confirmation. Default: the last. */
  deliverAgain(updateId?: number): void;
  /** Any update, with a new id. */
  deliver(update: Omit<Update, "update_id">): number;
  /** An update with a new id and any content, also one that contradicts the description of the Bot API. */
  deliverRaw(update: object): number;
  /** Waits until the bot polls (or its webhook is set). */
  ready(): Promise<void>;
  /**
   * Waits until every update is confirmed, and no call is in progress or has arrived for `quietMs` (default
   * 200).
   */
  settled(quietMs?: number): Promise<void>;
};

/** The webhook from Telegram's side. */
export type Webhook = {
  readonly url: string;
  readonly secret: string | undefined;
  /** Status codes of the deliveries so far. */
  readonly statuses: readonly number[];
  /**
   * Posts to the webhook as an attacker would: with a wrong secret (or none: `undefined`). Returns the
   * status.
   */
  post(options: {
    secret: string | undefined;
    update?: Omit<Update, "update_id">;
    url?: string;
  }): Promise<number>;
};

/** The bot's profile; language "" is the default. */
export type Profile = {
  /**
   * Commands by scope (`default`, `all_private_chats`, `chat:ID` …) and language:
   * `commands("all_private_chats", "ja")`.
   */
  commands(scope?: string, language?: string): readonly BotCommand[];
  /** The keys of all lists: `scope/language`. */
  readonly commandScopes: readonly string[];
  name(language?: string): string | undefined;
  description(language?: string): string | undefined;
  shortDescription(language?: string): string | undefined;
};

/** A fake Telegram. */
export type Fake = {
  /** For grammY: `client: { apiRoot: fake.apiUrl }`. */
  readonly apiUrl: string;
  readonly token: string;
  readonly bot: UserFromGetMe;
  /** Violations of the bot or the fake; tests assert that there are none. */
  readonly violations: readonly Violation[];
  /**
   * Valid but doubtful calls: an edit that changes nothing, an address that Telegram cannot reach, a reply
   * that a test waited for in vain.
   */
  readonly warnings: readonly Violation[];
  readonly calls: readonly RecordedCall[];
  createUser(options?: { name?: string; username?: string; language?: string; isPremium?: boolean }): User;
  createGroup(options?: GroupOptions): Chat;
  /** A chat of two users without the bot, for guest mode and inline results. */
  createPrivate(one: User, other: User): Chat;
  createChannel(options?: { title?: string; username?: string }): Channel;
  /** A file on the web (on this server), for addresses in messages and in calls of the bot. */
  hostFile(file: OwnFile & { name: string }): string;
  readonly faults: Faults;
  readonly updates: Updates;
  readonly webhook: Webhook;
  readonly profile: Profile;
  /** Waits until the condition holds; it is checked after every change. */
  waitUntil(condition: () => boolean, what?: string): Promise<void>;
  /** The messages as a page in the style of Telegram, with embedded media. */
  renderChat(messages: readonly Message[], options?: RenderOptions): string;
  close(): Promise<void>;
};

/** The options of a rendered chat. */
export type RenderOptions = {
  theme?: "light" | "dark";
  /** The viewer, whose own messages are on the right. Default: the first user who wrote. */
  viewer?: User;
  /** The text of a callback response, which the app shows for a moment. */
  alert?: string;
};

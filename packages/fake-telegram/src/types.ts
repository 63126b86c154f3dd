import type {
  Message as ApiMessage,
  BotCommand,
  InlineKeyboardButton,
  InlineQueryResult,
  MessageEntity,
  Update,
  UserFromGetMe,
} from "grammy/types";

/** A place where people and perhaps the bot write. */
export type Chat = {
  readonly id: number;
  readonly kind: "private" | "group" | "supergroup" | "channel";
  readonly title: string;
  readonly isForum: boolean;
  readonly members: readonly User[];
  readonly hasBot: boolean;
  /** What stands there now, by time. */
  readonly messages: readonly Message[];
  /** Everything that ever stood there. */
  readonly history: readonly Message[];
  /** What the bot wrote and is not deleted. */
  readonly replies: readonly Message[];
  /** Waits for the bot's message that answers this one; see `Message.reply`. */
  replyTo(message: Message, fits?: (reply: Message) => boolean): Promise<Message>;
  /** Waits for a message of the bot that fits (a later edit may make it fit). */
  waitForMessage(fits?: (message: Message) => boolean): Promise<Message>;
  /** What the bot showed instead of "please wait": `typing`, `upload_video` … */
  readonly actions: readonly { action: string; at: number; topicId: number | undefined }[];
  addMember(...users: readonly User[]): void;
  removeMember(user: User): void;
  /** Makes a member an administrator, or an ordinary member again. */
  promote(user: User, isAdmin?: boolean): void;
  addBot(by: User): void;
  removeBot(by: User): void;
  /** Makes the bot an administrator (with the right to delete messages): it then reads everything. */
  promoteBot(isAdmin?: boolean): void;
  /** What the bot may not do there; replaces an earlier denial. `send` means everything. */
  denyBot(rights: readonly ("send" | "photos" | "videos" | "other" | "reactions")[]): void;
  /** Another bot spoke there: with privacy mode general commands (`/find` without `@bot`) no longer reach this one. */
  otherBotSpeaks(text?: string): void;
  /** A topic of a forum by its name; made where there is none. */
  topic(name: string): Topic;
  /** The group becomes a supergroup with another id; answers the new one. */
  migrate(): Chat;
};

/** A topic of a forum. */
export type Topic = { readonly id: number; readonly name: string; readonly chat: Chat; close(): void };

/** A channel, as the origin of forwarded messages. */
export type Channel = { readonly id: number; readonly title: string; readonly username: string | undefined };

/** What a new group looks like. */
export type GroupOptions = {
  title?: string;
  /** Default `supergroup`. */
  kind?: "group" | "supergroup";
  isForum?: boolean;
  /** The first is its owner; default: a new person. */
  members?: readonly User[];
  admins?: readonly User[];
  /** Whether the bot is a member (default yes). */
  hasBot?: boolean;
  isBotAdmin?: boolean;
  username?: string;
};

/** A file as a person sends it. */
export type OwnFile = {
  bytes: Uint8Array;
  name?: string;
  /** What the sender's app claims; Telegram never checks it. Default: by the name's ending. */
  mimeType?: string;
  /** The size that Telegram tells, where a test wants a large file without its bytes. */
  size?: number;
  /** Telegram need not tell it. */
  isSizeUntold?: boolean;
  width?: number;
  height?: number;
  duration?: number;
  /** A still that Telegram made (JPEG), at most 320 pixels. */
  thumbnail?: Uint8Array;
};

/** A sticker as a person sends it; `kind` says what its bytes are: WebP, TGS or WebM. */
type OwnSticker = OwnFile & { kind: "static" | "animated" | "video"; emoji?: string };

/** Where a forwarded or cited message comes from. */
export type Origin =
  | { user: User }
  /** Somebody whose account is hidden: a name only. */
  | { hiddenName: string }
  | { channel: Channel; messageId?: number };

/** What a person sends. At most one of photo, document, animation, video, videoNote, sticker, album. */
export type Written = {
  /** Text, or the caption where there is a file. Commands, mentions and addresses in it are found as Telegram does. */
  text?: string;
  /** Further entities: text_link, text_mention, spoiler … */
  entities?: readonly MessageEntity[];
  /** Telegram makes JPEGs in several sizes of it. */
  photo?: Uint8Array | OwnFile;
  /** Sent "as a file": the bytes stay as they are. */
  document?: OwnFile;
  /** A GIF, as Telegram keeps it: mostly MP4. */
  animation?: OwnFile;
  video?: OwnFile;
  /** A round video message: no caption. */
  videoNote?: OwnFile;
  sticker?: OwnSticker;
  voice?: OwnFile;
  /** Several photos, videos or documents at once: as many messages, with one media_group_id; the text is at the first. */
  album?: readonly {
    photo?: Uint8Array | OwnFile;
    video?: OwnFile;
    document?: OwnFile;
    text?: string;
    hasSpoiler?: boolean;
  }[];
  hasSpoiler?: boolean;
  /** A message of this chat that it answers. */
  replyTo?: Message;
  /** A part of the answered message that the person marked. */
  quote?: string;
  /** A message of another chat that it answers, with what Telegram shows of it. */
  externalReply?: { message: Message; origin?: Origin };
  /** Forwards this message: its content is sent anew. Nothing else but topic may be given. */
  forward?: Message;
  /** Where a forwarded message is from (default: its author). */
  forwardOrigin?: Origin;
  topic?: Topic;
  /** Addresses whose preview Telegram shows above or below. */
  isSilent?: boolean;
};

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
  /** Puts another photo in the place of an own message's: the bot gets `edited_message`. */
  replaces(message: Message, written: { photo: Uint8Array; text?: string }): Promise<void>;
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

/** What a message carries beside text. */
export type SeenMedia = {
  kind: "photo" | "video" | "animation" | "document" | "sticker" | "video_note" | "voice" | "audio";
  /** Of the largest size. */
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

/** A message as it stood at some time. */
export type Version = {
  text: string;
  media: SeenMedia | undefined;
  buttons: readonly string[];
  raw: ApiMessage;
  at: number;
};

/** A message as people see it; every field is read when asked, so a kept message shows later edits. */
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
  /** The button with this label (exact, or by a pattern); throws, naming those there are. */
  button(label: string | RegExp): SeenButton;
  readonly isDeleted: boolean;
  readonly editCount: number;
  /** How it looked before and after each edit; the last is now. */
  readonly versions: readonly Version[];
  readonly replyToId: number | undefined;
  /** The quoted part it answers. */
  readonly quote: string | undefined;
  readonly topicId: number | undefined;
  readonly albumId: string | undefined;
  /** The messages of the same album, this one included; only this one where there is no album. */
  readonly album: readonly Message[];
  /** Emoji the bot reacted with. */
  readonly reactions: readonly string[];
  /** Sent by a person through the bot, or by the bot as a guest: how the bot edits it. */
  readonly inlineMessageId: string | undefined;
  readonly isViaBot: boolean;
  /** Id of the person who summoned the bot as a guest. */
  readonly guestOf: number | undefined;
  readonly isSilent: boolean;
  /** What the bot was told of it; undefined where it never was. */
  readonly updateId: number | undefined;
  readonly raw: ApiMessage;
  /**
   * Waits for the bot's message that answers this one (any message of its album), as a reply; in a private chat also a
   * message without a reply that came after it. With `fits`: until one of them fits, through edits too.
   */
  reply(fits?: (reply: Message) => boolean): Promise<Message>;
  /** All answers of the bot to this message that are not deleted. */
  readonly replies: readonly Message[];
  /** Waits until this message fits, through edits. */
  becomes(fits: (message: Message) => boolean): Promise<Message>;
};

/** How the local Telegram behaves. Every field has a sensible default. */
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
  /** How long a pressed button waits for its answer (default 15000). */
  callbackQueryTtlMs?: number;
  /** How long an inline query waits for its answer (default 10000). */
  inlineTtlMs?: number;
  /** How long a guest query waits for its answer (default 60000). */
  guestTtlMs?: number;
  /** How long the address of `getFile` is good (default one hour). */
  fileTtlMs?: number;
  /** The largest file of `getFile` in bytes (default 20 MiB). */
  downloadLimitBytes?: number;
  /** Telegram's usual limits (30 messages a second, 20 a minute in a group) with 429 when passed. Default off. */
  hasRateLimits?: boolean;
  /** How long `reply()`, `waitForMessage()` … wait before they reject (default 15000). */
  patienceMs?: number;
};

/** A rule that the bot broke, or where the stand-in itself said what Telegram could not. */
export type Violation = {
  /** `schema`, `unknown-field`, `method`, `length`, `html`, `entities`, `keyboard`, `media`, `callback`, `secret`, `stand-in` … */
  rule: string;
  /** The method. */
  where: string;
  /** What is wrong, with the place inside the parameters. */
  problem: string;
};

/** One call of the bot, as it came and as it was answered. */
export type RecordedCall = {
  method: string;
  /** The parameters, JSON inside of form fields parsed. */
  parameters: Readonly<Record<string, unknown>>;
  files: readonly { name: string; fileName: string; size: number }[];
  encoding: "json" | "form" | "multipart" | "query" | "webhook";
  /** HTTP status; 0 where the connection was dropped. */
  status: number;
  /** Telegram's description of an error. */
  description: string | undefined;
  at: number;
};

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
      /** The body of the response, where it should not be one of Telegram's. */
      body?: object;
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

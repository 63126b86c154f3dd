import type { APIApplicationCommand, APIMessage, PermissionResolvable } from "discord.js";

/** A file as a person attaches it, or as the bot sent it. */
export type OwnFile = {
  name: string;
  bytes: Uint8Array;
  /** What the sender claims; Discord never checks it. Default: by the name's ending. */
  contentType?: string;
  /** Marked as a spoiler: Discord renames such a file to `SPOILER_…`. */
  isSpoiler?: boolean;
  description?: string;
};

/** How the local Discord behaves. Every field has a sensible default. */
export type StandInOptions = {
  /** The bot's token. */
  token?: string;
  /** Folder with `discord-openapi.json`. Default: KOMA_TEST_SPECS; without one the schemas are not checked. */
  specsFolder?: string | undefined;
  /** Whether the portal grants the message-content intent (default yes). Identifying with it otherwise ends in 4014. */
  hasMessageContent?: boolean;
  /** How long an interaction waits for its acknowledgement (default 3000). */
  acknowledgeWithinMs?: number;
  /** How long an interaction's token lives (default 15 minutes). */
  tokenLivesMs?: number;
  /** How long a signed attachment address lives (default 24 hours). */
  attachmentLivesMs?: number;
  /** The largest upload of a bot in bytes (default 10 MiB). */
  uploadLimitBytes?: number;
  /** Discord's usual limits (5 messages a channel and 5 s, 50 requests a second) with 429 when passed. Default off. */
  hasRateLimits?: boolean;
  /** How often the client is told to send heartbeats (default 41250). */
  heartbeatMs?: number;
  /** How long `reply()`, `waitForMessage()` … wait before they reject (default 15000). */
  patienceMs?: number;
};

/** A rule that the bot broke, or where the stand-in itself answered what Discord could not. */
export type Violation = {
  /** `schema`, `unknown-key`, `path`, `query`, `components`, `command`, `attachment`, `rate-limit`, `stand-in`, … */
  rule: string;
  /** Method and path of the request, without the interaction's token. */
  where: string;
  /** What is wrong, with the place inside the body. */
  problem: string;
};

/** One request of the bot, as it came and as it was answered. */
export type RecordedRequest = {
  method: string;
  /** Path below `/api/v10`, decoded. */
  path: string;
  /** The template of Discord's description, `/channels/{channel_id}/messages`. */
  route: string;
  query: Readonly<Record<string, string>>;
  body: unknown;
  files: readonly { name: string; size: number }[];
  status: number;
  /** Discord's error code of the answer, if it was an error. */
  code: number | undefined;
  at: number;
};

/** A button as people see it. `customId` or `url` is undefined where the other is set. */
export type SeenButton = {
  label: string;
  customId: string | undefined;
  url: string | undefined;
  style: number;
  isDisabled: boolean;
};

/** A select menu as people see it. */
export type SeenSelect = {
  customId: string;
  placeholder: string | undefined;
  isDisabled: boolean;
  options: readonly { label: string; value: string; description: string | undefined }[];
};

/** A picture, clip or file inside a message: gallery items, thumbnails, file components, embeds' images. */
export type SeenMedia = {
  url: string;
  isSpoiler: boolean;
  description: string | undefined;
  /** The bytes, where the stand-in hosts them. */
  bytes: Uint8Array | undefined;
};

/** An attachment of a message, with its bytes. */
export type SeenFile = {
  id: string;
  name: string;
  contentType: string;
  url: string;
  bytes: Uint8Array;
  isSpoiler: boolean;
};

/** A message as people see it; every field is read when asked, so a kept message shows later edits. */
export type Message = {
  readonly id: string;
  readonly channel: Channel;
  /** The author: a person, or the bot. */
  readonly author: { id: string; name: string; isBot: boolean };
  readonly content: string;
  /** Content, embeds and every text display, in reading order. */
  readonly text: string;
  readonly buttons: readonly SeenButton[];
  readonly selects: readonly SeenSelect[];
  readonly media: readonly SeenMedia[];
  readonly files: readonly SeenFile[];
  /** Only the person who asked sees it. */
  readonly isEphemeral: boolean;
  /** The id of that person. */
  readonly visibleTo: string | undefined;
  /** "Koma is thinking…": deferred and not edited yet. */
  readonly isThinking: boolean;
  readonly isDeleted: boolean;
  readonly isComponentsV2: boolean;
  /** How often the content was changed after it was first shown (the end of thinking is not a change). */
  readonly editCount: number;
  /** Id of the message it answers or forwards. */
  readonly referenceId: string | undefined;
  /** Id of the interaction it answers. */
  readonly interactionId: string | undefined;
  /** What the bot allowed to be pinged, as sent; undefined where it said nothing. */
  readonly allowedMentions: unknown;
  /** Ids of people that this message pings. */
  readonly pings: readonly string[];
  /** The message as Discord's API describes it. */
  readonly raw: APIMessage;
  /** The button with this label (exact, or by a pattern) or custom id; throws, naming those there are. */
  button(label: string | RegExp): SeenButton;
};

/** A place where people and perhaps the bot write. */
export type Channel = {
  readonly id: string;
  readonly kind: "guild" | "direct" | "group";
  readonly guild: Guild | undefined;
  /** What stands there for everybody: neither deleted nor ephemeral nor still thinking. */
  readonly messages: readonly Message[];
  /** Everything that ever stood there. */
  readonly history: readonly Message[];
  /** Messages of the bot that `user` can read there, its ephemeral ones included. */
  seenBy(user: User): readonly Message[];
  /** Waits for a message of the bot (finished, not thinking) that fits and was not there at `since` messages of history. */
  waitForMessage(fits?: (message: Message) => boolean): Promise<Message>;
  /** How often the bot said that it is typing. */
  readonly typingCount: number;
  readonly isAgeRestricted: boolean;
  setAgeRestricted(isRestricted: boolean): void;
  /** What the bot may not do there (overwrite for the bot); replaces an earlier denial. */
  denyBot(permissions: PermissionResolvable): void;
  /** What a person may not do there. */
  deny(user: User, permissions: PermissionResolvable): void;
  /** Removes the channel; the bot gets CHANNEL_DELETE and 10003 from then on. */
  remove(): void;
};

/** What a new channel looks like. */
export type ChannelOptions = { name?: string; isAgeRestricted?: boolean };

/** What a new guild looks like. */
export type GuildOptions = {
  name?: string;
  owner?: User;
  members?: readonly User[];
  /** The first channels; default one called `general`. */
  channels?: readonly ChannelOptions[];
  /** The guild's preferred locale (default en-US). */
  locale?: string;
  /** What the bot's role allows (default: see, send, embed, attach, read history, use external emojis). */
  botPermissions?: PermissionResolvable;
  /** What @everyone may do (default: see, send, embed, attach, read history, use commands and external apps). */
  everyonePermissions?: PermissionResolvable;
  /** Whether the bot was invited (default yes). Without it the bot sees neither the guild nor its events. */
  hasBot?: boolean;
};

/** A server. */
export type Guild = {
  readonly id: string;
  readonly name: string;
  readonly owner: User;
  readonly hasBot: boolean;
  readonly channels: readonly Channel[];
  channel(name: string): Channel;
  createChannel(options?: ChannelOptions): Channel;
  addMember(user: User, permissions?: PermissionResolvable): void;
  /** Gives a member a role with these permissions, `ManageGuild` for instance. */
  grant(user: User, permissions: PermissionResolvable): void;
  /** Invites the bot, or throws it out. */
  addBot(): void;
  removeBot(): void;
};

/** A value of an option of a slash command. */
export type OptionValue = string | number | boolean | OwnFile | User | Channel;

/** Where a person uses a command, and through which installation. */
export type Place = {
  /** Default: the person's direct messages with the bot. */
  channel?: Channel;
  /** Through whose installation: the guild's where the bot is a member, else the person's. */
  installedBy?: "guild" | "user";
};

/** What a person writes. */
export type Written = {
  content?: string;
  attachments?: readonly OwnFile[];
  /** Embeds as a link's preview makes them: `{ image: { url } }`, `{ thumbnail: { url } }`, `{ title }` … */
  embeds?: readonly Readonly<Record<string, unknown>>[];
  replyTo?: Message;
  forward?: Message;
  /** Mentions the bot at the start. */
  mentionsBot?: boolean;
};

/** A person. */
export type User = {
  readonly id: string;
  readonly name: string;
  readonly locale: string;
  /** Whether the person installed the app for itself. */
  readonly hasInstalled: boolean;
  setLocale(locale: string): void;
  /** The direct messages with the bot. */
  readonly direct: Channel;
  /** Accepts direct messages (default), or not: the bot then gets 50007. */
  setAcceptsDirect(accepts: boolean): void;
  install(): void;
  uninstall(): void;
  /** Uses a slash command; `name` may name a subcommand: `settings language`. The command must be registered as used. */
  slash(name: string, options?: Readonly<Record<string, OptionValue>>, place?: Place): Interaction;
  /** Uses a command of the Apps menu of a message. */
  messageCommand(name: string, message: Message, place?: Omit<Place, "channel">): Interaction;
  sendMessage(channel: Channel, written: string | Written): Message;
  editMessage(message: Message, written: string | Written): void;
  deleteMessage(message: Message): void;
  /** Presses a button by its custom id; throws where the person could not. */
  pressButton(message: Message, customId: string): Interaction;
  select(message: Message, customId: string, values: readonly string[]): Interaction;
  /** Sends a modal that an interaction showed; values by custom id. */
  submitModal(interaction: Interaction, values: Readonly<Record<string, string | OwnFile>>): Interaction;
  autocomplete(
    name: string,
    options: Readonly<Record<string, string | number>>,
    focused: string,
    place?: Place,
  ): Promise<readonly { name: string; value: string | number }[]>;
};

/** How the bot acknowledged an interaction. */
export type Acknowledgement =
  | "reply"
  | "deferred-reply"
  | "update"
  | "deferred-update"
  | "modal"
  | "autocomplete";

/** A modal as people see it. */
export type Modal = {
  customId: string;
  title: string;
  fields: readonly {
    customId: string;
    label: string;
    placeholder: string | undefined;
    value: string | undefined;
    isRequired: boolean;
    maxLength: number | undefined;
  }[];
  raw: unknown;
};

/** One use of a command, button, menu or modal, and what came of it. */
export type Interaction = {
  readonly id: string;
  readonly token: string;
  readonly user: User;
  readonly channel: Channel;
  /** undefined until the bot acknowledged it. */
  readonly acknowledgement: Acknowledgement | undefined;
  readonly acknowledgedAfterMs: number | undefined;
  /** "The application did not respond": 3 s without acknowledgement. */
  readonly isFailed: boolean;
  /** Waits for the acknowledgement; rejects when the person saw a failure. */
  acknowledged(): Promise<Acknowledgement>;
  /** Waits for the final reply: no longer thinking. For an update: the changed message. Rejects when it failed. */
  reply(): Promise<Message>;
  /** Waits until the reply fits, for instance after a second edit. */
  replyWhere(fits: (message: Message) => boolean): Promise<Message>;
  /** Waits for the n-th follow-up (0 first). */
  followUp(index?: number): Promise<Message>;
  readonly followUps: readonly Message[];
  /** Waits for the modal it shows. */
  modal(): Promise<Modal>;
  /** Ends the token now, as if 15 minutes had gone by: 10015 and 50027 from then on. */
  expire(): void;
};

/** Which requests a fault meets. */
export type FaultTarget = {
  /** `METHOD /template` of Discord's description, such as `POST /channels/{channel_id}/messages`, or a pattern over `METHOD /path`. Default: all. */
  route?: string | RegExp;
  /** How many requests it meets (default all until removed). */
  times?: number;
};

/** A fault that is at work. */
export type Fault = { readonly hits: number; remove(): void };

/** Everything that can go wrong at Discord. */
export type Faults = {
  /** 429 from the first request on, until `retryAfterSeconds` have passed; asking again earlier is a violation. */
  rateLimit(
    target: FaultTarget & {
      retryAfterSeconds: number;
      isGlobal?: boolean;
      scope?: "user" | "shared" | "global";
    },
  ): Fault;
  /** An error: a status alone (500, 502, 503) or with one of Discord's codes (10008, 10062, 40060, 50001, 50007, 50013, 50035 …). */
  fail(target: FaultTarget & { status?: number; code?: number; message?: string }): Fault;
  /** Answers late. */
  delay(target: FaultTarget & { ms: number }): Fault;
  /** Ends the connection without an answer. `isAfter`: the work is done first, only the answer is lost. */
  hangUp(target: FaultTarget & { isAfter?: boolean }): Fault;
  /** Every attachment address ends here: 404 until removed. */
  expireAttachments(): void;
};

/** The gateway, seen from Discord's side. */
export type Gateway = {
  /** Waits until so many sessions (default 1) are identified. */
  ready(count?: number): Promise<void>;
  readonly sessionCount: number;
  readonly identifyCount: number;
  readonly resumeCount: number;
  /** Closes every connection (default code 1006: gone without a word); sessions stay resumable for the codes Discord says so of. */
  drop(code?: number): void;
  /** Refuses new connections until `restore()`; events wait for a resume. */
  goOffline(): void;
  restore(): void;
  /** Op 7: please reconnect. */
  askToReconnect(): void;
  /** Op 9: the session is invalid; not resumable ones must identify anew and lose what they missed. */
  invalidate(isResumable?: boolean): void;
  /** Waits for the next resume, from `count` on. */
  resumed(count?: number): Promise<void>;
};

/** A Discord of our own. */
export type StandIn = {
  /** For discord.js: `rest: { api: standIn.apiUrl }` (without the version). */
  readonly apiUrl: string;
  /** Where files are hosted: the start of every attachment's address. */
  readonly cdnUrl: string;
  readonly token: string;
  readonly applicationId: string;
  readonly botId: string;
  /** Whether requests and answers are checked against Discord's description. */
  readonly isValidated: boolean;
  /** What the bot (or the stand-in) did wrong; tests assert that it is empty. */
  readonly violations: readonly Violation[];
  /** What Discord would take, yet is doubtful: an answer to people without allowed_mentions. */
  readonly warnings: readonly Violation[];
  readonly requests: readonly RecordedRequest[];
  /** The global commands registered now. */
  readonly commands: readonly APIApplicationCommand[];
  createUser(options?: { name?: string; locale?: string; hasInstalled?: boolean }): User;
  createGuild(options?: GuildOptions): Guild;
  /** A group conversation of people; the bot is no member, people reach it by their own installation. */
  createGroup(...people: readonly User[]): Channel;
  /** A file on the web that is no attachment: for embeds' images and addresses. */
  hostFile(file: OwnFile): string;
  readonly faults: Faults;
  readonly gateway: Gateway;
  /** Waits until the condition holds; looked at again whenever anything happened. */
  waitUntil(condition: () => boolean, what?: string): Promise<void>;
  /** The message as a page in Discord's dark look, pictures inside; for people and for pictures of the tests. */
  renderMessage(message: Message): string;
  close(): Promise<void>;
};

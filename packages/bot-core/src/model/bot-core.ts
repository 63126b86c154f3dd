import type { BotStore } from "@koma/database/bots";
import type { FfmpegTools } from "@koma/media";
import type { BotTranslator, CommandName, Language } from "@koma/messages";
import type { ActionResult, Reply } from "./reply.ts";
import type {
  ActionRequest,
  Chat,
  CorrectionRequest,
  Image,
  LookupRequest,
  MessageReference,
  Person,
  Platform,
} from "./request.ts";

export type BotCoreOptions = {
  platform: Platform;
  apiUrl: string;
  /** The API key with the permission `bot`. */
  botKey: string;
  store: BotStore;
  /** 32 bytes each: the first encrypts, all decrypt. */
  vaultKeys: readonly Uint8Array[];
  /** ffmpeg; without it videos are `unsupported`. */
  mediaTools?: FfmpegTools | undefined;
  /**
   * Fetches an image again by its `reference`; undefined if it no longer exists. Required for several images
   * in one request.
   */
  fetchImage?: ((reference: string) => Promise<Image | undefined>) | undefined;
  /**
   * Receives the outcome of a link that `startLink` began: approved, denied or expired, possibly after a
   * restart. `context` is that of the call. The reply is private.
   */
  onLinkSettled?: ((event: LinkSettled) => void | Promise<void>) | undefined;
  /** False if the platform hides the content of messages that do not mention the bot. */
  seesAllMessages?: boolean | undefined;
  /** Receives sentences for the log, without secrets and personal ids. */
  onLog?: OnLog | undefined;
  onMeasure?: OnMeasure | undefined;
  /** The notation of a command in a reader's language; by default `/find` in English. */
  nameCommand?: ((name: CommandName | "findMessage", language: Language) => string) | undefined;
  /** Formats an instant in the platform's markup, such as Discord's timestamps; plain text by default. */
  formatInstant?: ((instant: Date, style: "date" | "moment" | "relative") => string) | undefined;
  /** The time zone of times in replies; UTC by default. */
  timeZone?: string | undefined;
  now?: (() => Date) | undefined;
};

/** Receives a sentence for the log. */
export type OnLog = (level: "info" | "warn" | "error", message: string) => void;

/** Receives an event to count or to time. */
export type OnMeasure = (measure: Measure) => void;

export type LinkSettled = {
  outcome: "linked" | "denied" | "expired";
  person: Person;
  context: MessageReference;
  reply: Reply;
};

/**
 * What became of a published key: `pending` if the API cannot be reached yet, `notPublic` if it was sent to
 * the bot alone and stays valid.
 */
export type LeakOutcome = "revoked" | "pending" | "notPublic";

/** An event to count or to time. */
export type Measure = {
  name: "lookup" | "action" | "command" | "api";
  /** lookup, command: the reply's kind; action: the result's kind; api: the endpoint and outcome. */
  label: string;
  seconds?: number | undefined;
};

/** A request that was started before a restart and possibly has no reply. */
export type OpenRequest = {
  requestId: string;
  /** The context that the platform passed to `handle`, needed to reply. */
  resume: MessageReference;
  state: "working" | "sending";
  startedAt: Date;
};

/** The platform-independent part of a bot. Methods return a reply for failures too and do not throw. */
export type BotCore = {
  readonly platform: Platform;

  /** Finds the scene of an image, or of each of several images. */
  lookup(request: LookupRequest): Promise<Reply>;
  /**
   * Finds the scene of an image that is not addressed to the bot. Returns a reply only for a confident
   * match that everybody may see, and once per UTC day and chat for a limit that the person has reached.
   */
  lookupAutomatically(request: LookupRequest): Promise<Reply | undefined>;
  /** Runs the action of a button or option. All rules (permission, existence) are checked here. */
  runAction(request: ActionRequest): Promise<ActionResult>;
  /**
   * Sends what the image of a result shows, by the title of an anime and the number of an episode as the requester
   * wrote them, or asks which of several anime it is. Always private.
   */
  correct(request: CorrectionRequest): Promise<Reply>;

  /**
   * The message that shows the images of a request whose search was interrupted; undefined if none was sent.
   * `lookup` of the same request completes it.
   */
  findAlbumMessage(requestId: string): Promise<MessageReference | undefined>;

  readonly requests: {
    /**
     * Runs `work` for a request unless it has a reply or is in progress, and records it: each request gets
     * exactly one reply. `work` calls `sending()` right before it sends, and returns the sent message's
     * reference, if any. If an earlier run was interrupted between sending and its end, `isUncertain` is
     * true: the message may exist already. `sending()` throws if another process continues the request.
     * Returns false if `work` did not run, or another process replies.
     */
    handle(
      request: { requestId: string; resume?: MessageReference | undefined },
      work: (attempt: {
        isUncertain: boolean;
        sending(): Promise<void>;
      }) => Promise<MessageReference | undefined>,
    ): Promise<boolean>;
    /**
     * The unfinished requests of earlier runs, oldest first. Each is handled again, or dropped by a `work`
     * without effect.
     */
    listOpen(): Promise<OpenRequest[]>;
    /**
     * The unfinished requests that no process continues: those whose lease is expired at this call and at the
     * call before. The time between two calls lets the other processes renew their leases after an outage of
     * the database. Empty while the database is away, and without requests that failed in this process.
     */
    listExpired(): Promise<OpenRequest[]>;
  };

  /**
   * The visibility of the reply, needed before a deferred reply: also `private` if searches are not served
   * there.
   */
  findAudience(request: { person: Person; chat: Chat }): Promise<"public" | "private">;
  /**
   * True if searches are served there: in allowed channels and their threads, by the chat's settings; in
   * direct messages always. `lookup` applies this itself with a private reply; a handler that prefers to stay
   * silent checks it first.
   */
  isServedAt(chat: Chat): Promise<boolean>;
  /** True if managers chose that every image in this channel is searched. */
  searchesEveryImage(chat: Chat): Promise<boolean>;
  /** The translator for texts of the platform itself, in the reader's language. */
  translatorFor(request: { person?: Person | undefined; chat?: Chat | undefined }): Promise<BotTranslator>;

  /**
   * Begins to link the person's account. `onLinkSettled` receives the outcome with `context`. Always private.
   */
  startLink(request: { person: Person; chat: Chat; context: MessageReference }): Promise<Reply>;
  /** Checks and stores an existing API key. Always private. */
  pasteKey(request: { person: Person; chat: Chat; key: string }): Promise<Reply>;
  unlink(request: { person: Person; chat: Chat }): Promise<Reply>;
  /** Asks for confirmation ("Forget me" button), then revokes the key and deletes all data of the person. */
  forget(request: { person: Person; chat: Chat; isConfirmed?: boolean | undefined }): Promise<Reply>;

  rankings(request: {
    person: Person;
    chat: Chat;
    period?: "daily" | "weekly" | "monthly" | "yearly" | "all" | undefined;
  }): Promise<Reply>;
  /** Recent confirmed searches of all users. */
  recent(request: { person: Person; chat: Chat }): Promise<Reply>;
  credits(request: { person: Person; chat: Chat }): Promise<Reply>;
  /** One anime of the library, found by a part of its titles, or a choice of several. */
  anime(request: { person: Person; chat: Chat; title: string }): Promise<Reply>;
  /** The anime that the members of the chat confirmed most often, where its managers chose that. */
  top(request: { person: Person; chat: Chat }): Promise<Reply>;
  /** The requester's own latest searches; always private. */
  history(request: { person: Person; chat: Chat }): Promise<Reply>;
  help(request: { person: Person; chat: Chat }): Promise<Reply>;
  /** The message after the bot was added to a server or group. */
  welcome(request: { person: Person; chat: Chat }): Promise<Reply>;
  privacy(request: { person: Person; chat: Chat }): Promise<Reply>;
  /** The person's own settings, or those of the chat for its managers; menus change them. */
  settings(request: { person: Person; chat: Chat; scope?: "person" | "place" | undefined }): Promise<Reply>;
  /** Sets the person's language by a tag as the person wrote it, or shows the choice. */
  language(request: { person: Person; chat: Chat; tag?: string | undefined }): Promise<Reply>;

  /** The person's saved results, newest first, as finished replies (to share them, inline mode). */
  ownResults(request: { person: Person; limit: number }): Promise<Reply[]>;
  /** Indexed anime whose titles contain the text, as replies with links; without anime for adults. */
  findTitles(request: { person: Person; query: string; limit: number }): Promise<Reply[]>;
  /** One result again, in its current state, for its requester. */
  reopen(request: { person: Person; chat: Chat; resultId: string }): Promise<Reply>;

  /** Whether a text contains an API key of Koma. */
  hasLeakedKey(text: string): boolean;
  /**
   * Revokes the API keys in a message that others can read, before any reply. An unreachable API is tried
   * again, also after a restart.
   */
  revokeLeakedKeys(request: { person: Person; chat: Chat; text: string }): Promise<LeakOutcome>;
  /** The private warning to the person who posted a key. `wasDeleted`: the bot could delete the message. */
  warnOfLeak(request: {
    person: Person;
    chat: Chat;
    wasDeleted: boolean;
    outcome: LeakOutcome;
  }): Promise<Reply>;

  /** Values that the platform stores between restarts (hash of registered commands, last update), by name. */
  readonly memory: {
    get(name: string): Promise<string | undefined>;
    set(name: string, value: string): Promise<void>;
    /**
     * Reserves a turn of all processes, at least `gapMs` after the previous one, and returns the milliseconds
     * until then.
     */
    reserveSlot(name: string, gapMs: number): Promise<number>;
  };

  /** Current counts, for health and metrics. */
  status(): { waiting: number; running: number; isApiReachable: boolean };
  /** Accepts no new work and completes running work. The caller that opened the store closes it. */
  close(): Promise<void>;
};

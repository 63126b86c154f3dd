import type { BotStore } from "@koma/database/bots";
import type { FfmpegTools } from "@koma/media";
import type { BotTranslator, CommandName, Language } from "@koma/messages";
import type { ActionResult, Reply } from "./reply.ts";
import type {
  ActionRequest,
  Chat,
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
  /** ffmpeg; without it films are `unsupported`. */
  mediaTools?: FfmpegTools | undefined;
  /** Gets a picture again by its `reference`; undefined where it is gone. Needed for several pictures in one request. */
  fetchImage?: ((reference: string) => Promise<Image | undefined>) | undefined;
  /**
   * A link begun by `startLink` was approved, denied or ran out, maybe after a restart: `context` is what was given there.
   * The reply is for that person alone.
   */
  onLinkSettled?: ((event: LinkSettled) => void | Promise<void>) | undefined;
  /** Plain sentences for the log; no secrets, no ids of people. */
  onLog?: ((level: "info" | "warn" | "error", message: string) => void) | undefined;
  onMeasure?: ((measure: Measure) => void) | undefined;
  /** How a command is written for a reader of that language; `/find` in English unless told. */
  nameCommand?: ((name: CommandName | "findMessage", language: Language) => string) | undefined;
  /** Writes an instant as the platform's own markup, such as Discord's timestamps; text unless set. */
  formatInstant?: ((instant: Date, style: "date" | "moment" | "relative") => string) | undefined;
  /** The zone in which clocks are read to people; default UTC. */
  timeZone?: string | undefined;
  now?: (() => Date) | undefined;
};

export type LinkSettled = {
  outcome: "linked" | "denied" | "expired";
  person: Person;
  context: MessageReference;
  reply: Reply;
};

/** Something to count or to time. */
export type Measure = {
  name: "lookup" | "action" | "command" | "api";
  /** lookup, command: the reply's kind; action: the result's kind; api: the endpoint and outcome. */
  label: string;
  seconds?: number | undefined;
};

/** What was begun and perhaps not answered, before a restart. */
export type OpenRequest = {
  requestId: string;
  /** What the platform gave to `handle`, to answer by. */
  resume: MessageReference;
  state: "working" | "sending";
  startedAt: Date;
};

/** Everything that is the same on every platform. Methods answer with a reply also where something fails; they do not throw. */
export type BotCore = {
  readonly platform: Platform;

  /** Finds the scene of a picture. */
  lookup(request: LookupRequest): Promise<Reply>;
  /** Does what a button or option is for; all rules (who may, whether it is still there) are checked here. */
  runAction(request: ActionRequest): Promise<ActionResult>;

  readonly requests: {
    /**
     * Runs `work` for a request unless it was answered before or is being answered now, and remembers that it was: exactly
     * one reply each. `work` calls `sending()` right before it sends; it gives the sent message's reference, if any. Where an
     * earlier run broke off between sending and its end, `isUncertain` is true: the message may stand already. False: it was
     * not run.
     */
    handle(
      request: { requestId: string; resume?: MessageReference | undefined },
      work: (attempt: {
        isUncertain: boolean;
        sending(): Promise<void>;
      }) => Promise<MessageReference | undefined>,
    ): Promise<boolean>;
    /** What earlier runs left open, oldest first; to be handled again (or let go, by a `work` that does nothing). */
    listOpen(): Promise<OpenRequest[]>;
  };

  /** Where an answer will be seen, asked before a deferred reply: `private` also where searches are not answered. */
  findAudience(request: { person: Person; chat: Chat }): Promise<"public" | "private">;
  /**
   * May searches be answered here? Allowed channels and their threads, by the place's settings; direct messages always.
   * `lookup` holds to it by itself with a private reply; who would rather be silent asks before.
   */
  isServedAt(chat: Chat): Promise<boolean>;
  /** For what a platform itself has to say, in the reader's language. */
  translatorFor(request: { person?: Person | undefined; chat?: Chat | undefined }): Promise<BotTranslator>;

  /** Begins to link the person's account; the end comes to `onLinkSettled` with `context`. Always private. */
  startLink(request: { person: Person; chat: Chat; context: MessageReference }): Promise<Reply>;
  /** Takes an existing API key, which is checked first. Always private. */
  pasteKey(request: { person: Person; chat: Chat; key: string }): Promise<Reply>;
  unlink(request: { person: Person; chat: Chat }): Promise<Reply>;
  /** Asks first ("Forget me" button), then ends the key and deletes all that is kept of the person. */
  forget(request: { person: Person; chat: Chat; isConfirmed?: boolean | undefined }): Promise<Reply>;

  rankings(request: {
    person: Person;
    chat: Chat;
    period?: "daily" | "weekly" | "monthly" | "yearly" | "all" | undefined;
  }): Promise<Reply>;
  /** What others found lately. */
  recent(request: { person: Person; chat: Chat }): Promise<Reply>;
  credits(request: { person: Person; chat: Chat }): Promise<Reply>;
  help(request: { person: Person; chat: Chat }): Promise<Reply>;
  privacy(request: { person: Person; chat: Chat }): Promise<Reply>;
  /** The person's own settings, or those of the place, for who manages it; menus change them. */
  settings(request: { person: Person; chat: Chat; scope?: "person" | "place" | undefined }): Promise<Reply>;
  /** Sets the person's language by a tag as they wrote it, or shows the choice. */
  language(request: { person: Person; chat: Chat; tag?: string | undefined }): Promise<Reply>;

  /** One's own results that are still kept, newest first, as finished replies (to share them, inline mode). */
  ownResults(request: { person: Person; limit: number }): Promise<Reply[]>;
  /** One result again, for its asker, as it stands. */
  reopen(request: { person: Person; chat: Chat; resultId: string }): Promise<Reply>;

  /** An API key of Koma in a text; undefined where there is none. */
  findLeakedKey(text: string): string | undefined;
  /** The private warning to whom posted one. `wasDeleted`: the bot could delete the message. */
  warnOfLeak(request: { person: Person; chat: Chat; wasDeleted: boolean }): Promise<Reply>;

  /** What the platform remembers between restarts (hash of registered commands, last update), by name. */
  readonly memory: {
    get(name: string): Promise<string | undefined>;
    set(name: string, value: string): Promise<void>;
  };

  /** Counts of now, for health and metrics. */
  status(): { waiting: number; running: number; isApiReachable: boolean };
  /** Takes no more, finishes what runs. The store is the opener's. */
  close(): Promise<void>;
};

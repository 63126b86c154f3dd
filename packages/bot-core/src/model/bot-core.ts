import type { BotStore } from "@koma/database/bots";
import type { FfmpegTools } from "@koma/media";
import type { CommandName, Language } from "@koma/messages";
import type { Reply } from "./reply.ts";
import type { Image, MessageReference, Person, Platform } from "./request.ts";

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

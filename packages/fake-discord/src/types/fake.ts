import type { APIApplicationCommand } from "discord.js";
import type { Channel, Guild, GuildOptions, Message, User } from "./driver.ts";
import type { OwnFile, RecordedRequest, Violation } from "./options.ts";

/** The requests that a fault affects. */
export type FaultTarget = {
  /**
   * `METHOD /template` of Discord's description, such as `POST /channels/{channel_id}/messages`, or a pattern
   * over `METHOD /path`. Default: all.
   */
  route?: string | RegExp;
  /** The number of affected requests (default: all until removed). */
  times?: number;
};

/** An active fault. */
export type Fault = { readonly hits: number; remove(): void };

/** Faults that a test injects. */
export type Faults = {
  /**
   * 429 from the first request on, until `retryAfterSeconds` have passed; an earlier repetition is a
   * violation.
   */
  rateLimit(
    target: FaultTarget & {
      retryAfterSeconds: number;
      isGlobal?: boolean;
      scope?: "user" | "shared" | "global";
    },
  ): Fault;
  /**
   * An error: a status alone (500, 502, 503) or with one of Discord's codes (10008, 10062, 40060, 50001,
   * 50007, 50013, 50035 …).
   */
  fail(target: FaultTarget & { status?: number; code?: number; message?: string; errors?: object }): Fault;
  /** Delays the response. */
  delay(target: FaultTarget & { ms: number }): Fault;
  /**
   * Closes the connection without a response. `isAfter`: the request takes effect, only the response is lost.
   */
  hangUp(target: FaultTarget & { isAfter?: boolean }): Fault;
  /** Every attachment address expires: 404 until removed. */
  expireAttachments(): void;
};

/** The gateway from Discord's side. */
export type Gateway = {
  /** Waits until this number of sessions (default 1) is identified. */
  ready(count?: number): Promise<void>;
  readonly sessionCount: number;
  /** The shards of these sessions, as `0/2`. */
  readonly shards: readonly string[];
  /** The number of identifies that came too early; see `identifyIntervalMs`. */
  readonly tooEarlyCount: number;
  readonly identifyCount: number;
  readonly resumeCount: number;
  /**
   * Closes every connection (default code 1006: no close frame); sessions stay resumable after the codes for
   * which Discord documents it.
   */
  drop(code?: number): void;
  /** Rejects new connections until `restore()`; events wait for a resume. */
  goOffline(): void;
  restore(): void;
  /** Op 7: the client should reconnect. */
  askToReconnect(): void;
  /** Op 9: the session is invalid; one that is not resumable must identify again and loses missed events. */
  invalidate(isResumable?: boolean): void;
  /** Waits for the next resume, from `count` on. */
  resumed(count?: number): Promise<void>;
};

/** The fake server and its controls. */
export type Fake = {
  /** For discord.js: `rest: { api: fake.apiUrl }` (without the version). */
  readonly apiUrl: string;
  /** The start of every attachment's address. */
  readonly cdnUrl: string;
  readonly token: string;
  readonly applicationId: string;
  readonly botId: string;
  /** Violations of the bot or the fake; tests assert that there are none. */
  readonly violations: readonly Violation[];
  /** Valid but doubtful requests: text from users without allowed_mentions. */
  readonly warnings: readonly Violation[];
  readonly requests: readonly RecordedRequest[];
  /** The currently registered global commands. */
  readonly commands: readonly APIApplicationCommand[];
  createUser(options?: { name?: string; locale?: string; hasInstalled?: boolean }): User;
  createGuild(options?: GuildOptions): Guild;
  /** A group conversation of users; the bot is no member, users reach it by their own installation. */
  createGroup(...people: readonly User[]): Channel;
  /** A file on the web that is no attachment, for images of embeds and addresses. */
  hostFile(file: OwnFile): string;
  readonly faults: Faults;
  readonly gateway: Gateway;
  /** Waits until the condition holds; it is checked after every change. */
  waitUntil(condition: () => boolean, what?: string): Promise<void>;
  /** The message as an HTML page in the style of one of Discord's themes, with its images. */
  renderMessage(message: Message, options?: RenderOptions): string;
  close(): Promise<void>;
};

/** The options of a rendered message. */
export type RenderOptions = { theme?: "light" | "dark" };

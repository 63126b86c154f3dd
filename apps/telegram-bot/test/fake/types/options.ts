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

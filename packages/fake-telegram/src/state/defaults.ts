/** The behaviour of the fake Telegram by default. */
export const defaults = {
  /** The bot's token, `NUMBER:SECRET`. */
  token: "7000000001:AAfake-not-a-real-token-0123456789a",
  /** The bot's name without `@`. */
  username: "koma_bot",
  /** BotFather's privacy mode. */
  hasPrivacyMode: true,
  /** The lifetime of a callback query. */
  callbackQueryTtlMs: 15_000,
  /** Telegram's usual limits (30 messages per second, 20 per minute in a group), with 429 above them. */
  hasRateLimits: false,
  /** Optional fields without a value are null, as on some compatible servers; Telegram omits them. */
  sendsNulls: false,
  /** The time limit of `reply()`, `waitForMessage()` … */
  patienceMs: 90_000,
};

/** The options of a fake Telegram. */
export type FakeOptions = Partial<typeof defaults>;

const mebibyte = 1024 * 1024;

/** Telegram's limits. */
export const limits = {
  inlineTtlMs: 10_000,
  guestTtlMs: 60_000,
  fileTtlMs: 3_600_000,
  downloadBytes: 20 * mebibyte,
  photoBytes: 10 * mebibyte,
  uploadBytes: 50 * mebibyte,
};

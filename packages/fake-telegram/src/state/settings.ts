import type { FakeOptions } from "../types.ts";

const mebibyte = 1024 * 1024;

/** The options with their defaults. */
export function readSettings(options: FakeOptions) {
  return {
    token: options.token ?? "7000000001:AAfake-not-a-real-token-0123456789a",
    username: options.username ?? "koma_bot",
    hasPrivacyMode: options.hasPrivacyMode ?? true,
    hasGuestMode: options.hasGuestMode ?? true,
    hasInlineMode: options.hasInlineMode ?? true,
    hasInlineFeedback: options.hasInlineFeedback ?? false,
    callbackQueryTtlMs: options.callbackQueryTtlMs ?? 15_000,
    inlineTtlMs: options.inlineTtlMs ?? 10_000,
    guestTtlMs: options.guestTtlMs ?? 60_000,
    fileTtlMs: options.fileTtlMs ?? 3_600_000,
    downloadLimitBytes: options.downloadLimitBytes ?? 20 * mebibyte,
    photoLimitBytes: 10 * mebibyte,
    uploadLimitBytes: 50 * mebibyte,
    hasRateLimits: options.hasRateLimits ?? false,
    sendsNulls: options.sendsNulls ?? false,
    patienceMs: options.patienceMs ?? 15_000,
  };
}

/** See `readSettings`. */
export type Settings = ReturnType<typeof readSettings>;

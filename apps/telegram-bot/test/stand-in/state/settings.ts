import type { StandInOptions } from "../types.ts";

const mebibyte = 1024 * 1024;

/** The options with their defaults. */
export function readSettings(options: StandInOptions) {
  return {
    token: options.token ?? "7000000001:AAstand-in-not-a-real-token-0123456",
    username: options.username ?? "koma_bot",
    specsFolder: "specsFolder" in options ? options.specsFolder : process.env.KOMA_TEST_SPECS,
    hasPrivacyMode: options.hasPrivacyMode ?? true,
    hasGuestMode: options.hasGuestMode ?? true,
    hasInlineMode: options.hasInlineMode ?? true,
    hasInlineFeedback: options.hasInlineFeedback ?? false,
    pressLivesMs: options.pressLivesMs ?? 15_000,
    inlineLivesMs: options.inlineLivesMs ?? 10_000,
    guestLivesMs: options.guestLivesMs ?? 60_000,
    fileLivesMs: options.fileLivesMs ?? 3_600_000,
    downloadLimitBytes: options.downloadLimitBytes ?? 20 * mebibyte,
    photoLimitBytes: 10 * mebibyte,
    uploadLimitBytes: 50 * mebibyte,
    hasRateLimits: options.hasRateLimits ?? false,
    patienceMs: options.patienceMs ?? 15_000,
  };
}

/** See `readSettings`. */
export type Settings = ReturnType<typeof readSettings>;

import type { StandInOptions } from "../types.ts";

/** The options with their defaults. */
export function readSettings(options: StandInOptions) {
  return {
    token: options.token ?? "MTAwMDAwMDAwMDAwMDAwMDAwMA.stand-in.not-a-real-token",
    specsFolder: "specsFolder" in options ? options.specsFolder : process.env.KOMA_TEST_SPECS,
    hasMessageContent: options.hasMessageContent ?? true,
    acknowledgeWithinMs: options.acknowledgeWithinMs ?? 3000,
    tokenLivesMs: options.tokenLivesMs ?? 15 * 60_000,
    attachmentLivesMs: options.attachmentLivesMs ?? 24 * 3_600_000,
    uploadLimitBytes: options.uploadLimitBytes ?? 10 * 1024 * 1024,
    hasRateLimits: options.hasRateLimits ?? false,
    heartbeatMs: options.heartbeatMs ?? 41_250,
    patienceMs: options.patienceMs ?? 15_000,
  };
}

/** See `readSettings`. */
export type Settings = ReturnType<typeof readSettings>;

import type { FakeOptions } from "../types.ts";

/** The options with their defaults. */
export function readSettings(options: FakeOptions) {
  return {
    token: options.token ?? "MTAwMDAwMDAwMDAwMDAwMDAwMA.fake.not-a-real-token",
    hasMessageContent: options.hasMessageContent ?? true,
    acknowledgeWithinMs: options.acknowledgeWithinMs ?? 3000,
    tokenTtlMs: options.tokenTtlMs ?? 15 * 60_000,
    attachmentTtlMs: options.attachmentTtlMs ?? 24 * 3_600_000,
    uploadLimitBytes: options.uploadLimitBytes ?? 10 * 1024 * 1024,
    hasRateLimits: options.hasRateLimits ?? false,
    sendsNulls: options.sendsNulls ?? false,
    recommendedShards: options.recommendedShards ?? 1,
    guildsPerShard: options.guildsPerShard ?? 2500,
    identifyIntervalMs: options.identifyIntervalMs ?? 0,
    heartbeatMs: options.heartbeatMs ?? 41_250,
    patienceMs: options.patienceMs ?? 15_000,
  };
}

/** See `readSettings`. */
export type Settings = ReturnType<typeof readSettings>;

/** The behaviour of the fake Discord by default. */
export const defaults = {
  /** The bot's token. */
  token: "MTAwMDAwMDAwMDAwMDAwMDAwMA.fake.not-a-real-token",
  /** Whether the portal grants the message-content intent. Identifying with it otherwise ends in 4014. */
  hasMessageContent: true,
  /** Discord's usual limits (5 messages per channel in 5 s, 50 requests per second), with 429 above them. */
  hasRateLimits: false,
  /** Optional fields of messages and interactions without a value are null, as on some compatible servers. */
  sendsNulls: false,
  /** The largest number of guilds of a shard; identifying with more ends in 4011. */
  guildsPerShard: 2500,
  /** The time between two identifies; Discord's is 5000. */
  identifyIntervalMs: 0,
  /** The heartbeat interval for the client. */
  heartbeatMs: 41_250,
  /** The time limit of `reply()`, `waitForMessage()` … */
  patienceMs: 90_000,
};

/** The options of a fake Discord. */
export type FakeOptions = Partial<typeof defaults>;

/** The largest upload of a bot in bytes. */
export const uploadLimitBytes = 10 * 1024 * 1024;
/** How long an interaction waits for its acknowledgement. */
export const acknowledgeWithinMs = 3000;
/** The lifetime of an interaction's token. */
export const tokenTtlMs = 15 * 60_000;

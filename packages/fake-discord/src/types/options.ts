/** A file that a user attached or the bot sent. */
export type OwnFile = {
  name: string;
  bytes: Uint8Array;
  /** The type that the sender states, which Discord does not validate. Default: by the name's extension. */
  contentType?: string;
  /** Marked as a spoiler: Discord renames such a file to `SPOILER_…`. */
  isSpoiler?: boolean;
  description?: string;
};

/** A shard and the number of all shards. */
export type Shard = readonly [index: number, count: number];

/** The behaviour of the fake Discord. Every field has a default. */
export type FakeOptions = {
  /** The bot's token. */
  token?: string;
  /**
   * Whether the portal grants the message-content intent (default yes). Identifying with it otherwise ends in
   * 4014.
   */
  hasMessageContent?: boolean;
  /** How long an interaction waits for its acknowledgement (default 3000). */
  acknowledgeWithinMs?: number;
  /** The lifetime of an interaction's token (default 15 minutes). */
  tokenTtlMs?: number;
  /** The lifetime of a signed attachment address (default 24 hours). */
  attachmentTtlMs?: number;
  /** The largest upload of a bot in bytes (default 10 MiB). */
  uploadLimitBytes?: number;
  /**
   * Discord's usual limits (5 messages per channel in 5 s, 50 requests per second), with 429 above them.
   * Default off.
   */
  hasRateLimits?: boolean;
  /**
   * Optional fields of messages and interactions without a value are null, as on some compatible servers;
   * Discord omits them (default off).
   */
  sendsNulls?: boolean;
  /** The number of shards that Discord recommends (default 1). */
  recommendedShards?: number;
  /** The largest number of guilds of a shard; identifying with more ends in 4011 (default 2500). */
  guildsPerShard?: number;
  /** The time between two identifies; Discord's is 5000 (default 0). */
  identifyIntervalMs?: number;
  /** The heartbeat interval for the client (default 41250). */
  heartbeatMs?: number;
  /** The time limit of `reply()`, `waitForMessage()` … (default 15000). */
  patienceMs?: number;
};

/** A rule that the bot broke, or an invalid response of the fake. */
export type Violation = {
  /**
   * `schema`, `unknown-key`, `path`, `query`, `components`, `command`, `attachment`, `rate-limit`, `fake`, …
   */
  rule: string;
  /** Method and path of the request, without the interaction's token. */
  where: string;
  /** The problem, with its path inside the body. */
  problem: string;
};

/** One request of the bot with its response. */
export type RecordedRequest = {
  method: string;
  /** Path below `/api/v10`, decoded. */
  path: string;
  /** The template of Discord's description, `/channels/{channel_id}/messages`. */
  route: string;
  query: Readonly<Record<string, string>>;
  body: unknown;
  files: readonly { name: string; size: number }[];
  status: number;
  /** Discord's error code of the response, if it was an error. */
  code: number | undefined;
  at: number;
};

/** A file as a person attaches it, or as the bot sent it. */
export type OwnFile = {
  name: string;
  bytes: Uint8Array;
  /** What the sender claims; Discord never checks it. Default: by the name's ending. */
  contentType?: string;
  /** Marked as a spoiler: Discord renames such a file to `SPOILER_…`. */
  isSpoiler?: boolean;
  description?: string;
};

/** How the local Discord behaves. Every field has a sensible default. */
export type FakeOptions = {
  /** The bot's token. */
  token?: string;
  /** Whether the portal grants the message-content intent (default yes). Identifying with it otherwise ends in 4014. */
  hasMessageContent?: boolean;
  /** How long an interaction waits for its acknowledgement (default 3000). */
  acknowledgeWithinMs?: number;
  /** How long an interaction's token lives (default 15 minutes). */
  tokenTtlMs?: number;
  /** How long a signed attachment address lives (default 24 hours). */
  attachmentTtlMs?: number;
  /** The largest upload of a bot in bytes (default 10 MiB). */
  uploadLimitBytes?: number;
  /** Discord's usual limits (5 messages a channel and 5 s, 50 requests a second) with 429 when passed. Default off. */
  hasRateLimits?: boolean;
  /** How often the client is told to send heartbeats (default 41250). */
  heartbeatMs?: number;
  /** How long `reply()`, `waitForMessage()` … wait before they reject (default 15000). */
  patienceMs?: number;
};

/** A rule that the bot broke, or where the fake itself answered what Discord could not. */
export type Violation = {
  /** `schema`, `unknown-key`, `path`, `query`, `components`, `command`, `attachment`, `rate-limit`, `fake`, … */
  rule: string;
  /** Method and path of the request, without the interaction's token. */
  where: string;
  /** What is wrong, with the place inside the body. */
  problem: string;
};

/** One request of the bot, as it came and as it was answered. */
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
  /** Discord's error code of the answer, if it was an error. */
  code: number | undefined;
  at: number;
};

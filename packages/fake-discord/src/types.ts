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

/** A hosted file. */
export type StoredFile = {
  id: string;
  channelId: string;
  name: string;
  contentType: string;
  bytes: Uint8Array;
  description: string | undefined;
  isEphemeral: boolean;
};

/** A shard and the number of all shards. */
export type Shard = readonly [index: number, count: number];

/** A user or the bot. */
export type Account = {
  readonly id: string;
  readonly name: string;
  readonly locale: string;
  readonly isBot: boolean;
  /** True if the user installed the app. */
  hasInstalled: boolean;
  acceptsDirect: boolean;
};

/** The options of a new channel. */
export type ChannelOptions = { name?: string; isAgeRestricted?: boolean };

/** A role of a guild; `botId` is set for the role that Discord creates for the bot. */
export type Role = { id: string; name: string; permissions: bigint; botId: string | undefined };

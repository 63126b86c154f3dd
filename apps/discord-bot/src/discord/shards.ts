/** The shards `first` to `last` of `total`, as KOMA_DISCORD_SHARDS names them. */
export type ShardRange = { first: number; last: number; total: number };

/** The ids of the shards. */
export function listShards({ first, last }: ShardRange): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/** The notation of KOMA_DISCORD_SHARDS: `0-3/8`, or `2/8`. */
export function writeShards({ first, last, total }: ShardRange): string {
  return `${first}${first === last ? "" : `-${last}`}/${total}`;
}

/** One process registers the commands: the one that runs the first shard. */
export function runsFirstShard(shards: ShardRange | undefined): boolean {
  return shards === undefined || shards.first === 0;
}

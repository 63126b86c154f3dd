import type { FakeState } from "../state/fake-state.ts";
import type { Shard } from "../types.ts";

/** True if the shard receives the events of a guild; direct messages and their interactions go to shard 0. */
export function isForShard([index, count]: Shard, guildId: string | undefined): boolean {
  if (guildId === undefined) return index === 0;
  return Number((BigInt(guildId) >> 22n) % BigInt(count)) === index;
}

/** The shard that a client identifies; undefined if it is invalid. */
export function readShard(written: unknown): Shard | undefined {
  if (written === undefined) return [0, 1];
  const [index, count] = Array.isArray(written) ? written : [];
  const isValid = Number.isInteger(index) && Number.isInteger(count) && index >= 0 && index < count;
  return isValid ? [index, count] : undefined;
}

/** True if the shard has more guilds than Discord allows. */
export function isOverloaded(shard: Shard, state: FakeState): boolean {
  const guilds = [...state.guilds.values()].filter((guild) => guild.hasBot && isForShard(shard, guild.id));
  return guilds.length > state.settings.guildsPerShard;
}

/**
 * Discord accepts one identify per five seconds of all shards with the same remainder by `max_concurrency`, here
 * 1, and answers the others with an invalid session.
 */
export function createIdentifyLimit(intervalMs: number) {
  let latestMs = Number.NEGATIVE_INFINITY;
  return {
    take(): boolean {
      if (performance.now() - latestMs < intervalMs) return false;
      latestMs = performance.now();
      return true;
    },
  };
}

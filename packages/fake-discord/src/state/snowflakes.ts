import type { Shard } from "../types.ts";

const discordEpoch = 1_420_070_400_000;

/** Ids in Discord's format: 42 bits of time and 22 distinguishing bits, in ascending order. */
export function createSnowflakes() {
  let latest = 0n;

  return {
    /** `shard`: the id of a guild whose events this shard receives. */
    create([index, count]: Shard = [0, 1]): string {
      const byTime = BigInt(Date.now() - discordEpoch) << 22n;
      latest = byTime > latest ? byTime : latest + 1n;
      while (Number((latest >> 22n) % BigInt(count)) !== index) latest = ((latest >> 22n) + 1n) << 22n;
      return latest.toString();
    },
  };
}

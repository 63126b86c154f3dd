const discordEpoch = 1_420_070_400_000;

/** Ids in Discord's format: 42 bits of time and 22 distinguishing bits, in ascending order. */
export function createSnowflakes() {
  let latest = 0n;

  return {
    create(): string {
      const byTime = BigInt(Date.now() - discordEpoch) << 22n;
      latest = byTime > latest ? byTime : latest + 1n;
      return latest.toString();
    },
  };
}

const discordEpoch = 1_420_070_400_000;

/** Ids as Discord makes them: 42 bits of time, 22 bits that tell apart; each larger than the one before. */
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

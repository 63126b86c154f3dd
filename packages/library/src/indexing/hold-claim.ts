import { ClaimLostError, type Database, type EpisodeClaim } from "@koma/database";

/** Time after which another indexer may claim the video of a killed one. */
export const leaseSeconds = 15;
const renewGapMs = 5000;

/** Runs work while it renews the claim. The signal aborts with ClaimLostError when the claim is lost. */
export async function holdClaim<T>(
  database: Database,
  claim: EpisodeClaim,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const lost = new AbortController();
  const timer = setInterval(() => {
    database.episodes.renew(claim, leaseSeconds).then(
      (isHeld) => isHeld || lost.abort(new ClaimLostError(claim.episodeId)),
      // The database is temporarily unavailable: the next renewal succeeds, or publishing reports the lost
      // claim.
      () => undefined,
    );
  }, renewGapMs);
  try {
    return await work(AbortSignal.any([signal, lost.signal]));
  } finally {
    clearInterval(timer);
  }
}

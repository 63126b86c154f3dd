import { ClaimLostError, type Database, type EpisodeClaim } from "@koma/database";

/** How long a killed indexer keeps a film from others. */
export const leaseSeconds = 15;
const renewGapMs = 5000;

/** Runs work while the claim is renewed; its signal ends with ClaimLostError when the claim is lost all the same. */
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
      // The database is away for a moment: either the next renewal succeeds or publishing tells that the claim is lost.
      () => undefined,
    );
  }, renewGapMs);
  try {
    return await work(AbortSignal.any([signal, lost.signal]));
  } finally {
    clearInterval(timer);
  }
}

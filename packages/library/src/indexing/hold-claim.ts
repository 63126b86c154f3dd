import { ClaimLostError, type Database, type EpisodeClaim } from "@koma/database";

/** Time after which another indexer may claim the video of a killed one. */
export const leaseSeconds = 15;
/** Time between two renewals of a lease, and between two heartbeats of a worker. */
export const renewGapMs = 5000;

/** Runs work while it renews the claim. The signal aborts with ClaimLostError when the claim is lost. */
export function holdClaim<T>(
  database: Database,
  claim: EpisodeClaim,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const lease = {
    renew: () => database.episodes.renew(claim, leaseSeconds),
    createLostError: () => new ClaimLostError(claim.episodeId),
  };
  return holdLease(lease, signal, work);
}

/** Runs work while it renews a lease. The signal aborts with its error when the lease is lost. */
export async function holdLease<T>(
  lease: { renew: () => Promise<boolean>; createLostError: () => Error },
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const lost = new AbortController();
  const timer = setInterval(() => {
    lease.renew().then(
      (isHeld) => isHeld || lost.abort(lease.createLostError()),
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

import { PreviewBusyError } from "@koma/library";
import pLimit, { type LimitFunction } from "p-limit";

export type PreviewTurns = ReturnType<typeof createPreviewTurns>;

/** Runs the previews of each network in turn, because one network could otherwise fill the shared queue. */
export function createPreviewTurns({ atOnce }: { atOnce: number }) {
  const limits = new Map<string, LimitFunction>();

  /** Runs `make` when the network has its turn. Throws PreviewBusyError when too many are queued. */
  return async function makeInTurn(network: string, make: () => Promise<string>): Promise<string> {
    const limit = limits.get(network) ?? pLimit(atOnce);
    limits.set(network, limit);
    if (limit.pendingCount >= waitingPerNetwork) throw new PreviewBusyError();
    try {
      return await limit(make);
    } finally {
      if (limit.activeCount + limit.pendingCount === 0) limits.delete(network);
    }
  };
}

/** A page shows the stills of several searches at once. */
const waitingPerNetwork = 40;

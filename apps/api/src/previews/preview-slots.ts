import { listLimitedNetworks } from "@koma/accounts";
import { PreviewBusyError } from "@koma/library";

export type PreviewSlots = ReturnType<typeof createPreviewSlots>;

/**
 * Runs previews in turn: first among IPv4 addresses and IPv6 /48s, then among the networks of a /48. Without
 * slots a few networks fill the queue of the library, which holds 32 previews, for everybody.
 */
export function createPreviewSlots({ atOnce }: { atOnce: number }) {
  const sites = new Map<string, Site>();
  const running = new Map<string, number>();
  let allRunning = 0;
  let allWaiting = 0;

  /**
   * Runs `make` when the network has its slot. Throws PreviewBusyError when too many are waiting, and for one that
   * waits when the signal aborts.
   */
  return async function makeInSlot(
    network: string,
    make: () => Promise<string>,
    signal?: AbortSignal,
  ): Promise<string> {
    await waitForSlot(network, signal);
    try {
      return await make();
    } finally {
      count(network, -1);
      startNext();
    }
  };

  async function waitForSlot(network: string, signal: AbortSignal | undefined): Promise<void> {
    if (signal?.aborted) throw new PreviewBusyError();
    if (canRun(network)) {
      count(network, 1);
      return;
    }
    for (const { network: wider, times } of listLimitedNetworks(network)) {
      if (countWaiting(wider) >= times * waitingPerNetwork) throw new PreviewBusyError();
    }
    if (allWaiting >= waitingInAll) refuseLongest(network);
    const { promise: slot, resolve: start, reject } = Promise.withResolvers<void>();
    const one: Waiting = { start, reject };
    const site = sites.get(toSite(network)) ?? new Map<string, Waiting[]>();
    sites.set(toSite(network), site);
    site.set(network, [...(site.get(network) ?? []), one]);
    allWaiting += 1;
    const leave = () => forget(network, one);
    signal?.addEventListener("abort", leave, { once: true });
    try {
      await slot;
    } finally {
      signal?.removeEventListener("abort", leave);
    }
  }

  /** Forgets a preview whose client has left before its slot; a preview that is being made continues. */
  function forget(network: string, one: Waiting): void {
    const networks = sites.get(toSite(network));
    const waiting = networks?.get(network);
    if (networks === undefined || waiting === undefined || !waiting.includes(one)) return;
    networks.set(
      network,
      waiting.filter((other) => other !== one),
    );
    remove(toSite(network), network);
    one.reject(new PreviewBusyError());
  }

  function startNext(): void {
    for (const [site, networks] of sites) {
      for (const [network, [first]] of networks) {
        if (first === undefined || !canRun(network)) continue;
        // The site and the network move to the end of their queues.
        sites.delete(site);
        sites.set(site, networks);
        const left = networks.get(network)?.slice(1) ?? [];
        networks.delete(network);
        networks.set(network, left);
        remove(site, network);
        count(network, 1);
        first.start();
        return;
      }
    }
  }

  /** Refuses the last preview of the network with most waiting ones, unless that is the new one's network. */
  function refuseLongest(newNetwork: string): void {
    const all = [...sites.values()].flatMap((networks) => [...networks]);
    const [longest] = all.toSorted(([, one], [, other]) => other.length - one.length);
    if (longest === undefined || longest[0] === newNetwork) throw new PreviewBusyError();
    const [network, waiting] = longest;
    const last = waiting.pop();
    remove(toSite(network), network);
    last?.reject(new PreviewBusyError());
  }

  /** Counts a waiting preview less, and forgets a network that has none. */
  function remove(site: string, network: string): void {
    allWaiting -= 1;
    const networks = sites.get(site);
    if (networks?.get(network)?.length === 0) networks.delete(network);
    if (networks?.size === 0) sites.delete(site);
  }

  function canRun(network: string): boolean {
    const hasRoom = listLimitedNetworks(network).every(
      ({ network: wider, times }) => (running.get(wider) ?? 0) < times * atOnce,
    );
    return hasRoom && allRunning < runningInAll;
  }

  function count(network: string, by: 1 | -1): void {
    allRunning += by;
    for (const { network: wider } of listLimitedNetworks(network)) {
      const left = (running.get(wider) ?? 0) + by;
      if (left === 0) running.delete(wider);
      else running.set(wider, left);
    }
  }

  function countWaiting(wider: string): number {
    let waiting = 0;
    for (const networks of sites.values()) {
      for (const [network, { length }] of networks) {
        if (listLimitedNetworks(network).some((one) => one.network === wider)) waiting += length;
      }
    }
    return waiting;
  }
}

type Waiting = { start: () => void; reject: (error: Error) => void };
/** The waiting previews of the networks of an IPv4 address or an IPv6 /48. */
type Site = Map<string, Waiting[]>;

/** An IPv4 address itself, or the /48 of an IPv6 network. */
function toSite(network: string): string {
  return listLimitedNetworks(network).at(-1)?.network ?? network;
}

/** A page shows the stills of several searches at once. */
const waitingPerNetwork = 40;
const waitingInAll = 1000;
/** Half of what the library runs and queues; the other half is for bots, whose previews wait for no turn. */
const runningInAll = 16;

import { listLimitedNetworks } from "@koma/accounts";
import { LRUCache } from "lru-cache";
import { ApiError } from "../api-error.ts";
import type { Caller } from "../caller.ts";

export type SearchQueueLimits = {
  /** Searches that run at the same time. */
  atOnce: number;
  /** Images of the guests of one network that may wait; wider networks have their multiple of this and the next. */
  guestQueued: number;
  /** Worker time of failed and aborted searches of one network in five minutes. */
  failedMs: number;
};

/** The caller and the network that a search counts for. */
export type SearchOrigin = { caller: Caller; network: string };

export type SearchQueue = ReturnType<typeof createSearchQueue>;

/**
 * Shares the search workers fairly: each guest network and each signed-in caller has a turn, and three slots
 * of signed-in callers follow one of guests. Failed and aborted searches cost no credits, so their worker
 * time is limited instead.
 */
export function createSearchQueue(limits: SearchQueueLimits, clock: () => number = () => performance.now()) {
  // p-queue orders tasks by a fixed priority: it has neither slots between callers nor a share for guests.
  const guests: Slots = new Map();
  const signedIn: Slots = new Map();
  let running = 0;
  let signedInSlots = 0;
  const started = new Map<string, number>();
  // An entry ends five minutes after its first failure, and later ones do not extend it.
  const failures = new LRUCache<string, number>({ max: 10_000, ttl: failureWindowMs, noUpdateTTL: true });

  return {
    /**
     * Starts a search before its credit is reserved, and returns the function that ends it. An origin has as
     * many searches as can run and wait: aborted ones would otherwise fill the queue of the database, where
     * nothing waits for a turn. Throws ApiError `search_busy` and `too_many_requests`.
     */
    start(origin: SearchOrigin): () => void {
      check(origin);
      const keys = listLimitedNetworks(findSlots(origin).key).map(({ network }) => network);
      for (const key of keys) started.set(key, countStarted(key) + 1);
      return () => {
        for (const key of keys) {
          const left = countStarted(key) - 1;
          if (left > 0) started.set(key, left);
          else started.delete(key);
        }
      };
    },

    /**
     * Runs a search when its turn comes. Throws the reason of the signal while it waits, and ApiError `search_busy` and
     * `too_many_requests`.
     */
    async run<T>(origin: SearchOrigin, signal: AbortSignal, search: () => Promise<T>): Promise<T> {
      checkSlots(origin);
      await waitForSlot(origin, signal);
      const startedMs = clock();
      try {
        return await search();
      } catch (error) {
        charge(origin, clock() - startedMs);
        throw error;
      } finally {
        running -= 1;
        startNext();
      }
    },

    /** Counts the time of work for a failed or aborted search outside `run`. */
    charge,

    /**
     * Throws what `start` would throw now. A search that is refused before its image is received and its credit
     * reserved costs neither memory nor transactions.
     */
    check,

    /** The numbers of running and waiting searches, and their limits. */
    status: () => ({
      running,
      waiting: countWaiting(guests) + countWaiting(signedIn),
      limits: { running: limits.atOnce, waiting: allQueued },
    }),
  };

  function check(origin: SearchOrigin): void {
    checkSlots(origin);
    const { key, limit } = findSlots(origin);
    for (const { network, times } of listLimitedNetworks(key)) {
      if (countStarted(network) >= times * (limits.atOnce + limit)) throw busy();
    }
  }

  function checkSlots(origin: SearchOrigin): void {
    for (const { network, times } of listLimitedNetworks(origin.network)) {
      if ((failures.get(network) ?? 0) >= times * limits.failedMs) throw tooManyFailures(network, times);
    }
    if (running < limits.atOnce) return;
    const { slots, key, limit } = findSlots(origin);
    for (const { network, times } of listLimitedNetworks(key)) {
      if (countWaiting(slots, network) >= times * limit) throw busy();
    }
    if (countWaiting(guests) + countWaiting(signedIn) >= allQueued) throw busy();
  }

  function countStarted(key: string): number {
    return started.get(key) ?? 0;
  }

  function charge({ network }: SearchOrigin, spentMs: number): void {
    for (const one of listLimitedNetworks(network)) {
      failures.set(one.network, (failures.get(one.network) ?? 0) + spentMs);
    }
  }

  function findSlots({ caller, network }: SearchOrigin): { slots: Slots; key: string; limit: number } {
    return caller.kind === "guest"
      ? { slots: guests, key: network, limit: limits.guestQueued }
      : { slots: signedIn, key: caller.hash, limit: callerQueued };
  }

  async function waitForSlot(origin: SearchOrigin, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (running < limits.atOnce) {
      running += 1;
      return;
    }
    const { slots, key } = findSlots(origin);
    const waiting = slots.get(key) ?? [];
    await new Promise<void>((resolve, reject) => {
      const leave = () => {
        const left = (slots.get(key) ?? []).filter((entry) => entry !== start);
        if (left.length === 0) slots.delete(key);
        else slots.set(key, left);
        reject(signal.reason);
      };
      const start = () => {
        signal.removeEventListener("abort", leave);
        resolve();
      };
      slots.set(key, [...waiting, start]);
      signal.addEventListener("abort", leave, { once: true });
    });
  }

  function startNext(): void {
    const isGuestSlot = signedIn.size === 0 || (guests.size > 0 && signedInSlots >= signedInShare);
    const slots = isGuestSlot ? guests : signedIn;
    const [first] = slots;
    if (first === undefined) return;
    signedInSlots = isGuestSlot ? 0 : signedInSlots + 1;
    const [key, [start, ...others]] = first;
    // The key moves to the end of the queue.
    slots.delete(key);
    if (others.length > 0) slots.set(key, others);
    running += 1;
    start?.();
  }

  function tooManyFailures(network: string, times: number): ApiError {
    const seconds = (times * limits.failedMs) / 1000;
    return new ApiError(
      "too_many_requests",
      `Failed and aborted searches of this network took ${seconds} seconds of work within 5 minutes.`,
      { retryAfterSeconds: failures.getRemainingTTL(network) / 1000 },
    );
  }
}

/** The waiting searches of each key, in the order of their slots. */
type Slots = Map<string, (() => void)[]>;

const failureWindowMs = 5 * 60_000;
const signedInShare = 3;
const callerQueued = 16;
const allQueued = 64;

/** The waiting searches of all keys, or of those in a network. */
function countWaiting(slots: Slots, network?: string): number {
  let count = 0;
  for (const [key, waiting] of slots) {
    const isMeant =
      network === undefined || listLimitedNetworks(key).some((wider) => wider.network === network);
    if (isMeant) count += waiting.length;
  }
  return count;
}

function busy(): ApiError {
  return new ApiError("search_busy", "Too many searches are waiting. Try again in a moment.", {
    retryAfterSeconds: 2,
  });
}

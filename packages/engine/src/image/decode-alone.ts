import { type Cancellation, throwIfCancelled } from "../cancellation.ts";

/** The lock of the threads that decode, in shared memory: 1 while one of them holds it. */
export type DecoderLock = Int32Array;

const [free, held] = [0, 1];
/** How often a waiting search looks whether it is cancelled. */
const waitMs = 100;

export function createDecoderLock(): DecoderLock {
  return new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
}

/**
 * Decodes an image while no other thread with the same lock does, without blocking this thread. Throws when the
 * search is cancelled meanwhile.
 */
export async function decodeAlone<T>(
  lock: DecoderLock,
  cancelled: Cancellation | undefined,
  decode: () => Promise<T>,
): Promise<T> {
  while (Atomics.compareExchange(lock, 0, free, held) !== free) {
    throwIfCancelled(cancelled);
    await Atomics.waitAsync(lock, 0, held, waitMs).value;
  }
  try {
    return await decode();
  } finally {
    releaseDecoderLock(lock);
  }
}

/** Releases the lock for the next thread. */
export function releaseDecoderLock(lock: DecoderLock): void {
  Atomics.store(lock, 0, free);
  Atomics.notify(lock, 0, 1);
}

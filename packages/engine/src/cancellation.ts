/** A flag in shared memory that the threads of one search read: not 0 after its caller aborted the search. */
export type Cancellation = Int32Array;

export function createCancellation(): Cancellation {
  return new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
}

/** Called between the stages of a search. The caller has received the reason of its own signal before. */
export function throwIfCancelled(cancelled: Cancellation | undefined): void {
  if (cancelled !== undefined && Atomics.load(cancelled, 0) !== 0) throw new Error("The search was aborted.");
}

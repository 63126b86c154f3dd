import type { MessagePort } from "node:worker_threads";
import type { FrameStore } from "./frame-store.ts";
import { createPortCall, serveCalls } from "./thread-calls.ts";

/**
 * Connects a search in another thread with an index: with `searches` the index searches, with `frames` it
 * reads frames of a database, and the other thread searches.
 */
export type IndexPort = { serves: "searches" | "frames"; port: MessagePort };

type StoreCall = {
  [Method in keyof FrameStore]: { method: Method; args: Parameters<FrameStore[Method]> };
}[keyof FrameStore];

/** Returns the frames of the database that another thread serves at the port. */
export function connectStore(port: MessagePort): FrameStore {
  const call = createPortCall<StoreCall, never>(port);
  return {
    findNearest: (...args) => call({ method: "findNearest", args }),
    readFrames: (...args) => call({ method: "readFrames", args }),
    readStrips: (...args) => call({ method: "readStrips", args }),
  };
}

/** Serves the frames of a database to a search in another thread. */
export async function serveStore(port: MessagePort, store: FrameStore): Promise<void> {
  await serveCalls(port, ({ method, args }: StoreCall) => Reflect.apply(store[method], store, args));
}

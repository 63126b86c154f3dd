import type { MessagePort } from "node:worker_threads";
import type { Model } from "../model/model.ts";
import { type FoundScenes, type SearchRequest, searchFrames } from "../search/search-frames.ts";
import type { FrameStore } from "./frame-store.ts";
import { createPortCall, servePort } from "./search-port.ts";
import { createAxes, openStoredViews } from "./stored-frames.ts";

/**
 * Connects a search in another thread with an index: with `searches` the index searches, with `frames` it
 * reads frames of a database, and the other thread searches.
 */
export type IndexPort = { serves: "searches" | "frames"; port: MessagePort };

type StoreCall = {
  [Method in keyof FrameStore]: { method: Method; args: Parameters<FrameStore[Method]> };
}[keyof FrameStore];

/** Returns the search of the index behind the port. */
export function connectIndex(
  model: Model,
  { serves, port }: IndexPort,
): (request: SearchRequest) => Promise<FoundScenes> {
  if (serves === "searches") return createPortCall<SearchRequest, FoundScenes>(port);
  const call = createPortCall<StoreCall, never>(port);
  const store: FrameStore = {
    findNearest: (...args) => call({ method: "findNearest", args }),
    readFrames: (...args) => call({ method: "readFrames", args }),
    readStrips: (...args) => call({ method: "readStrips", args }),
  };
  const axes = createAxes(model);
  return ({ image, options }) =>
    searchFrames({ model, openViews: () => openStoredViews(store, axes) }, image, options);
}

/** Serves the frames of a database to a search in another thread. */
export async function serveStore(port: MessagePort, store: FrameStore): Promise<void> {
  await servePort(port, ({ method, args }: StoreCall) => Reflect.apply(store[method], store, args));
}

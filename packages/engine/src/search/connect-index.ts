import { connectStore, type IndexPort } from "../frame-index/index-port.ts";
import { createAxes, openStoredViews } from "../frame-index/stored-frames.ts";
import { createPortCall } from "../frame-index/thread-calls.ts";
import type { Model } from "../model/model.ts";
import { type FoundScenes, type SearchRequest, searchFrames } from "./search-frames.ts";

/** Returns the search of the index behind the port. */
export function connectIndex(
  model: Model,
  { serves, port }: IndexPort,
): (request: SearchRequest) => Promise<FoundScenes> {
  if (serves === "searches") return createPortCall<SearchRequest, FoundScenes>(port);
  const store = connectStore(port);
  const axes = createAxes(model);
  return ({ image, options }) =>
    searchFrames({ model, openViews: () => openStoredViews(store, axes) }, image, options);
}

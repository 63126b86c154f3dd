import type { MessagePort } from "node:worker_threads";
import type { ImageDescription } from "../image/image-description.ts";
import type { FoundScenes, SceneSearchOptions } from "./search-frames.ts";

type SearchRequest = { image: ImageDescription; options: SceneSearchOptions };
type SearchReply = FoundScenes | { error: string };
type Search = (image: ImageDescription, options: SceneSearchOptions) => Promise<FoundScenes>;

/** Serves the searches of one image that another thread sends; resolves when that thread closes the port. */
export function serveSearches(port: MessagePort, search: Search): Promise<void> {
  port.on("message", async ({ image, options }: SearchRequest) => {
    const reply = await search(image, options).then(
      (found): SearchReply => found,
      (error: unknown): SearchReply => ({ error: error instanceof Error ? error.message : String(error) }),
    );
    port.postMessage(reply);
  });
  return new Promise((resolve) => {
    port.once("close", resolve);
  });
}

/** Sends searches to the thread behind the port, one at a time. Rejects when that thread has exited. */
export function createPortSearch(port: MessagePort): Search {
  let isClosed = false;
  port.once("close", () => {
    isClosed = true;
  });
  return (image, options) =>
    new Promise((resolve, reject) => {
      if (isClosed) {
        reject(new Error("The frame index is closed."));
        return;
      }
      const onClose = () => reject(new Error("The frame index is closed."));
      port.once("close", onClose);
      port.once("message", (reply: SearchReply) => {
        port.off("close", onClose);
        if ("scenes" in reply) resolve(reply);
        else reject(new Error(reply.error));
      });
      port.postMessage({ image, options } satisfies SearchRequest);
    });
}

import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { ReaderFiles } from "./render-reader-worker.ts";

/**
 * The page and the script of the API's reader. Its package takes a second of CPU and 40 MB, so that a thread loads it
 * and ends. `prefix` is the path of the base address.
 */
export async function renderReader(prefix: string): Promise<ReaderFiles> {
  const thread = new Worker(new URL("./render-reader-worker.ts", import.meta.url), {
    workerData: { prefix },
  });
  const [files] = await once(thread, "message");
  return files;
}

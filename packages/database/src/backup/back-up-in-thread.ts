import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { backUpToFolder } from "./backup-folder.ts";

/** As `backUpToFolder`, in a thread of its own. Throws what it throws, by name and message. */
export async function backUpInThread({
  signal,
  ...options
}: Parameters<typeof backUpToFolder>[0] & { signal: AbortSignal }): Promise<Date> {
  signal.throwIfAborted();
  const thread = new Worker(new URL("./backup-worker.ts", import.meta.url), { workerData: options });
  const stop = () => thread.postMessage("stop");
  signal.addEventListener("abort", stop);
  try {
    const [at] = await once(thread, "message");
    return at;
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

import { availableParallelism } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import type { FoundVideo } from "./discover-videos.ts";
import type { IndexEvent } from "./index-event.ts";
import type { createVideoSettler } from "./settle-video.ts";

const busyPollMs = 1000;

/**
 * Processes several videos concurrently; those that another indexer holds are retried after all others. The first
 * failure of the library itself ends the others and is thrown.
 */
export async function settleAll(
  videos: readonly FoundVideo[],
  o: {
    settle: ReturnType<typeof createVideoSettler>;
    jobs: number | undefined;
    onEvent: (event: IndexEvent) => void;
    signal: AbortSignal | undefined;
  },
): Promise<void> {
  const { settle, onEvent } = o;
  const ending = new AbortController();
  const signal = o.signal === undefined ? ending.signal : AbortSignal.any([o.signal, ending.signal]);
  const busy: FoundVideo[] = [];
  const queue = videos.values();
  const work = async (): Promise<void> => {
    for (const video of queue) {
      if ((await settle(video, { onEvent, signal })) === "settled") continue;
      busy.push(video);
      onEvent({ kind: "waiting", file: video.path });
    }
  };
  const endAll = (error: unknown): never => {
    ending.abort(error);
    throw error;
  };
  const jobs = Math.max(1, o.jobs ?? defaultJobs());
  const results = await Promise.allSettled(Array.from({ length: jobs }, () => work().catch(endAll)));
  for (const result of results) if (result.status === "rejected") throw result.reason;
  for (const video of busy) {
    while ((await settle(video, { onEvent, signal })) === "busy")
      await sleep(busyPollMs, undefined, { signal });
  }
}

/** The number of videos that are processed concurrently by default. */
export function defaultJobs(): number {
  return Math.max(2, Math.floor(availableParallelism() / 4));
}

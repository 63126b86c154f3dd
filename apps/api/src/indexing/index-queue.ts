import type { IndexEvent, IndexSummary, Library } from "@koma/library";
import type { IndexingMetrics } from "@koma/library/metrics";

/** The progress of the queue. */
type IndexQueueStatus = {
  waiting: number;
  run: { files: number; done: number } | undefined;
  lastRun:
    | (Pick<IndexSummary, "indexed" | "moved" | "skipped" | "failed"> & {
        endedAt: Date;
        problem: string | undefined;
      })
    | undefined;
  /** The indexed part, 0 to 1, of each video that is being indexed, by path. */
  fractions: ReadonlyMap<string, number>;
};

/** Videos to index in the background. */
export type IndexQueue = ReturnType<typeof createIndexQueue>;

/** Indexes videos in consecutive batches. Videos that arrive during a batch form the next one. */
export function createIndexQueue(options: {
  library: Pick<Library, "indexPaths">;
  metrics: IndexingMetrics;
  onLog: (message: string, level: "info" | "warn") => void;
}) {
  const closing = new AbortController();
  const waiting = new Set<string>();
  const fractions = new Map<string, number>();
  let running: Promise<void> | undefined;
  let run: IndexQueueStatus["run"];
  let lastRun: IndexQueueStatus["lastRun"];

  return {
    add(paths: readonly string[]): void {
      for (const path of paths) waiting.add(path);
      running ??= runAll().finally(() => {
        running = undefined;
      });
    },
    status: (): IndexQueueStatus => ({ waiting: waiting.size, run, lastRun, fractions }),
    /** Stops the running batch; the next event continues it. */
    async close(): Promise<void> {
      closing.abort();
      await running;
    },
  };

  async function runAll(): Promise<void> {
    while (waiting.size > 0 && !closing.signal.aborted) {
      const paths = [...waiting];
      waiting.clear();
      run = { files: paths.length, done: 0 };
      let problem: string | undefined;
      let summary: IndexSummary | undefined;
      try {
        summary = await options.library.indexPaths(paths, { signal: closing.signal, jobs: 1, onEvent });
        const { indexed, moved, failed } = summary;
        options.onLog(`indexing: ${indexed} indexed, ${moved} moved, ${failed} failed`, "info");
      } catch (error) {
        problem = error instanceof Error ? error.message : String(error);
        options.onLog(`indexing: ${problem}`, "warn");
      } finally {
        const { indexed = 0, moved = 0, skipped = 0, failed = 0 } = summary ?? {};
        lastRun = { endedAt: new Date(), indexed, moved, skipped, failed, problem };
        run = undefined;
        fractions.clear();
        options.metrics.endRun();
      }
    }
  }

  function onEvent(event: IndexEvent): void {
    options.metrics.onEvent(event);
    if (event.kind === "discovered" || event.kind === "waiting") return;
    if (event.kind === "started") fractions.set(event.file, 0);
    else if (event.kind === "progress") fractions.set(event.file, event.fraction);
    else {
      fractions.delete(event.file);
      if (run !== undefined) run.done += 1;
    }
  }
}

import type { IndexingMetrics, Library } from "@koma/library";

/** Indexes videos in consecutive batches. Videos that arrive during a batch form the next one. */
export function createIndexQueue(options: {
  library: Pick<Library, "indexPaths">;
  metrics: IndexingMetrics;
  onLog: (message: string, level: "info" | "warn") => void;
}) {
  const closing = new AbortController();
  const waiting = new Set<string>();
  let running: Promise<void> | undefined;

  return {
    add(paths: readonly string[]): void {
      for (const path of paths) waiting.add(path);
      running ??= run().finally(() => {
        running = undefined;
      });
    },
    /** Stops the running batch; the next event continues it. */
    async close(): Promise<void> {
      closing.abort();
      await running;
    },
  };

  async function run(): Promise<void> {
    while (waiting.size > 0 && !closing.signal.aborted) {
      const paths = [...waiting];
      waiting.clear();
      try {
        const { onEvent } = options.metrics;
        const summary = await options.library.indexPaths(paths, { signal: closing.signal, jobs: 1, onEvent });
        const { indexed, moved, failed } = summary;
        options.onLog(`library event: ${indexed} indexed, ${moved} moved, ${failed} failed`, "info");
      } catch (error) {
        options.onLog(`library event: ${error instanceof Error ? error.message : String(error)}`, "warn");
      } finally {
        options.metrics.endRun();
      }
    }
  }
}

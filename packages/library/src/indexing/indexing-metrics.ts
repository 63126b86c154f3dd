import { Counter, Gauge, type Registry } from "prom-client";
import type { IndexEvent } from "./index-event.ts";

/** Metrics of indexing for Prometheus, fed by the events of consecutive runs. */
export type IndexingMetrics = ReturnType<typeof createIndexingMetrics>;

export function createIndexingMetrics(registry: Registry) {
  const registers = [registry];
  const videos = new Counter({
    name: "koma_index_videos_total",
    help: "Processed videos by outcome: indexed, moved, updated, skipped, failed.",
    registers,
    labelNames: ["outcome"],
  });
  for (const outcome of outcomes) videos.inc({ outcome }, 0);
  const frames = new Counter({
    name: "koma_index_frames_total",
    help: "Frames that were stored.",
    registers,
  });
  const videoSeconds = new Counter({
    name: "koma_index_video_seconds_total",
    help: "Duration of the indexed videos.",
    registers,
  });
  const workSeconds = new Counter({
    name: "koma_index_work_seconds_total",
    help: "Time that indexing these videos took, summed over concurrent videos.",
    registers,
  });
  const running = new Set<string>();
  let remaining = 0;
  new Gauge({
    name: "koma_index_queue",
    help: "Waiting and running videos of the current run.",
    registers,
    labelNames: ["state"],
    collect() {
      this.set({ state: "running" }, running.size);
      this.set({ state: "waiting" }, Math.max(0, remaining - running.size));
    },
  });
  return {
    /** The callback for `IndexOptions.onEvent`. */
    onEvent(event: IndexEvent): void {
      if (event.kind === "discovered") remaining = event.files;
      if (event.kind === "started") running.add(event.file);
      if (event.kind === "retrying" || event.kind === "released") running.delete(event.file);
      if (event.kind === "indexed") {
        frames.inc(event.frames);
        videoSeconds.inc(event.durationSeconds);
        workSeconds.inc(event.elapsedSeconds);
      }
      const outcome = outcomes.find((kind) => kind === event.kind);
      if (outcome === undefined || !("file" in event)) return;
      videos.inc({ outcome });
      running.delete(event.file);
      // Unreadable paths fail before the videos are discovered.
      remaining = Math.max(0, remaining - 1);
    },
    /** Clears the queue after a run, which can end before all videos were processed. */
    endRun(): void {
      running.clear();
      remaining = 0;
    },
  };
}

const outcomes = ["indexed", "moved", "updated", "skipped", "failed"] as const;

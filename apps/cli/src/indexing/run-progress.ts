import type { IndexEvent } from "@koma/library";

/** The progress of all videos of a run. */
export type RunProgress = {
  kind: "total";
  files: number;
  /** Videos that are indexed, skipped or failed. */
  done: number;
  /** Indexed seconds of video. */
  videoSeconds: number;
  /** Seconds of video per second. */
  speed: number;
  /** Null until a part of a video is indexed. */
  remainingSeconds: number | null;
  /** The part of the videos that is done, from 0 to 1. */
  fraction: number;
};

/**
 * Computes the progress of a run from its events. The remaining time assumes that the other videos take as long
 * as the indexed ones; unchanged videos take no time.
 */
export function createRunProgress() {
  const running = new Map<string, { durationSeconds: number; fraction: number }>();
  let startedMs = performance.now();
  let [files, done, indexed, indexedSeconds] = [0, 0, 0, 0];

  return {
    event(event: IndexEvent): void {
      switch (event.kind) {
        case "discovered":
          startedMs = performance.now();
          [files, done, indexed, indexedSeconds] = [event.files, 0, 0, 0];
          break;
        case "started":
          running.set(event.file, { durationSeconds: event.durationSeconds, fraction: 0 });
          break;
        case "progress": {
          const video = running.get(event.file);
          if (video !== undefined) video.fraction = event.fraction;
          break;
        }
        case "waiting":
          break;
        case "retrying":
        case "released":
          running.delete(event.file);
          break;
        default:
          running.delete(event.file);
          done++;
          if (event.kind !== "indexed") break;
          indexed++;
          indexedSeconds += event.durationSeconds;
      }
    },

    current(): RunProgress {
      let [videos, videoSeconds, runningVideos] = [indexed, indexedSeconds, 0];
      for (const { durationSeconds, fraction } of running.values()) {
        videos += fraction;
        runningVideos += fraction;
        videoSeconds += fraction * durationSeconds;
      }
      const elapsedSeconds = (performance.now() - startedMs) / 1000;
      const left = files - done - runningVideos;
      return {
        kind: "total",
        files,
        done,
        videoSeconds,
        speed: elapsedSeconds > 0 ? videoSeconds / elapsedSeconds : 0,
        remainingSeconds: videos > 0 ? (elapsedSeconds / videos) * Math.max(0, left) : null,
        fraction: files > 0 ? (done + runningVideos) / files : 0,
      };
    },
  };
}

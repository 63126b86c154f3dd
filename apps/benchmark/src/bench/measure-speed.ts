import { rm } from "node:fs/promises";
import { readChildSeconds, readDatabaseSeconds } from "./processor-time.ts";
import { runKoma } from "./run-koma.ts";
import { ffmpegTools, findVideos, runTool } from "./videos.ts";
import type { PeakBytes } from "./watch-memory.ts";

/** Wall time, and processor time of all processes, in seconds. */
type Duration = { wallSeconds: number; cpuSeconds: number };

/** Plain decoding and indexing of the same videos, including the start of the program. */
export type SpeedRun = {
  /** "default", or the option of `koma index`. */
  mode: string;
  videoSeconds: number;
  bare: Duration;
  index: Duration;
  peakBytes: PeakBytes;
};

/** The options of `koma index` that change its speed; the library of the last one is kept. */
const modes = ["--fast", "default"];

/**
 * Decodes all videos with plain ffmpeg, then indexes them into an empty library, in each mode; repeats both
 * and keeps the last library of the default mode.
 */
export async function measureSpeed(
  folder: string,
  { dataDir, runs }: { dataDir: string; runs: number },
): Promise<SpeedRun[]> {
  const videos = await findVideos(folder);
  const videoSeconds = videos.reduce((sum, video) => sum + video.durationSeconds, 0);
  const { ffmpegPath } = await ffmpegTools();
  const results: SpeedRun[] = [];
  for (let run = 0; run < runs; run++) {
    for (const mode of modes) {
      const isLast = run === runs - 1 && mode === "default";
      // The embedded database of a removed library exits some seconds after its last client.
      const ownDir = isLast ? dataDir : `${dataDir}-${results.length}`;
      // The first command creates the database, which is no part of indexing.
      await runKoma(["library", "list"], { dataDir: ownDir });
      const bare = await measure(ownDir, async () => {
        for (const { path } of videos)
          await runTool(ffmpegPath, ["-v", "error", "-nostdin", "-i", path, "-f", "null", "-"]);
      });
      const options = mode === "default" ? [] : [mode];
      const index = await measure(ownDir, () => runKoma(["index", ...options, folder], { dataDir: ownDir }));
      const { peakBytes } = index.result;
      results.push({ mode, videoSeconds, bare: bare.duration, index: index.duration, peakBytes });
      if (!isLast) await rm(ownDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 1000 });
    }
  }
  return results;
}

async function measure<T>(
  dataDir: string,
  work: () => Promise<T>,
): Promise<{ duration: Duration; result: T }> {
  const readSeconds = () => readChildSeconds() + readDatabaseSeconds(dataDir);
  const [startedMs, startedSeconds] = [performance.now(), readSeconds()];
  const result = await work();
  const wallSeconds = (performance.now() - startedMs) / 1000;
  return { result, duration: { wallSeconds, cpuSeconds: readSeconds() - startedSeconds } };
}

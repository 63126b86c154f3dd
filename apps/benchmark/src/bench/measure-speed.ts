import { rm } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { runKoma } from "./run-koma.ts";
import { ffmpegTools, findVideos, runTool } from "./videos.ts";
import type { PeakBytes } from "./watch-memory.ts";

/** Seconds of video, of plain decoding and of indexing, including the start of the program. */
export type SpeedRun = {
  videoSeconds: number;
  bareSeconds: number;
  indexSeconds: number;
  peakBytes: PeakBytes;
};

/**
 * Decodes all videos with plain ffmpeg, then indexes them into an empty library; repeats both and keeps the
 * last library.
 */
export async function measureSpeed(
  folder: string,
  { dataDir, runs }: { dataDir: string; runs: number },
): Promise<SpeedRun[]> {
  const videos = await findVideos(folder);
  const { ffmpegPath } = await ffmpegTools();
  const results: SpeedRun[] = [];
  for (let run = 0; run < runs; run++) {
    if (run > 0) await clear(dataDir);
    // The first command creates the database, which is no part of indexing.
    await runKoma(["library", "list"], { dataDir });
    const startedMs = performance.now();
    for (const video of videos) {
      await runTool(ffmpegPath, ["-v", "error", "-nostdin", "-i", video.path, "-f", "null", "-"]);
    }
    const bareSeconds = (performance.now() - startedMs) / 1000;
    const index = await runKoma(["index", folder], { dataDir });
    results.push({
      videoSeconds: videos.reduce((sum, video) => sum + video.durationSeconds, 0),
      bareSeconds,
      indexSeconds: index.seconds,
      peakBytes: index.peakBytes,
    });
  }
  return results;
}

/** The embedded database exits some seconds after its last client. */
async function clear(dataDir: string): Promise<void> {
  await sleep(8000);
  await rm(dataDir, { recursive: true, force: true });
}

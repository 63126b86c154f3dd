import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { encodeVideo, type FfmpegTools } from "@koma/media";
import { drawShots, framesPerSecond } from "./draw-shots.ts";
import { image } from "./drawing/drawing.ts";
import { sampleEpisodes } from "./sample-series.ts";

/**
 * Draws the sample films (three series of our own, eight films of half a minute) into a folder and gives their paths.
 * Films that are there are kept; a film has its name only when it is whole, so an interrupted run is simply repeated.
 * The same ffmpeg draws the same bytes.
 */
export async function generateSampleLibrary(options: {
  tools: FfmpegTools;
  folder: string;
  /** Films that are there, and films in all. */
  onProgress?: (done: number, total: number) => void;
  signal?: AbortSignal;
}): Promise<string[]> {
  const { tools, folder, onProgress, signal } = options;
  const files: string[] = [];
  for (const episode of sampleEpisodes) {
    signal?.throwIfAborted();
    onProgress?.(files.length, sampleEpisodes.length);
    const outputFile = join(folder, episode.file);
    if (!(await isFile(outputFile))) {
      await mkdir(dirname(outputFile), { recursive: true });
      await removeLeftovers(dirname(outputFile));
      const frames = drawShots(episode.shots());
      await encodeVideo(tools, { ...image, framesPerSecond, frames, outputFile, signal });
    }
    files.push(outputFile);
  }
  onProgress?.(files.length, sampleEpisodes.length);
  return files;
}

/** Removes what a killed run left; younger files may belong to a run of another process. */
async function removeLeftovers(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const facts = name.endsWith(".part") ? await stat(path).catch(() => undefined) : undefined;
    if (facts !== undefined && Date.now() - facts.mtimeMs > leftoverAgeMs) await rm(path, { force: true });
  }
}

const leftoverAgeMs = 60 * 60 * 1000;

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (facts) => facts.isFile() && facts.size > 0,
    () => false,
  );
}

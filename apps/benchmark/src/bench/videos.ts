import { spawn } from "node:child_process";
import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { readConfiguration } from "@koma/cli/config";
import { isVideo } from "@koma/cli/indexing/is-video";
import { findFfmpeg } from "@koma/library";

/** A video file of the benchmark. */
export type BenchVideo = { path: string; file: string; durationSeconds: number };

/** Returns all videos under a folder, by path, with their durations. Throws without a video. */
export async function findVideos(folder: string): Promise<BenchVideo[]> {
  const tools = await ffmpegTools();
  const entries = await readdir(folder, { recursive: true });
  const videos: BenchVideo[] = [];
  for (const entry of entries.filter(isVideo).sort()) {
    const path = join(folder, entry);
    const printed = await runTool(tools.ffprobePath, [
      ...["-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0"],
      path,
    ]);
    videos.push({ path, file: basename(path), durationSeconds: Number(printed.toString().trim()) });
  }
  if (videos.length === 0) throw new Error(`There are no videos in ${folder}.`);
  return videos;
}

/** Returns the ffmpeg that Koma itself would use. */
export function ffmpegTools() {
  const { FFMPEG_PATH, FFPROBE_PATH } = readConfiguration();
  return findFfmpeg({ ffmpegPath: FFMPEG_PATH, ffprobePath: FFPROBE_PATH });
}

/** Returns the standard output of a tool. Throws when it fails. */
export async function runTool(program: string, args: readonly string[]): Promise<Buffer> {
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "inherit"] });
  const parts: Buffer[] = [];
  child.stdout.on("data", (part: Buffer) => parts.push(part));
  const code = await new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  if (code !== 0) throw new Error(`${basename(program)} exited with ${code}`);
  return Buffer.concat(parts);
}

import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { findFfmpeg } from "@koma/media";
import { afterAll, beforeAll } from "vitest";

const run = promisify(execFile);
const env = { ...process.env, GCONV_PATH: "/nonexistent" };

/** The ffmpeg of this machine, which also creates the fixtures. */
export const tools = await findFfmpeg({ ffmpegPath: process.env.FFMPEG_PATH });

/** Creates a folder that is removed after the tests of the file. */
export function temporaryFolder(): { path: (name: string) => string } {
  let folder = "";
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "koma-media-"));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  return { path: (name) => join(folder, name) };
}

/** Runs ffmpeg with the given arguments. */
export async function ffmpeg(...args: string[]): Promise<void> {
  await run(tools.ffmpegPath, ["-v", "error", "-nostdin", "-y", ...args], { maxBuffer: 1e9, env });
}

/** Returns the input of a moving test image, `seconds` long. */
export function movingImage(seconds: number, size = "160x90", rate = "24"): string[] {
  return ["-f", "lavfi", "-i", `testsrc2=size=${size}:rate=${rate}:duration=${seconds}`];
}

/** Returns the input of a tone, `seconds` long. */
export function tone(seconds: number): string[] {
  return ["-f", "lavfi", "-i", `sine=frequency=440:duration=${seconds}`];
}

/** Fast H.264 with the reordering (B frames) of real videos. */
export const h264 = [
  "-c:v",
  "libx264",
  "-preset",
  "ultrafast",
  "-bf",
  "2",
  "-g",
  "24",
  "-pix_fmt",
  "yuv420p",
];

/** Returns the reference: times of all frames from the start of the container, by ffprobe. */
export async function frameTimes(file: string): Promise<number[]> {
  const entries = "frame=best_effort_timestamp_time:format=start_time";
  const { stdout } = await run(
    tools.ffprobePath,
    ["-v", "error", "-select_streams", "v:0", "-show_entries", entries, "-of", "json", `file:${file}`],
    { maxBuffer: 1e9, env },
  );
  const probe = JSON.parse(stdout) as {
    frames: { best_effort_timestamp_time: string }[];
    format: { start_time?: string };
  };
  const start = Number(probe.format.start_time ?? 0);
  const times = probe.frames.map((frame) => Number(frame.best_effort_timestamp_time) - start);
  // The last of packed B frames has no time: it follows at the frame rate.
  const [last = 0, before = 0, beforeThat = 0] = times.toReversed();
  return Number.isNaN(last) ? [...times.slice(0, -1), 2 * before - beforeThat] : times;
}

/** Returns the frames of an image or a video as RGB of the given size. */
export async function rgbFrames(file: string, width: number, height: number): Promise<Uint8Array[]> {
  const { stdout } = await run(
    tools.ffmpegPath,
    [
      ...["-v", "error", "-nostdin", "-i", `file:${file}`, tools.frameTimingOption, "passthrough"],
      ...["-vf", `scale=${width}:${height}:flags=area,format=rgb24`, "-f", "rawvideo", "pipe:1"],
    ],
    { encoding: "buffer", maxBuffer: 1e9, env },
  );
  const bytes = width * height * 3;
  return Array.from({ length: stdout.length / bytes }, (_, i) => stdout.subarray(i * bytes, (i + 1) * bytes));
}

/** Returns the mean absolute difference of two frames, 0..255. */
export function difference(a: Uint8Array, b: Uint8Array): number {
  if (a.length !== b.length) throw new Error(`frames of ${a.length} and ${b.length} bytes`);
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += Math.abs((a[i] ?? 0) - (b[i] ?? 0));
  return sum / a.length;
}

/** Collects an async iterable. */
export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

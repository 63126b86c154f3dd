import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { findFfmpeg } from "@koma/media";

const run = promisify(execFile);

/** Videos of one long shot each, from sources that every ffmpeg has, with readable titles. */
export const videos = {
  alpha: {
    title: "Alpha Show",
    titleNative: "アルファ",
    id: 101,
    isAdult: false,
    episode: 1,
    source: "mandelbrot=s=320x240:r=12",
  },
  beta: {
    title: "Beta Show",
    titleNative: "ベータ",
    id: 102,
    isAdult: false,
    episode: 2,
    source: "mandelbrot=s=320x240:r=12:start_x=-0.1:start_y=-0.9,negate,hue=h=80",
  },
  cards: {
    title: "Cards",
    titleNative: "カード",
    id: 103,
    isAdult: false,
    episode: 3,
    source: "testsrc2=s=320x240:r=12",
  },
  night: {
    title: "Night Garden",
    titleNative: "夜の庭",
    id: 104,
    isAdult: true,
    episode: 1,
    source: "mandelbrot=s=320x240:r=12:start_x=-0.745:start_y=0.11,hue=h=200",
  },
} as const;

/** The name of one of the videos. */
export type VideoName = keyof typeof videos;

const seconds = 8;

/** Renders a video with sound. */
export async function drawVideo(name: VideoName, file: string): Promise<void> {
  await ffmpeg([
    ...["-f", "lavfi", "-t", String(seconds), "-i", videos[name].source],
    ...["-f", "lavfi", "-t", String(seconds), "-i", "sine=frequency=440"],
    ...["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-c:a", "aac", file],
  ]);
}

/** One frame of a video as a JPEG. */
export async function takeFrame(video: string, atSeconds: number, file: string): Promise<void> {
  await takeFrames(video, [{ atSeconds, file }]);
}

/** Frames of a video as JPEGs. */
export async function takeFrames(
  video: string,
  frames: readonly { atSeconds: number; file: string }[],
): Promise<void> {
  const outputs = frames.flatMap(({ atSeconds, file }) => [
    ...["-ss", String(atSeconds), "-frames:v", "1", "-q:v", "2", file],
  ]);
  await ffmpeg(["-i", video, ...outputs]);
}

let found: ReturnType<typeof findFfmpeg> | undefined;
/** Finds ffmpeg once: that starts two programs. */
const findTools = () => (found ??= findFfmpeg());

async function ffmpeg(args: readonly string[]): Promise<void> {
  const { ffmpegPath } = await findTools();
  await run(ffmpegPath, ["-v", "error", "-nostdin", "-y", ...args]);
}

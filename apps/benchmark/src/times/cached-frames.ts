import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { deserialize, serialize } from "node:v8";
import type { VideoAccess } from "../quality/images/video-access.ts";
import { type FramesOfVideo, readFrames } from "./read-frames.ts";

/** Reads a video, or what an earlier run stored of the same file in the folder. */
export async function readCachedFrames(
  access: VideoAccess,
  folder: string,
  video: { file: string; name: string; work: string },
  onFrame: (atSeconds: number) => void,
): Promise<FramesOfVideo> {
  const { size, mtimeMs } = await stat(video.file);
  const file = join(folder, `${video.name} ${size} ${Math.trunc(mtimeMs)}.frames`);
  const stored = await readFile(file).catch(() => undefined);
  if (stored !== undefined) return { ...deserialize(stored), ...video };
  const frames = await readFrames(access, video, onFrame);
  await mkdir(folder, { recursive: true });
  await writeFile(file, serialize(frames));
  return frames;
}

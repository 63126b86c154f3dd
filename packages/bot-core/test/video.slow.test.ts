import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { sharp } from "@koma/image";
import { type FfmpegTools, findFfmpeg } from "@koma/media";
import { afterAll, beforeAll, expect, test } from "vitest";
import { prepareImage } from "../src/image/prepare-image.ts";

let tools: FfmpegTools;
let folder: string;
const sharedFolder = process.env.TMPDIR;
beforeAll(async () => {
  tools = await findFfmpeg();
  folder = await mkdtemp(join(tmpdir(), "koma-pictures-"));
  // Tests of other packages store videos in the shared folder at the same time.
  process.env.TMPDIR = folder;
});
afterAll(async () => {
  if (sharedFolder === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = sharedFolder;
  await rm(folder, { recursive: true, force: true });
});

async function drawVideo(name: string, ...options: string[]): Promise<Buffer> {
  const file = join(folder, name);
  await promisify(execFile)(tools.ffmpegPath, ["-v", "error", "-y", ...options, file]);
  return await readFile(file);
}

const { signal } = new AbortController();
const prepare = (bytes: Uint8Array, frame?: { atSeconds: number }) =>
  prepareImage(bytes, { frame, mediaTools: tools, signal });

test("returns the first informative frame of a video, or the requested one, and deletes its files", async () => {
  const black = ["-f", "lavfi", "-t", "1", "-i", "color=black:s=320x240:r=12"];
  const bars = ["-f", "lavfi", "-t", "3", "-i", "testsrc=s=320x240:r=12"];
  const joined = ["-filter_complex", "[0:v][1:v]concat=n=2,format=yuv420p[v]", "-map", "[v]"];
  const video = await drawVideo("film.mp4", ...black, ...bars, ...joined, "-c:v", "libx264");
  const brightness = async (bytes: Uint8Array) =>
    (await sharp(bytes).greyscale().stats()).channels[0]?.mean ?? 0;
  expect(await brightness(await prepare(video))).toBeGreaterThan(50);
  expect(await brightness(await prepare(video, { atSeconds: 0.2 }))).toBeLessThan(20);
  expect(await brightness(await prepare(video, { atSeconds: 2 }))).toBeGreaterThan(50);
  expect(await brightness(await prepare(video, { atSeconds: 999 }))).toBeGreaterThan(50);
  const webm = await drawVideo("sticker.webm", ...bars, "-c:v", "libvpx-vp9").catch(() => undefined);
  if (webm !== undefined) expect(await brightness(await prepare(webm))).toBeGreaterThan(50);
  const problemOf = (bytes: Uint8Array, mediaTools?: FfmpegTools) =>
    prepareImage(bytes, { frame: undefined, mediaTools, signal }).catch(({ problem }) => problem);
  expect(await problemOf(video.subarray(0, 2000), tools)).toBe("unreadable-video");
  expect(await problemOf(video)).toBe("videos-off");
  expect((await readdir(folder)).filter((name) => name.startsWith("koma-video-"))).toEqual([]);
});

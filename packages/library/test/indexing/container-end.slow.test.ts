import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";
import { hasEnd, isBeingWritten } from "../../src/indexing/container-end.ts";
import { findTools } from "../fixtures/open-test-library.ts";

const folder = await mkdtemp(join(tmpdir(), "koma-container-end-"));
afterAll(() => rm(folder, { recursive: true, force: true }));

const h264 = ["-c:v", "libx264", "-c:a", "aac"];
const h263 = ["-an", "-s", "176x144", "-c:v", "h263"];

/** Writes three seconds of video with sound as ffmpeg writes this container. */
async function encode(name: string, options: readonly string[]): Promise<string> {
  const file = join(folder, name);
  const image = ["-f", "lavfi", "-i", "testsrc=s=176x144:d=3:r=25"];
  const sound = ["-f", "lavfi", "-i", "sine=d=3"];
  const { ffmpegPath } = await findTools();
  await promisify(execFile)(ffmpegPath, ["-y", "-v", "error", ...image, ...sound, ...options, file]);
  return file;
}

test.each([
  ["a.mp4", h264],
  ["index-first.mp4", [...h264, "-movflags", "+faststart"]],
  ["fragments.mp4", [...h264, "-movflags", "+frag_keyframe+empty_moov", "-g", "10"]],
  ["a.mov", h264],
  ["a.m4v", h264],
  ["a.3gp", h263],
  ["a.mkv", h264],
  ["a.webm", ["-c:v", "libvpx", "-c:a", "libopus"]],
  ["a.avi", []],
  ["a.wmv", []],
  ["a.ogv", ["-c:v", "libtheora", "-c:a", "libvorbis"]],
  ["a.gif", ["-an"]],
])("knows %s with and without its end", async (name, options) => {
  const file = await encode(name, options);
  const bytes = await readFile(file);
  expect(await hasEnd(file)).toBe(true);
  for (const part of [0.5, 0.9, 0.99]) {
    const cut = join(folder, `cut-${part}-${name}`);
    await writeFile(cut, bytes.subarray(0, Math.floor(bytes.length * part)));
    expect([part, await hasEnd(cut)]).toEqual([part, false]);
  }
});

test("waits ten minutes for a file that states no end", async () => {
  const stream = await encode("a.ts", h264);
  const recording = await encode("live.mkv", [...h264, "-live", "1"]);
  const empty = join(folder, "empty.mp4");
  await writeFile(empty, "");
  for (const path of [stream, recording, empty]) {
    const { size, mtimeMs } = await stat(path);
    const video = { path, sizeBytes: size, modifiedAtMs: mtimeMs };
    expect(await isBeingWritten(video, mtimeMs + 599_000)).toBe(true);
    expect(await isBeingWritten(video, mtimeMs + 600_000)).toBe(false);
  }
});

import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { ImageError, type LibrarySearch, openLibrary } from "@koma/library";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findTools, openTestLibrary, type TestLibrary } from "../fixtures/open-test-library.ts";

let opened: TestLibrary;
let file: string;
let library: Awaited<ReturnType<typeof openLibrary>>;
let search: LibrarySearch;
beforeAll(async () => {
  opened = await openTestLibrary({ isEmbedded: true });
  file = await opened.addVideo(1, "First/First - 01.mp4");
  await opened.addVideo(2, "Second/Second - 01.mp4");
  await opened.index();
  const { database, dataDir } = opened;
  library = await openLibrary({ database, dataDir, tools: findTools, engineWorkers: 1 });
  // On a slow machine each process takes seconds.
  search = await library.openSearch({ follow: false, videoTimeoutMs: 600_000 });
});
afterAll(async () => {
  await library?.close();
  await opened.close();
});

/** Encodes a video with ffmpeg's own arguments and returns its bytes. */
async function encode(name: string, ...args: string[]): Promise<Buffer> {
  const target = join(opened.videosDir, "..", name);
  await promisify(execFile)((await findTools()).ffmpegPath, [
    "-v",
    "error",
    "-nostdin",
    "-y",
    ...args,
    target,
  ]);
  return await readFile(target);
}

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => (error instanceof ImageError ? error.code : error),
  );

test("finds the scene of an MP4 and a WebM", async () => {
  const webm = await encode("query.webm", "-i", file, "-t", "3", "-an", "-c:v", "libvpx", "-b:v", "1M");
  for (const bytes of [await readFile(file), webm]) {
    const { matches, outcome, frameAtSeconds = -1 } = await search.search(bytes, { limit: 1 });
    expect(outcome).toBe("found");
    expect(matches[0]).toMatchObject({ anime: { titleRomaji: "First" }, isConfident: true });
    // The query is the start of the video, so the frame and its match have the same time.
    expect(frameAtSeconds).toBeGreaterThan(0);
    expect(Math.abs((matches[0]?.timestamp ?? 0) - frameAtSeconds)).toBeLessThan(1);
  }
});

test("searches the frame with most detail", async () => {
  const joined = [
    "[0:v]settb=1/12000,format=yuv420p[a];[1:v]scale=192:108,fps=12,settb=1/12000,format=yuv420p,setsar=1[b];[a][b]concat=n=2[v]",
    ...["-map", "[v]", "-c:v", "libx264"],
  ];
  const black = ["-f", "lavfi", "-t", "4", "-i", "color=black:s=192x108:r=12"];
  const bytes = await encode("late.mp4", ...black, "-t", "2", "-i", file, "-filter_complex", ...joined);
  const { matches, frameAtSeconds = -1 } = await search.search(bytes, { limit: 1 });
  expect(matches[0]).toMatchObject({ anime: { titleRomaji: "First" } });
  expect(frameAtSeconds).toBeGreaterThan(4);
  expect(frameAtSeconds).toBeLessThan(6);
});

test("rejects long, large, damaged and silent files by codes", async () => {
  const tiny = ["-f", "lavfi", "-i", "color=red:s=64x64:r=2"];
  const encoder = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p"];
  const minute = await encode("minute.mp4", ...tiny, "-t", "60", ...encoder);
  expect(await codeOf(search.search(minute, { limit: 1 }))).toBeUndefined();
  const long = await encode("long.mp4", ...tiny, "-t", "62", ...encoder);
  expect(await codeOf(search.search(long, { limit: 1 }))).toBe("image_too_large");
  const large = Buffer.concat([minute, Buffer.alloc(10 * 1024 * 1024)]);
  expect(await codeOf(search.search(large, { limit: 1 }))).toBe("image_too_large");
  const whole = await readFile(file);
  expect(await codeOf(search.search(whole.subarray(0, 64), { limit: 1 }))).toBe("image_unreadable");
  // An interrupted download: its index is at the start, so the frames that are there are readable.
  const half = whole.subarray(0, whole.length / 2);
  expect(await codeOf(search.search(half, { limit: 1 }))).toBeUndefined();
  const sound = await encode("sound.mp4", "-f", "lavfi", "-t", "1", "-i", "sine", "-c:a", "aac");
  expect(await codeOf(search.search(sound, { limit: 1 }))).toBe("image_unreadable");
});

test("returns a result or an ImageError for damaged videos", async () => {
  const webm = await encode("damaged.webm", "-i", file, "-t", "2", "-an", "-c:v", "libvpx");
  for (const whole of [await readFile(file), webm]) {
    for (const part of [0, 2]) {
      const damaged = Buffer.from(whole);
      const at = Math.max(40, Math.floor((whole.length * part) / 4));
      damaged.fill(37 * (part + 1), at, at + 100);
      expect(["image_unreadable", "image_too_large", undefined]).toContain(
        await codeOf(search.search(damaged, { limit: 1 })),
      );
    }
  }
});

test("rejects an aborted video with the reason of its signal", async () => {
  const stopping = new AbortController();
  const searching = search.search(await readFile(file), { limit: 1, signal: stopping.signal });
  stopping.abort(new Error("left"));
  await expect(searching).rejects.toThrow("left");
});

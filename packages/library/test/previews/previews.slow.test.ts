import { readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sharp } from "@koma/image";
import { PreviewBusyError, PreviewGoneError } from "@koma/library";
import { probeVideo } from "@koma/media";
import { afterAll, expect, test } from "vitest";
import { findTools, openTestLibrary } from "../fixtures/open-test-library.ts";

const opened = await openTestLibrary();
const video = await opened.addVideo(1, "Title - 01.mp4");
await opened.index();
const episodeId = (await opened.database.episodes.findByPath(video))?.id ?? "";
afterAll(() => opened.close());

test("cuts stills and clips, and reads them from the cache the second time", async () => {
  const previews = opened.library.openPreviews();
  const still = await previews.still(episodeId, 1.5);
  expect(await sharp(await readFile(still)).metadata()).toMatchObject({
    format: "jpeg",
    width: 192,
    height: 108,
  });
  const clip = await previews.clip(episodeId, 3, 5.5, { size: "s" });
  const info = await probeVideo(await findTools(), clip);
  expect(info).toMatchObject({ videoCodec: "h264", height: 108 });
  expect(info.durationSeconds).toBeCloseTo(2.5, 0);

  const created = await stat(clip);
  expect(await previews.clip(episodeId, 3, 5.5, { size: "s" })).toBe(clip);
  expect((await stat(clip)).ino).toBe(created.ino);
  expect(await previews.clip(episodeId, 3, 5.5, { size: "s", isMuted: true })).not.toBe(clip);
});

test("creates a preview once for concurrent requests", async () => {
  const cacheDir = join(opened.dataDir, "single");
  const previews = opened.library.openPreviews({ cacheDir, concurrency: 1, maxQueued: 0 });
  const paths = await Promise.all([1, 2, 3].map(() => previews.still(episodeId, 4)));
  expect(new Set(paths).size).toBe(1);
  expect(await readdir(cacheDir)).toHaveLength(1);
});

test("rejects requests beyond its queue", async () => {
  const cacheDir = join(opened.dataDir, "busy");
  const previews = opened.library.openPreviews({ cacheDir, concurrency: 1, maxQueued: 1 });
  const results = await Promise.allSettled([1, 2, 3, 4].map((at) => previews.still(episodeId, at)));
  const refused = results.flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
  expect(refused).toEqual([expect.any(PreviewBusyError), expect.any(PreviewBusyError)]);
  // The rejected requests have no effect: the next one succeeds.
  expect(await previews.still(episodeId, 5)).toContain(cacheDir);
});

test("cancels a preview that takes too long and continues with the next one", async () => {
  const cacheDir = join(opened.dataDir, "slow");
  const previews = opened.library.openPreviews({ cacheDir, concurrency: 1, timeoutMs: 1 });
  await expect(previews.still(episodeId, 4)).rejects.toThrow(PreviewBusyError);
  await expect(previews.clip(episodeId, 1, 2)).rejects.toThrow(PreviewBusyError);
  expect(await readdir(cacheDir)).toEqual([]);
});

test("retries a folder that was not usable", async () => {
  const cacheDir = join(opened.dataDir, "taken");
  await writeFile(cacheDir, "");
  const previews = opened.library.openPreviews({ cacheDir });
  await expect(previews.still(episodeId, 4)).rejects.toThrow("EEXIST");
  await rm(cacheDir);
  expect(await previews.still(episodeId, 4)).toContain(cacheDir);
});

test("deletes the least recently used files of a full cache, also those of an earlier process", async () => {
  const cacheDir = join(opened.dataDir, "small");
  const filling = opened.library.openPreviews({ cacheDir });
  const first = await filling.still(episodeId, 1);
  const second = await filling.still(episodeId, 2);
  const limitBytes = (await stat(first)).size + (await stat(second)).size + 10;
  const previews = opened.library.openPreviews({ cacheDir, limitBytes });
  await previews.still(episodeId, 1);
  const third = await previews.still(episodeId, 7);
  const left = (await readdir(cacheDir)).map((name) => join(cacheDir, name));
  expect(left).toContain(third);
  expect(left).not.toContain(second);
  const sizes = await Promise.all(left.map(async (path) => (await stat(path)).size));
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(limitBytes);
});

test("throws when episode or video is missing, but serves cached previews", async () => {
  const previews = opened.library.openPreviews();
  await expect(previews.still("unknown", 1)).rejects.toThrow(PreviewGoneError);
  const cached = await previews.still(episodeId, 6);
  await rm(video);
  expect(await previews.still(episodeId, 6)).toBe(cached);
  await expect(previews.still(episodeId, 6.5)).rejects.toThrow(PreviewGoneError);
});

test("lets a caller stop waiting", async () => {
  const previews = opened.library.openPreviews();
  await expect(previews.still(episodeId, 6, { signal: AbortSignal.abort() })).rejects.toThrow("aborted");
});

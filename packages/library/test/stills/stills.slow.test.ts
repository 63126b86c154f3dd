import { copyFile, readdir, readFile, rename, rm, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sharp } from "@koma/image";
import type { Previews } from "@koma/library";
import { afterAll, afterEach, beforeEach, expect, inject, test, vi } from "vitest";
import { shotSeconds } from "../fixtures/make-video.ts";
import { openTestLibrary, still } from "../fixtures/open-test-library.ts";

// Stills are made at low priority, so they take minutes beside the other tests of a busy machine.
vi.setConfig({ testTimeout: 600_000 });

const opened = await openTestLibrary({ isEmbedded: true });
const folder = join(opened.dataDir, "stills");
let previews: Previews;
let caches = 0;

beforeEach(() => {
  previews = openFresh();
});
afterEach(async () => {
  await previews.close();
  await opened.clear();
});
afterAll(() => opened.close());

/** Opens previews with an empty cache. */
function openFresh(): Previews {
  return opened.library.openPreviews({ cacheDir: join(opened.dataDir, `cache ${caches++}`) });
}

async function addIndexed(seed: number, name: string): Promise<{ id: string; video: string }> {
  const video = await opened.addVideo(seed, name);
  await opened.index();
  return { id: await findId(video), video };
}

async function findId(video: string): Promise<string> {
  const id = (await opened.database.episodes.findByPath(video))?.id;
  if (id === undefined) throw new Error(`${video} is not indexed.`);
  return id;
}

/** The middle of a shot of a fixture. */
const middleOf = (shot: number) => (shot + 0.5) * shotSeconds;

/** Expects stored stills of all three shots that show the video with this seed. */
async function expectStills(id: string, seed: number): Promise<void> {
  for (const shot of [0, 1, 2]) {
    for (const atSeconds of [shot * shotSeconds + 0.25, middleOf(shot), (shot + 1) * shotSeconds - 0.25]) {
      const found = await previews.findShotStill(id, atSeconds);
      if (found === undefined) throw new Error(`There is no still at ${atSeconds} s.`);
      const differences = await Promise.all(
        [0, 1, 2].map(async (other) => await difference(found, await cutMiddle(seed, other))),
      );
      const own = differences[shot] ?? 255;
      expect(own).toBeLessThan(8);
      for (const other of [0, 1, 2]) if (other !== shot) expect(differences[other]).toBeGreaterThan(own + 8);
    }
  }
}

const cut = new Map<string, Promise<Buffer>>();

/** The exact still of the middle of a shot; ffmpeg cuts it once. */
function cutMiddle(seed: number, shot: number): Promise<Buffer> {
  const key = `${seed} ${shot}`;
  const exact = cut.get(key) ?? still(join(inject("videosDir"), `${seed}.mp4`), middleOf(shot));
  cut.set(key, exact);
  return exact;
}

/** The mean difference of two images of 32 x 18 pixels. */
async function difference(left: Buffer, right: Buffer): Promise<number> {
  const [a, b] = await Promise.all(
    [left, right].map((image) => sharp(image).resize(32, 18, { fit: "fill" }).raw().toBuffer()),
  );
  if (a === undefined || b === undefined) throw new Error("An image is missing.");
  return a.reduce((sum, value, i) => sum + Math.abs(value - (b[i] ?? 0)), 0) / a.length;
}

test("indexing stores one still per shot, which needs no video", async () => {
  const { id, video } = await addIndexed(1, "Title - 01.mp4");
  expect(await readdir(folder)).toEqual([`${id}.stills`]);
  expect((await stat(join(folder, `${id}.stills`))).size).toBeLessThan(65_536 + 9 * 1400);
  await rm(video);
  await expectStills(id, 1);
  const found = (await previews.findShotStill(id, middleOf(0), { size: "l" })) ?? Buffer.alloc(0);
  expect(await sharp(found).metadata()).toMatchObject({ format: "jpeg", width: 192, height: 108 });
  expect(previews.status().cache.misses).toBe(0);
});

test("the exact still replaces the still of the shot", async () => {
  const { id } = await addIndexed(1, "Title - 01.mp4");
  expect(await previews.findShotStill(id, 1.5)).toBeInstanceOf(Buffer);
  await previews.still(id, 1.5);
  expect(await previews.findShotStill(id, 1.5)).toBeUndefined();
  // Other sizes and times are other stills.
  expect(await previews.findShotStill(id, 1.5, { size: "s" })).toBeInstanceOf(Buffer);
  expect(await previews.findShotStill(id, 1.75)).toBeInstanceOf(Buffer);
});

test("stills follow their episode: moved, replaced, overwritten, removed", async () => {
  const { id, video } = await addIndexed(1, "Title - 01.mp4");
  const moved = join(opened.videosDir, "Title - 02.mp4");
  await rename(video, moved);
  await opened.index();
  await expectStills(id, 1);

  await copyFile(join(inject("videosDir"), "2.mp4"), moved);
  await opened.index();
  expect(await findId(moved)).toBe(id);
  await expectStills(id, 2);

  const other = await addIndexed(3, "Title - 03.mp4");
  await rename(other.video, moved);
  await opened.index();
  expect(await findId(moved)).toBe(other.id);
  expect(await readdir(folder)).toEqual([`${other.id}.stills`]);
  await expectStills(other.id, 3);

  await opened.library.remove({ ids: [other.id] });
  expect(await readdir(folder)).toEqual([]);
});

test("missing stills, as in a library of an earlier version, are created in the background", async () => {
  const first = await addIndexed(1, "Title - 01.mp4");
  const second = await addIndexed(2, "Title - 02.mp4");
  await rm(folder, { recursive: true });
  await previews.backFillStills();
  await expectStills(first.id, 1);
  await expectStills(second.id, 2);
  expect(opened.logs).toEqual([]);
  const stored = await stat(join(folder, `${first.id}.stills`));
  await previews.backFillStills();
  expect((await stat(join(folder, `${first.id}.stills`))).ino).toBe(stored.ino);
});

test("closing waits until the back-fill has listed the missing stills", async () => {
  let hasEnded = false;
  const filling = previews.backFillStills().then(() => {
    hasEnded = true;
  });
  await previews.close();
  expect(hasEnded).toBe(true);
  await filling;
});

test("a request for a missing still has its episode's stills created", async () => {
  const { id } = await addIndexed(1, "Title - 01.mp4");
  await rm(folder, { recursive: true });
  expect(await previews.findShotStill(id, 1.5)).toBeUndefined();
  await expect.poll(() => previews.findShotStill(id, 1.5), { timeout: 300_000 }).toBeInstanceOf(Buffer);
});

test("the back-fill deletes the stills of removed episodes and replaces those of other content", async () => {
  const { id, video } = await addIndexed(1, "Title - 01.mp4");
  const file = join(folder, `${id}.stills`);
  const earlier = await readFile(file);
  await copyFile(join(inject("videosDir"), "2.mp4"), video);
  await opened.index();
  // As after a crash between the descriptors and the stills of new content.
  await writeFile(file, earlier);
  await writeFile(join(folder, "removed.stills"), earlier);
  await previews.backFillStills();
  expect(await readdir(folder)).toEqual([`${id}.stills`]);
  await expectStills(id, 2);
});

test("the back-fill omits videos that are missing, changed or unreadable", async () => {
  const missing = await addIndexed(1, "Title - 01.mp4");
  const changed = await addIndexed(2, "Title - 02.mp4");
  const unreadable = await addIndexed(3, "Title - 03.mp4");
  const readable = await addIndexed(4, "Title - 04.mp4");
  await rm(folder, { recursive: true });
  await rm(missing.video);
  await copyFile(join(inject("videosDir"), "4.mp4"), changed.video);
  const { size } = await stat(unreadable.video);
  await writeFile(unreadable.video, Buffer.alloc(size));
  const { mtimeMs } = await stat(unreadable.video);
  await opened.database.episodes.refreshFile(unreadable.id, {
    sizeBytes: size,
    modifiedAtMs: Math.trunc(mtimeMs),
  });
  await previews.backFillStills();
  expect(await readdir(folder)).toEqual([`${readable.id}.stills`]);
  expect(opened.logs).toEqual([expect.stringContaining(unreadable.id)]);
  for (const { id } of [missing, changed, unreadable])
    expect(await previews.findShotStill(id, 1.5)).toBeUndefined();
  await expect(previews.still(readable.id, 1.5)).resolves.toContain("cache");
});

test("damaged stills are replaced, and the exact still stays available", async () => {
  const { id } = await addIndexed(1, "Title - 01.mp4");
  const file = join(folder, `${id}.stills`);
  const sound = await readFile(file);
  const damages: (() => Promise<void>)[] = [
    () => truncate(file, 70),
    async () => await truncate(file, (await stat(file)).size - 1),
    () => writeFile(file, Buffer.concat([sound.subarray(0, 64), Buffer.alloc(sound.length, 0xff)])),
  ];
  for (const damage of damages) {
    await damage();
    const fresh = openFresh();
    expect(await fresh.findShotStill(id, middleOf(2))).toBeUndefined();
    expect(await fresh.still(id, middleOf(2))).toContain("cache");
    await fresh.backFillStills();
    await fresh.close();
    await expectStills(id, 1);
  }
});

test("an unusable folder prevents neither indexing nor previews", async () => {
  await rm(folder, { recursive: true });
  await writeFile(folder, "a file");
  const { id } = await addIndexed(1, "Title - 01.mp4");
  expect(opened.logs).toEqual([expect.stringContaining("Title - 01.mp4")]);
  expect(await previews.findShotStill(id, 1.6)).toBeUndefined();
  expect(await previews.still(id, 1.6)).toContain("cache");
  await previews.backFillStills();
  await rm(folder);
  await openFresh().backFillStills();
  await expectStills(id, 1);
});

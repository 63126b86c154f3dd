import { readdir, rm, stat, truncate, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { ImageError, type LibrarySearch, openLibrary } from "@koma/library";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { shotSeconds } from "../fixtures/make-video.ts";
import { findTools, openTestLibrary, still, type TestLibrary } from "../fixtures/open-test-library.ts";
import { runIndexer } from "../fixtures/run-indexer.ts";

let opened: TestLibrary;
let videos: string[];

beforeAll(async () => {
  opened = await openTestLibrary({ isEmbedded: true });
  videos = [
    await opened.addVideo(1, "First/First - 01.mp4"),
    await opened.addVideo(2, "First/First - 02.mp4"),
    await opened.addVideo(3, "Second/Season 2/S02E01.mp4"),
  ];
  await opened.index();
});
afterAll(async () => {
  await opened.close();
});

/** Opens and closes a search, which writes the files of the index. */
async function openOnce(): Promise<void> {
  await (await opened.library.openSearch({ follow: false })).close();
}

describe("a search of several images", () => {
  let search: LibrarySearch;
  beforeAll(async () => {
    search = await opened.library.openSearch({ follow: false });
  });
  afterAll(() => search.close());

  test("finds the video, episode, shot and time of a frame", async () => {
    for (const [at, video] of videos.entries()) {
      const seconds = at * shotSeconds + 1.5;
      const { matches, frameCount } = await search.search(await still(video, seconds), {
        limit: 5,
      });
      const [best] = matches;
      if (best === undefined) throw new Error("Nothing was found.");
      expect(best).toMatchObject({
        rank: 1,
        fileName: basename(video),
        isConfident: true,
        isMirrored: false,
      });
      expect(best.from).toBeGreaterThanOrEqual(at * shotSeconds - 0.1);
      expect(best.to).toBeLessThanOrEqual((at + 1) * shotSeconds + 0.1);
      const { from, looksSameFrom, timestamp, looksSameTo, to } = best;
      const times = [from, looksSameFrom ?? Number.NaN, timestamp, looksSameTo ?? Number.NaN, to];
      expect(times).toEqual(times.toSorted((a, b) => a - b));
      expect(best.durationSeconds).toBeCloseTo(9, 1);
      expect(frameCount).toBe(search.frameCount());
      expect(matches.map(({ rank }) => rank)).toEqual(matches.map((_, index) => index + 1));
      const similarities = matches.map(({ similarity }) => similarity);
      expect(similarities).toEqual([...similarities].sort((left, right) => right - left));
    }
  });

  test("returns the data of anime and episode from the database", async () => {
    const { matches } = await search.search(await still(videos[2] ?? "", 1), { limit: 1 });
    expect(matches).toHaveLength(1);
    expect(matches[0]).toMatchObject({
      anime: { titleRomaji: "Second" },
      episode: { season: 2, number: "1", title: null },
    });
  });

  test("searches in one anime only", async () => {
    const second = (await opened.library.list()).find(({ anime }) => anime.titleRomaji === "Second");
    const image = await still(videos[0] ?? "", 1);
    const { matches } = await search.search(image, { limit: 5, animeId: second?.anime.id });
    expect(new Set(matches.map(({ anime }) => anime.id))).toEqual(new Set([second?.anime.id]));
    expect((await search.search(image, { limit: 5, animeId: "unknown" })).matches).toEqual([]);
  });

  test("returns the results of many images in order, with errors for invalid ones", async () => {
    const images = [
      { name: "image 3", read: () => still(videos[2] ?? "", 4) },
      { name: "text", read: async () => Buffer.from("no picture") },
      { name: "unreadable", read: async () => Promise.reject(new Error("unreadable")) },
      { name: "image 1", read: () => still(videos[0] ?? "", 4) },
    ];
    const results: unknown[] = [];
    for await (const result of search.searchMany(images, { limit: 1 })) {
      results.push(
        "outcome" in result ? result.outcome.matches[0]?.fileName : [result.image.name, result.error],
      );
    }
    expect(results).toEqual([
      "S02E01.mp4",
      ["text", expect.any(ImageError)],
      ["unreadable", new Error("unreadable")],
      "First - 01.mp4",
    ]);
  });

  test("stops a search of many images when it is aborted", async () => {
    const stopping = new AbortController();
    const image = { read: () => still(videos[0] ?? "", 1) };
    const finished: unknown[] = [];
    const result = async (): Promise<void> => {
      const images = Array.from({ length: 50 }, () => image);
      for await (const one of search.searchMany(images, { limit: 1, signal: stopping.signal })) {
        finished.push(one);
        stopping.abort();
      }
    };
    await expect(result()).rejects.toThrow(/abort/i);
    expect(finished).toHaveLength(1);
  });
});

test("follows the episodes that another process indexes and removes", async () => {
  const search = await opened.library.openSearch({ follow: true });
  const other = await opened.openAgain();
  try {
    const video = await opened.addVideo(4, "Late/Late - 01.mp4");
    const image = await still(video, 1.5);
    const findFile = async () => (await search.search(image, { limit: 1 })).matches[0]?.fileName;
    expect(await findFile()).not.toBe("Late - 01.mp4");
    const framesBefore = search.frameCount();

    expect(await runIndexer(opened.dataDir, video)).toBe(0);
    await until(async () => (await findFile()) === "Late - 01.mp4", 5000);
    await until(() => search.frameCount() > framesBefore, 5000);

    expect(await other.library.remove({ paths: [video] })).toHaveLength(1);
    expect(await findFile()).not.toBe("Late - 01.mp4");
    await until(() => search.frameCount() === framesBefore, 5000);
  } finally {
    await search.close();
  }
});

test("skips an episode with damaged descriptors and logs it", async () => {
  const { database, library } = opened;
  const [damagedId] = (await library.list()).flatMap(({ episodes }) => episodes.map(({ id }) => id));
  const readDescriptors: typeof database.episodes.readDescriptors = async (id, modelId) => {
    const stored = await database.episodes.readDescriptors(id, modelId);
    if (id === damagedId) stored?.chunks[0]?.fill(7, 100, 200);
    return stored;
  };
  const logs: string[] = [];
  const other = await openLibrary({
    database: { ...database, episodes: { ...database.episodes, readDescriptors } },
    dataDir: join(opened.dataDir, "other"),
    tools: findTools,
    engineWorkers: 1,
    onLog: (log) => logs.push(log),
  });
  try {
    const search = await other.openSearch({ follow: false });
    expect(logs).toEqual([
      `The stored descriptors of episode ${damagedId} are damaged; index its video again with --force.`,
    ]);
    const results = videos.map(async (video) => {
      const { matches } = await search.search(await still(video, 1), { limit: 5 });
      return matches.map(({ episode }) => episode.id);
    });
    const found = new Set((await Promise.all(results)).flat());
    expect(found.size).toBe(2);
    expect(found.has(damagedId ?? "")).toBe(false);
  } finally {
    await other.close();
  }
});

test.each([
  ["deleted", (file: string) => rm(file)],
  ["truncated", async (file: string) => truncate(file, Math.floor((await stat(file)).size / 2))],
  ["overwritten", (file: string) => writeFile(file, "something else")],
])("builds the index again when its files are %s", async (_, damage) => {
  await openOnce();
  const folder = join(opened.dataDir, "index");
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const cached = files.filter((entry) => entry.isFile());
  expect(cached.length).toBeGreaterThan(0);
  for (const entry of cached) await damage(join(entry.parentPath, entry.name));

  const progress: number[] = [];
  const search = await opened.library.openSearch({
    follow: false,
    onProgress: ({ total }) => progress.push(total),
  });
  try {
    expect(new Set(progress)).toEqual(new Set([3]));
    const { matches } = await search.search(await still(videos[1] ?? "", 1), { limit: 1 });
    expect(matches[0]?.fileName).toBe("First - 02.mp4");
  } finally {
    await search.close();
  }
});

test("loads an intact cache without reading descriptors", async () => {
  await openOnce();
  const progress: unknown[] = [];
  const search = await opened.library.openSearch({
    follow: false,
    onProgress: (event) => progress.push(event),
  });
  expect(progress).toEqual([]);
  expect(search.isReady()).toBe(true);
  await search.close();
});

async function until(isTrue: () => boolean | Promise<boolean>, limitMs: number): Promise<void> {
  const deadline = Date.now() + limitMs;
  while (!(await isTrue())) {
    if (Date.now() > deadline) throw new Error(`The condition did not hold within ${limitMs} ms.`);
    await pause(50);
  }
}

import { rm } from "node:fs/promises";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { sharp } from "@koma/image";
import { type IndexKind, type LibrarySearch, openLibrary } from "@koma/library";
import { findTestPgvector, hasHnswlib } from "@koma/testing";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { createPgvectorDatabase } from "../fixtures/create-pgvector-database.ts";
import { shotSeconds } from "../fixtures/make-video.ts";
import { findTools, openTestLibrary, still, type TestLibrary } from "../fixtures/open-test-library.ts";

const pgvectorUrl = findTestPgvector();

describe("embedded index", () => defineConformance("embedded"));

describe.skipIf(!hasHnswlib())("index as a graph (needs hnswlib-node, compiled)", () => {
  defineConformance("hnsw");
});

describe.skipIf(pgvectorUrl === undefined)("index in PostgreSQL (needs KOMA_TEST_PGVECTOR_URL)", () => {
  defineConformance("postgres");
});

/** Defines what every index does. */
function defineConformance(index: IndexKind): void {
  let opened: TestLibrary;
  let videos: string[];
  let removeDatabase: (() => Promise<unknown>) | undefined;
  let queryDatabase: ((sql: string) => Promise<Record<string, unknown>[]>) | undefined;

  beforeAll(async () => {
    const created = index === "postgres" ? await createPgvectorDatabase(pgvectorUrl ?? "") : undefined;
    removeDatabase = created?.remove;
    queryDatabase = created?.query;
    opened = await openTestLibrary({
      index,
      ...(created ? { databaseUrl: created.url } : { isEmbedded: true }),
    });
    videos = [
      await opened.addVideo(1, "First/First - 01.mp4"),
      await opened.addVideo(2, "First/First - 02.mp4"),
      await opened.addVideo(3, "Second/Season 2/S02E01.mp4"),
    ];
    await opened.index();
  });
  afterAll(async () => {
    await opened?.close();
    await removeDatabase?.();
  });

  async function withSearch<T>(work: (search: LibrarySearch) => Promise<T>, follow = false): Promise<T> {
    const search = await opened.library.openSearch({ follow });
    try {
      return await work(search);
    } finally {
      await search.close();
    }
  }
  const imageAt = (video: string, seconds: number) => still(video, seconds);

  test("finds the episode, shot and time of a frame", async () => {
    await withSearch(async (search) => {
      for (const [at, video] of videos.entries()) {
        const { matches } = await search.search(await imageAt(video, at * shotSeconds + 1.5), { limit: 5 });
        const [best] = matches;
        expect(best).toMatchObject({ fileName: basename(video), isConfident: true });
        const { from = -1, timestamp = -1, to = -1, looksSameFrom, looksSameTo } = best ?? {};
        expect(timestamp).toBeGreaterThanOrEqual(looksSameFrom ?? Number.POSITIVE_INFINITY);
        expect(timestamp).toBeLessThanOrEqual(looksSameTo ?? Number.NEGATIVE_INFINITY);
        expect(from).toBeGreaterThanOrEqual(at * shotSeconds - 0.1);
        expect(timestamp).toBeGreaterThanOrEqual(from);
        expect(timestamp).toBeLessThanOrEqual(to);
        expect(to).toBeLessThanOrEqual((at + 1) * shotSeconds + 0.1);
      }
    });
  });

  test("finds the episode of a mirrored frame and of a part of a frame", async () => {
    await withSearch(async (search) => {
      const image = sharp(await imageAt(videos[1] ?? "", 4.5));
      const mirrored = await image.clone().flop().png().toBuffer();
      const found = await search.search(mirrored, { limit: 1 });
      expect(found.matches).toMatchObject([{ fileName: basename(videos[1] ?? ""), isMirrored: true }]);
      const { width = 0, height = 0 } = await image.metadata();
      const part = await image
        .extract({
          left: Math.round(width * 0.25),
          top: Math.round(height * 0.25),
          width: width >> 1,
          height: height >> 1,
        })
        .resize(width)
        .png()
        .toBuffer();
      const [best] = (await search.search(part, { limit: 1 })).matches;
      expect(best?.fileName).toBe(basename(videos[1] ?? ""));
    });
  });

  test("reports an image that is not in the library", async () => {
    await withSearch(async (search) => {
      const { matches } = await search.search(await imageAt(`${inject("videosDir")}/4.mp4`, 1), { limit: 3 });
      expect(matches.some(({ isConfident }) => isConfident)).toBe(false);
    });
  });

  test("searches in one anime", async () => {
    await withSearch(async (search) => {
      const second = (await opened.library.list()).find(({ anime }) => anime.titleRomaji === "Second");
      const image = await imageAt(videos[0] ?? "", 1);
      const { matches } = await search.search(image, { limit: 5, animeId: second?.anime.id });
      expect(new Set(matches.map(({ anime }) => anime.id))).toEqual(new Set([second?.anime.id]));
      expect((await search.search(image, { limit: 5, animeId: "unknown" })).matches).toEqual([]);
    });
  });

  test("follows new, replaced and removed episodes", async () => {
    await withSearch(async (search) => {
      const image = await imageAt(`${inject("videosDir")}/4.mp4`, 1.5);
      const best = async () => (await search.search(image, { limit: 1 })).matches[0];
      const video = await opened.addVideo(4, "Third/Third - 01.mp4");
      await opened.index();
      await expect.poll(best).toMatchObject({ fileName: basename(video), isConfident: true });
      const episode = await opened.database.episodes.findByPath(video);
      await opened.index([video], { force: true });
      await expect.poll(best).toMatchObject({ fileName: basename(video), isConfident: true });
      await opened.library.remove({ ids: [episode?.id ?? ""] });
      await expect.poll(async () => (await best())?.isConfident).not.toBe(true);
      await rm(video);
      await expect.poll(() => search.status().index.episodes).toBe(3);
    }, true);
  });

  test("builds the index again", async () => {
    expect(await opened.library.rebuild()).toMatchObject({ episodes: 3 });
    await withSearch(async (search) => {
      const { matches } = await search.search(await imageAt(videos[2] ?? "", 4), { limit: 1 });
      expect(matches).toMatchObject([{ fileName: basename(videos[2] ?? ""), isConfident: true }]);
    });
  });

  test.runIf(index === "postgres")("holds each episode once, and no row of a removed one", async () => {
    const video = await opened.addVideo(4, "Fourth/Fourth - 01.mp4");
    await opened.index();
    // Two processes add the same episode at the same time.
    const other = await opened.openAgain();
    const searches = await Promise.all([
      opened.library.openSearch({ follow: false }),
      other.library.openSearch({ follow: false }),
    ]);
    for (const search of searches) await search.close();
    const episode = await opened.database.episodes.findByPath(video);
    const count = async () =>
      await queryDatabase?.(
        `SELECT count(DISTINCT s."id")::int AS "sets", count(f.*)::int AS "frames" FROM "vectors"."Set" s
         LEFT JOIN "vectors"."Frame" f ON f."set" = s."id" WHERE s."episodeId" = '${episode?.id}'`,
      );
    expect(await count()).toEqual([{ sets: 1, frames: episode?.frameCount }]);
    await opened.library.remove({ ids: [episode?.id ?? ""] });
    expect(await count()).toEqual([{ sets: 0, frames: 0 }]);
    await rm(video);
  });

  test.runIf(index !== "embedded")("returns the same best match as the embedded index", async () => {
    const clips = fileURLToPath(new URL("../../../sample-library/clips", import.meta.url));
    await opened.index([opened.videosDir, clips]);
    const embedded = await openLibrary({
      database: opened.database,
      dataDir: opened.dataDir,
      tools: findTools,
      engineWorkers: 1,
    });
    try {
      const reference = await embedded.openSearch({ follow: false });
      await withSearch(async (search) => {
        expect(search.frameCount()).toBe(reference.frameCount());
        for (const { path, durationSeconds } of await opened.database.episodes.list()) {
          for (const part of [0.2, 0.7]) {
            const image = await imageAt(path, (durationSeconds ?? 0) * part);
            const [expected] = (await reference.search(image, { limit: 5 })).matches;
            const [found] = (await search.search(image, { limit: 5 })).matches;
            const compared = (match: typeof expected) =>
              match && [match.fileName, match.from, match.timestamp, match.looksSameFrom, match.looksSameTo];
            expect(compared(found)).toEqual(compared(expected));
            expect(found?.similarity).toBeCloseTo(expected?.similarity ?? 0, 2);
          }
        }
      });
    } finally {
      await embedded.close();
    }
  });
}

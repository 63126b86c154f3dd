import { readdir, rename } from "node:fs/promises";
import { join, relative } from "node:path";
import { createRandom } from "@koma/testing/drawing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openTestLibrary, type TestLibrary } from "../fixtures/open-test-library.ts";
import { runIndexer } from "../fixtures/run-indexer.ts";

// KOMA_TEST_KILLS=20 sets more rounds.
const kills = Number(process.env.KOMA_TEST_KILLS ?? 3);

let opened: TestLibrary;

beforeEach(async () => {
  opened = await openTestLibrary({ isEmbedded: true });
});
afterEach(async () => {
  await opened.close();
});

test(`reaches the state of an undisturbed run after ${kills} kills at random moments`, {
  timeout: 60_000 + kills * 30_000,
}, async () => {
  const random = createRandom(kills).next;
  // Moved and changed videos are included, so that kills interrupt every kind of work.
  const moved = await opened.addVideo(1, "Old Name - 01.mp4");
  await opened.addVideo(2, "Title - 02.mp4");
  await opened.index();
  await rename(moved, join(opened.videosDir, "New Name - 03.mp4"));
  await opened.addVideo(3, "Title - 02.mp4");
  await opened.addVideo(4, "Title - 04.mp4");

  for (let round = 0; round < kills; round += 1) {
    await runIndexer(opened.dataDir, opened.videosDir, {
      atEvent: 1 + Math.floor(random() * 5),
      afterMs: random() * 600,
    });
  }
  expect(await runIndexer(opened.dataDir, opened.videosDir)).toBe(0);

  const undisturbed = await openTestLibrary({ isEmbedded: true });
  try {
    await undisturbed.addVideo(1, "New Name - 03.mp4");
    await undisturbed.addVideo(3, "Title - 02.mp4");
    await undisturbed.addVideo(4, "Title - 04.mp4");
    await undisturbed.index();
    expect(await describeState(opened)).toEqual(await describeState(undisturbed));
  } finally {
    await undisturbed.close();
  }
  expect((await opened.library.verify()).problems).toEqual([]);
  await expectStills(opened);
  expect((await opened.index()).summary).toMatchObject({ indexed: 0, skipped: 3, failed: 0 });
});

/** The back-fill creates the stills that a killed indexer did not store. */
async function expectStills({ library, dataDir }: TestLibrary): Promise<void> {
  const previews = library.openPreviews();
  await previews.backFillStills();
  const ids = (await library.list()).flatMap(({ episodes }) => episodes.map(({ id }) => id));
  // A killed indexer may leave an unfinished file, which is deleted after an hour.
  const files = (await readdir(join(dataDir, "stills"))).filter((name) => !name.endsWith(".unfinished"));
  expect(files.sort()).toEqual(ids.map((id) => `${id}.stills`).sort());
  for (const id of ids) expect(await previews.findShotStill(id, 1.5)).toBeInstanceOf(Buffer);
}

/** Returns the content of a library without ids and times. */
async function describeState({ library, videosDir }: TestLibrary) {
  const search = await library.openSearch({ follow: false });
  const episodes = (await library.list()).flatMap(({ anime, episodes }) =>
    episodes.map((episode) => ({ anime: anime.titleRomaji, ...episode })),
  );
  return {
    frames: search.frameCount(),
    episodes: episodes.map(
      ({ anime, season, number, path, contentHash, state, problem, frameCount, durationSeconds }) => ({
        anime,
        season,
        number,
        contentHash,
        state,
        problem,
        frameCount,
        durationSeconds,
        path: relative(videosDir, path),
      }),
    ),
  };
}

import { appendFile, readFile, rename, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { filmSeconds } from "../fixtures/make-film.ts";
import { openTestLibrary, type TestLibrary } from "../fixtures/open-test-library.ts";

let test1: TestLibrary;

beforeEach(async () => {
  test1 = await openTestLibrary();
});
afterEach(async () => {
  await test1.close();
});

test("describes new films and names them by their paths", async () => {
  await test1.addFilm(1, "Lantern Road/Lantern Road - 01.mp4");
  await test1.addFilm(2, "Lantern Road/Season 2/S02E03.mp4");
  const { summary, events } = await test1.index();
  expect(summary).toMatchObject({ files: 2, indexed: 2, skipped: 0, failed: 0, isStopped: false });
  expect(summary.frames).toBeGreaterThan(6);
  console.log(events, summary);
  const [entry] = await test1.library.list();
  expect(entry?.anime.titleRomaji).toBe("Lantern Road");
  expect(entry?.episodes.map(({ season, number, state }) => ({ season, number, state }))).toEqual([
    { season: null, number: "1", state: "ready" },
    { season: 2, number: "3", state: "ready" },
  ]);
  expect(entry?.episodes[0]?.durationSeconds).toBeCloseTo(filmSeconds, 1);
});

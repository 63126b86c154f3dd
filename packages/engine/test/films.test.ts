import path from "node:path";
import { type Engine, type FrameIndex, loadModel, openEngine, openFrameIndex } from "@koma/engine";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createRandom } from "./fixtures/drawn-scenes.ts";
import { findFilms, readDuration, readFrames, takeScreenshot } from "./fixtures/films.ts";

/** Of the films here. */
const aspect = 16 / 9;

const films = await findFilms();
const PICTURES = 60;

/** Episodes of one work are named alike up to their number. */
const workOf = (film: string) => path.basename(film).replace(/ - \d+\..*$|\.[^.]*$/, "");

describe.skipIf(films === undefined || films.length < 2)("real films (KOMA_TEST_FILMS)", () => {
  let engine: Engine;
  let index: FrameIndex;

  beforeAll(async () => {
    const model = await loadModel();
    engine = await openEngine({ model, workers: 2 });
    index = await openFrameIndex({ model });
    for (const film of films ?? []) {
      await index.add(
        film,
        await engine.describeEpisode(readFrames(film, engine.frameStreamOptions), { aspect }),
      );
    }
  }, 300_000);
  afterAll(async () => {
    await index.close();
    await engine.close();
  });

  it("finds 59 of 60 frames first and in the right shot, and is sure of nothing that is not there", async () => {
    const random = createRandom(2024);
    const all = films ?? [];
    let found = 0;
    let falselyConfident = 0;
    for (let taken = 0; taken < PICTURES; ) {
      const film = all[Math.floor(random() * all.length)] ?? "";
      const atSeconds = random() * ((await readDuration(film)) - 1);
      const picture = await engine.describePicture(await takeScreenshot(film, atSeconds));
      if (picture.isFlat) continue;
      taken++;
      const [first] = await index.search(picture, { limit: 5 });
      const { episodeKey, fromSeconds = Infinity, toSeconds = 0 } = first ?? {};
      if (episodeKey === film && fromSeconds - 1 <= atSeconds && atSeconds <= toSeconds + 1) found++;
      const episodeKeys = new Set(all.filter((other) => workOf(other) !== workOf(film)));
      const [other] = await index.search(picture, { limit: 1, episodeKeys });
      if (other?.isConfident) falselyConfident++;
    }
    expect(found).toBeGreaterThanOrEqual(PICTURES - 1);
    expect(falselyConfident).toBe(0);
  }, 300_000);
});

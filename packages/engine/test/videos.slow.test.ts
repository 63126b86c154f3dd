import path from "node:path";
import { type Engine, type FrameIndex, loadModel, openEngine, openFrameIndex } from "@koma/engine";
import { createRandom } from "@koma/testing/drawing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findVideos, readDuration, readFrames, takeScreenshot } from "./fixtures/videos.ts";

/** Aspect ratio of the test videos. */
const aspect = 16 / 9;

const videos = await findVideos();
const IMAGES = 60;

/** The names of episodes of one work are equal up to their number. */
const workOf = (video: string) => path.basename(video).replace(/ - \d+\..*$|\.[^.]*$/, "");

describe.skipIf(videos === undefined || videos.length < 2)("real videos (KOMA_TEST_FILMS)", () => {
  let engine: Engine;
  let index: FrameIndex;

  beforeAll(async () => {
    const model = await loadModel();
    engine = await openEngine({ model, workers: 2 });
    index = await openFrameIndex({ model });
    for (const video of videos ?? []) {
      await index.add(
        video,
        await engine.describeEpisode(readFrames(video, engine.frameStreamOptions), { aspect }),
      );
    }
  }, 300_000);
  afterAll(async () => {
    await index.close();
    await engine.close();
  });

  it("finds 59 of 60 frames first and in the right shot, and no negative with confidence", async () => {
    const random = createRandom(2024).next;
    const all = videos ?? [];
    let found = 0;
    let falselyConfident = 0;
    for (let taken = 0; taken < IMAGES; ) {
      const video = all[Math.floor(random() * all.length)] ?? "";
      const atSeconds = random() * ((await readDuration(video)) - 1);
      const image = await engine.describeImage(await takeScreenshot(video, atSeconds));
      if (image.isFlat) continue;
      taken++;
      const [first] = await index.search(image, { limit: 5 });
      const { episodeKey, fromSeconds = Infinity, toSeconds = 0 } = first ?? {};
      if (episodeKey === video && fromSeconds - 1 <= atSeconds && atSeconds <= toSeconds + 1) found++;
      const episodeKeys = new Set(all.filter((other) => workOf(other) !== workOf(video)));
      const [other] = await index.search(image, { limit: 1, episodeKeys });
      if (other?.isConfident) falselyConfident++;
    }
    expect(found).toBeGreaterThanOrEqual(IMAGES - 1);
    expect(falselyConfident).toBe(0);
  }, 300_000);
});

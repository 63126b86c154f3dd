import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { decodeDescriptors, loadModel } from "@koma/engine";
import { probeVideo } from "@koma/media";
import { afterAll, expect, inject, test } from "vitest";
import { findTools, openTestLibrary, still } from "../fixtures/open-test-library.ts";

const run = promisify(execFile);
const opened = await openTestLibrary({ isEmbedded: true });
afterAll(() => opened.close());

test("describes a video without its permanent bars and previews it with them", async () => {
  const bare = `${inject("videosDir")}/1.mp4`;
  const file = `${opened.videosDir}/Barred - 01.mkv`;
  const bars = ["-vf", "pad=256:108:32:0", "-c:v", "libx264", "-g", "12"];
  await run((await findTools()).ffmpegPath, ["-v", "error", "-i", bare, ...bars, file]);
  const { events } = await opened.index([file]);
  const episodeId = events.flatMap((event) => (event.kind === "indexed" ? event.episodeId : [])).at(0) ?? "";

  const { id: modelId } = await loadModel();
  const stored = await opened.database.episodes.readDescriptors(episodeId, modelId);
  const { aspect } = decodeDescriptors(modelId, stored?.frameTable ?? new Uint8Array(), stored?.chunks ?? []);
  expect(Math.abs(aspect - 192 / 108)).toBeLessThan(0.03);

  const { width, height } = await probeVideo(await findTools(), file);
  expect([width, height]).toEqual([256, 108]);

  const search = await opened.library.openSearch({ follow: false });
  try {
    // Without bars the whole image is the scene; with bars the area between them is.
    for (const [video, x] of [
      [bare, undefined],
      [file, 32 / 256],
    ] as const) {
      const { matches } = await search.search(await still(video, 4.5), { limit: 1 });
      expect(matches).toMatchObject([{ isConfident: true }]);
      const region = matches[0]?.region ?? undefined;
      if (x === undefined) expect(region).toBeUndefined();
      else expect(Math.abs((region?.x ?? 0) - x)).toBeLessThan(0.03);
    }
  } finally {
    await search.close();
  }
});

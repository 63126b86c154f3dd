import { encodeDescriptorChunks, encodeFrameTable } from "@koma/engine";
import { afterAll, expect, test } from "vitest";
import { createLabelDetection } from "../../src/labels/label-detection.ts";
import { openTestLibrary } from "../fixtures/open-test-library.ts";
import { type Content, drawEpisode } from "./draw-episode.ts";

const model = { id: "test", dimensions: 64 };
const opening = { seed: 1, seconds: 90 };

const { database, close } = await openTestLibrary();
afterAll(close);

async function publish(
  animeId: string,
  number: string,
  contents: readonly Content[],
  { isDamaged = false } = {},
): Promise<string> {
  const { durationSeconds, descriptors } = drawEpisode(model, Number(number), contents);
  const file = { fileName: number, sizeBytes: 1, modifiedAtMs: 1, path: `/${animeId}/${number}` };
  const naming = { animeId, season: null, number, title: null };
  const { id } = await database.episodes.upsertPending({ ...file, ...naming });
  const claim = await database.episodes.claim(id, { owner: "test", leaseSeconds: 60 });
  if (claim === undefined) throw new Error("The episode is claimed.");
  const setId = await database.episodes.stageDescriptors(claim, {
    modelId: model.id,
    frameTable: encodeFrameTable(descriptors),
    frameCount: descriptors.count,
    chunks: isDamaged ? [] : encodeDescriptorChunks(descriptors, 256 * 1024),
  });
  const facts = { sizeBytes: 1, modifiedAtMs: 1, contentHash: `${animeId} ${number}`, durationSeconds };
  await database.episodes.publish(claim, { setId, ...facts });
  return id;
}

const labelsOf = async (id: string) =>
  (await database.episodes.find(id))?.labels.map(({ label, from }) => `${label} ${Math.round(from / 10)}`);

test("labels earlier episodes when a further one is added, and keeps what an operator set", async () => {
  const anime = await database.anime.findOrCreate({ key: "lantern", title: "Lantern Road" });
  const logged: string[] = [];
  const detect = createLabelDetection({
    ...{ database, modelId: model.id },
    onLog: (message) => logged.push(message),
  });
  const add = async (number: string, contents: readonly Content[]) => {
    const episodeId = await publish(anime.id, number, contents);
    await detect({ animeId: anime.id, episodeId });
    return episodeId;
  };
  const first = await add("1", [opening, { seed: 11, seconds: 300 }]);
  expect(await labelsOf(first)).toEqual([]);
  const second = await add("2", [{ seed: 12, seconds: 50 }, opening, { seed: 13, seconds: 300 }]);
  expect(await labelsOf(first)).toEqual(["opening 0"]);
  expect(await labelsOf(second)).toEqual(["opening 5"]);

  await database.episodes.editLabels(first, [
    { label: "pv", from: 350, to: 380 },
    { label: "preview", from: 200, to: 230 },
  ]);
  await database.episodes.editLabels(second, []);
  const third = await add("3", [{ seed: 14, seconds: 70 }, opening, { seed: 15, seconds: 300 }]);
  expect(await labelsOf(first)).toEqual(["preview 20", "pv 35"]);
  expect(await labelsOf(second)).toEqual([]);
  expect(await labelsOf(third)).toEqual(["opening 7"]);
  expect(logged).toEqual([]);
});

test("damaged descriptors are logged and change nothing, and a stopped request throws", async () => {
  const anime = await database.anime.findOrCreate({ key: "harbour", title: "Harbour Line" });
  const logged: string[] = [];
  const detect = createLabelDetection({
    ...{ database, modelId: model.id },
    onLog: (message) => logged.push(message),
  });
  await publish(anime.id, "4", [opening, { seed: 11, seconds: 300 }]);
  const damaged = await publish(anime.id, "5", [opening, { seed: 11, seconds: 300 }], { isDamaged: true });
  await detect({ animeId: anime.id, episodeId: damaged });
  expect(logged).toEqual([expect.stringMatching(/^Openings and endings were not looked for: /)]);
  expect(await labelsOf(damaged)).toEqual([]);
  const stopped = AbortSignal.abort();
  await expect(detect({ animeId: anime.id, signal: stopped })).rejects.toBe(stopped.reason);
});

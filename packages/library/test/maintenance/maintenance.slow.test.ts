import { appendFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { loadModel } from "@koma/engine";
import { afterAll, expect, test } from "vitest";
import { openTestLibrary } from "../fixtures/open-test-library.ts";

const opened = await openTestLibrary();
const videos = [
  await opened.addVideo(1, "Title/Title - 01.mp4"),
  await opened.addVideo(2, "Title/Title - 02.mp4"),
  await opened.addVideo(3, "Title 2/Title 2 - 01.mp4"),
];
await opened.index();
afterAll(() => opened.close());

async function kinds(): Promise<string[]> {
  return (await opened.library.verify()).problems.map(
    ({ kind, file }) => `${kind} ${videos.indexOf(file ?? "")}`,
  );
}

test("finds no problem in an intact library with a new, an old and no cache", async () => {
  expect(await kinds()).toEqual([]);
  const search = await opened.library.openSearch({ follow: false });
  const frames = search.frameCount();
  await search.close();
  expect(await opened.library.verify()).toEqual({ episodes: 3, frames, problems: [] });
  await opened.index([videos[0] ?? ""], { force: true });
  expect(await kinds()).toEqual([]);
  expect(await opened.library.rebuild()).toEqual({ episodes: 3, frames });
  expect(await kinds()).toEqual([]);
});

test("reports videos that are missing, changed or broken", async () => {
  const [first = "", second = ""] = videos;
  await rename(first, `${first}.away`);
  await appendFile(second, "more");
  const { problems } = await opened.library.verify();
  expect(problems.map(({ kind, file }) => [kind, file])).toEqual([
    ["film_missing", first],
    ["film_changed", second],
  ]);
  await rename(`${first}.away`, first);
  await opened.addVideo(2, "Title/Title - 02.mp4");
  await opened.index();
  expect(await kinds()).toEqual([]);
});

test("removes by file, folder and id, and keeps videos, which can be indexed again", async () => {
  const [entry] = await opened.library.list();
  const paths = async (what: Parameters<typeof opened.library.remove>[0]): Promise<string[]> => {
    const removed = (await opened.library.remove(what)).map(({ path }) => path);
    await opened.index();
    return removed.sort();
  };
  expect(await paths({ paths: [videos[0] ?? ""] })).toEqual([videos[0]]);
  // "Title" is not a prefix of "Title 2".
  expect(await paths({ paths: [join(opened.videosDir, "Title")] })).toEqual(videos.slice(0, 2));
  expect(await paths({ ids: [entry?.anime.id ?? ""] })).toEqual(videos.slice(0, 2));
  const episode = await opened.database.episodes.findByPath(videos[2] ?? "");
  expect(await paths({ ids: [episode?.id ?? "", "unknown"] })).toEqual([videos[2]]);
  expect(await paths({ sample: true })).toEqual([]);
  expect((await opened.library.verify()).episodes).toBe(3);
});

test("reports no problem for a damaged index cache, which is rebuilt", async () => {
  await opened.library.rebuild();
  await rm(join(opened.dataDir, "index"), { recursive: true });
  expect(await kinds()).toEqual([]);
});

test("reports damaged descriptors and serves none until the video is indexed again", async () => {
  const path = videos[1] ?? "";
  const { episodes } = opened.database;
  const row = await episodes.findByPath(path);
  const claim = await episodes.claim(row?.id ?? "", { owner: "test", leaseSeconds: 60 });
  if (row === undefined || row.contentHash === null || claim === undefined)
    throw new Error("There is no video.");
  const { id: modelId } = await loadModel();
  const set = {
    modelId,
    frameTable: Buffer.from("damaged"),
    frameCount: 3,
    chunks: [Buffer.from("damaged")],
  };
  const setId = await episodes.stageDescriptors(claim, set);
  const { sizeBytes, modifiedAtMs, contentHash } = row;
  await episodes.publish(claim, { setId, sizeBytes, modifiedAtMs, contentHash, durationSeconds: 9 });

  expect(await kinds()).toEqual(["descriptors_damaged 1"]);
  const frames = (await opened.library.rebuild()).frames;
  expect(opened.logs.at(-1)).toContain("damaged");
  await opened.index([path], { force: true });
  expect(await kinds()).toEqual([]);
  expect((await opened.library.rebuild()).frames).toBeGreaterThan(frames);
});

test.each([
  ["indexing", () => opened.index()],
  ["a rebuild", () => opened.library.rebuild()],
])("deletes descriptors of an earlier model in %s when all videos have current ones", async (_, work) => {
  const { database } = opened;
  const model = await loadModel();
  const ids = (await database.episodes.list()).map(({ id }) => id);
  const [one = ""] = ids;
  const isSaved = async () => (await database.episodes.readDescriptors(one, "earlier")) !== undefined;
  await publishAs(one, "earlier");
  expect(await isSaved()).toBe(true);
  await work();
  expect(await isSaved()).toBe(false);
  expect((await database.episodes.listReady(model.id)).map(({ episodeId }) => episodeId).sort()).toEqual(
    ids.sort(),
  );
});

test("describes episodes of an earlier version again, and keeps their names and those without a video", async () => {
  const { library, database } = opened;
  const [first = "", second = ""] = videos;
  const { id: modelId } = await loadModel();
  const outdated = async () => (await library.status()).library.outdated;
  const rowOf = async (path: string) => {
    const row = await database.episodes.findByPath(path);
    if (row === undefined) throw new Error(`${path} is not in the library.`);
    return row;
  };
  expect(await outdated()).toBe(0);
  expect(await library.describeEpisodes()).toMatchObject({ files: 0, indexed: 0 });
  await opened.index([first], { title: "Own Title", episode: "7" });
  for (const path of [first, second]) await publishAs((await rowOf(path)).id, modelId);
  expect(await outdated()).toBe(2);
  const stopped = await library.describeEpisodes({ signal: AbortSignal.abort() });
  expect([stopped.isStopped, await outdated()]).toEqual([true, 2]);

  await rename(second, `${second}.away`);
  const before = await rowOf(first);
  const { animeId } = await rowOf(second);
  expect(await library.describeEpisodes({ animeId })).toMatchObject({ files: 1, missing: 1, indexed: 0 });
  const events: string[] = [];
  const described = await library.describeEpisodes({
    onEvent: (event) => {
      if (event.kind !== "progress" && "file" in event)
        events.push(`${event.kind} ${videos.indexOf(event.file)}`);
    },
  });
  expect(described).toMatchObject({ files: 2, indexed: 1, missing: 1, failed: 0, isStopped: false });
  expect(events.sort()).toEqual(["indexed 0", "skipped 1", "started 0"]);
  const { animeId: anime, season, number, title, isSample, frameCount } = await rowOf(first);
  expect({ animeId: anime, season, number, title, isSample }).toEqual({
    animeId: before.animeId,
    season: null,
    number: "7",
    title: before.title,
    isSample: false,
  });
  expect(frameCount).toBeGreaterThan(1);
  expect([await outdated(), (await rowOf(second)).state]).toEqual([1, "ready"]);

  await rename(`${second}.away`, second);
  expect(await library.queueOutdated()).toMatchObject({ files: 1, queued: 1, skipped: 0 });
  expect(await library.queueOutdated()).toMatchObject({ files: 1, queued: 0, skipped: 1 });
  expect(await library.runWorker({ drain: true })).toMatchObject({ done: 1, retried: 0, dead: 0 });
  expect(await outdated()).toBe(0);
  expect(await library.queueOutdated()).toMatchObject({ files: 0 });
  expect(await kinds()).toEqual([]);
});

/** Stores descriptors of a model, of the first version, for an episode. */
async function publishAs(id: string, modelId: string): Promise<void> {
  const { episodes } = opened.database;
  const episode = await episodes.find(id);
  const claim = await episodes.claim(id, { owner: "test", leaseSeconds: 60 });
  if (claim === undefined || episode === undefined) throw new Error("The episode cannot be claimed.");
  const set = { modelId, frameTable: new Uint8Array(8), frameCount: 1, chunks: [] };
  const setId = await episodes.stageDescriptors(claim, set);
  const { sizeBytes, modifiedAtMs, contentHash, durationSeconds } = episode;
  await episodes.publish(claim, {
    setId,
    sizeBytes,
    modifiedAtMs,
    contentHash: contentHash ?? "",
    durationSeconds: durationSeconds ?? 0,
  });
}

test("names a folder, and keeps the names of videos that are indexed again or moved", async () => {
  const folder = join(opened.videosDir, "Title");
  const before = await opened.library.renameFolder(folder, { title: "Renamed", season: 2, firstEpisode: 13 });
  expect(before.map(({ path }) => path)).toEqual(videos.slice(0, 2));
  await opened.index([folder], { force: true });
  const moved = join(opened.videosDir, "Elsewhere - 07.mp4");
  await rename(videos[1] ?? "", moved);
  await opened.index();
  const named = (await opened.database.episodes.list()).map(({ path, anime, season, number }) => [
    ...[path, anime.titleRomaji, season, number],
  ]);
  expect(named).toContainEqual([videos[0], "Renamed", 2, "13"]);
  expect(named).toContainEqual([moved, "Renamed", 2, "14"]);
  // Parts that are not given stay.
  await opened.library.renameFolder(moved, { season: 3 });
  const { number, season } = (await opened.database.episodes.findByPath(moved)) ?? {};
  expect([season, number]).toEqual([3, "14"]);
});

import { ClaimLostError, PathTakenError } from "@koma/database";
import { expect, it } from "vitest";
import { claimEpisode, generateFile, makeEpisode, modelId, publishEpisode } from "./make-episode.ts";
import { openTestDatabase } from "./open-test-database.ts";

const { database, connectAgain } = await openTestDatabase();
const other = await connectAgain();

it("have one row per path, new naming and unchanged published facts", async () => {
  const file = generateFile();
  const episode = await makeEpisode(database, file);
  await publishEpisode(database, episode.id);
  const again = await database.episodes.upsertPending({
    ...file,
    sizeBytes: 5_000_000_000,
    animeId: episode.animeId,
    season: 2,
    number: "OVA 2",
    title: "The Inn",
    isSample: true,
  });
  expect(again).toMatchObject({
    id: episode.id,
    season: 2,
    number: "OVA 2",
    title: "The Inn",
    isSample: true,
  });
  expect(again).toMatchObject({ sizeBytes: 2000, state: "ready", frameCount: 10, durationSeconds: 1435.2 });
  expect((await database.episodes.findByPath(file.path))?.id).toBe(episode.id);
  expect(await database.episodes.findByPaths([file.path, "/nowhere"])).toHaveLength(1);
});

it("move over an unused row but not over one in use", async () => {
  const episode = await makeEpisode(database);
  await publishEpisode(database, episode.id, { contentHash: "moving" });
  const unused = await makeEpisode(database);
  const target = { ...generateFile(), path: unused.path };
  await database.episodes.move(episode.id, { ...target, number: "7" });
  expect(await database.episodes.find(unused.id)).toBeUndefined();
  const [found] = await database.episodes.findByContentHash("moving");
  expect(found).toMatchObject({ id: episode.id, path: unused.path, number: "7", sizeBytes: 1000 });
  const inUse = await makeEpisode(database);
  await publishEpisode(database, inUse.id);
  await expect(database.episodes.move(episode.id, { ...target, path: inUse.path })).rejects.toThrow(
    PathTakenError,
  );
  const claimed = await makeEpisode(database);
  await claimEpisode(database, claimed.id);
  await expect(database.episodes.move(episode.id, { ...target, path: claimed.path })).rejects.toThrow(
    PathTakenError,
  );
});

it("are listed in natural order", async () => {
  const { id: animeId } = await database.anime.findOrCreate({ key: "ordered", title: "Ordered" });
  for (const number of ["10", "2", "13.5", "1"]) {
    await database.episodes.upsertPending({
      ...generateFile(),
      animeId,
      season: null,
      number,
      title: null,
    });
  }
  const listed = await database.episodes.list({ animeId });
  expect(listed.map(({ number }) => number)).toEqual(["1", "2", "10", "13.5"]);
  expect(listed[0]?.anime.titleRomaji).toBe("Ordered");
});

it("are claimed by one of many until the claim is released, fails or expires", async () => {
  const { id } = await makeEpisode(database);
  const claims = await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      (index % 2 === 0 ? database : other).episodes.claim(id, { owner: `${index}`, leaseSeconds: 60 }),
    ),
  );
  const [claim, ...rest] = claims.filter((each) => each !== undefined);
  expect(rest).toEqual([]);
  if (claim === undefined) throw new Error("No caller received the claim.");
  expect((await database.episodes.find(id))?.state).toBe("indexing");
  expect(await database.episodes.renew(claim, 60)).toBe(true);
  await database.episodes.release(claim);
  expect((await database.episodes.find(id))?.state).toBe("pending");
  await database.episodes.fail(await claimEpisode(database, id), "It is truncated.");
  expect(await database.episodes.find(id)).toMatchObject({ state: "failed", problem: "It is truncated." });
  const expired = await claimEpisode(database, id, -1);
  expect(await database.episodes.renew(expired, 60)).toBe(false);
  expect((await database.episodes.find(id))?.state).toBe("pending");
  await publishEpisode(database, id);
  await claimEpisode(database, id, -1);
  expect((await database.episodes.find(id))?.state).toBe("ready");
});

it("are published as a whole and only with a valid claim", async () => {
  const { id } = await makeEpisode(database);
  await publishEpisode(database, id, { mark: 1 });
  const claim = await claimEpisode(database, id);
  const staged = { modelId, frameTable: new Uint8Array([9]), frameCount: 1, chunks: [new Uint8Array([9])] };
  const setId = await database.episodes.stageDescriptors(claim, staged);
  expect((await database.episodes.readDescriptors(id, modelId))?.chunks[1]).toEqual(
    new Uint8Array(700).fill(1),
  );
  const facts = { setId, sizeBytes: 1, modifiedAtMs: 2, contentHash: "new", durationSeconds: 3 };
  await expect(
    database.episodes.publish({ ...claim, token: "another" }, facts),
    "a claim of another owner",
  ).rejects.toThrow(ClaimLostError);
  await database.episodes.publish(claim, facts);
  await database.episodes.publish(claim, facts);
  const read = await database.episodes.readDescriptors(id, modelId);
  expect(read?.frameTable).toEqual(new Uint8Array([9]));
  expect(read?.chunks).toEqual([new Uint8Array([9])]);
  expect(await database.episodes.find(id)).toMatchObject({
    contentHash: "new",
    frameCount: 1,
    sizeBytes: 1,
  });
  expect(
    (await database.episodes.listReady(modelId)).filter(({ episodeId }) => episodeId === id),
  ).toHaveLength(1);
});

it("are outdated until their anime has descriptors of the current version and model", async () => {
  const { episodes } = database;
  const { id, animeId } = await makeEpisode(database);
  const current = { modelId, version: 2 };
  const isListed = async () => [
    (await episodes.listOutdated(current)).includes(id),
    (await episodes.listOutdated(current, animeId)).length === 1,
    (await episodes.listOutdated(current, "another")).length === 1,
    await episodes.isOutdated(id, current),
  ];
  const [outdated, isCurrent] = [
    [true, true, false, true],
    [false, false, false, false],
  ];
  // An episode that was never published has no data of an earlier version.
  expect(await isListed()).toEqual(isCurrent);
  const before = await episodes.countOutdated(current);
  await publishEpisode(database, id);
  expect(await isListed()).toEqual(outdated);
  expect(await episodes.countOutdated(current)).toBe(before + 1);
  await publishEpisode(database, id, { version: 2, model: "another" });
  expect(await isListed()).toEqual(outdated);
  await publishEpisode(database, id, { version: 2 });
  expect(await isListed()).toEqual(isCurrent);
  expect(await episodes.countOutdated(current)).toBe(before);
  expect(await episodes.isOutdated(id, { modelId, version: 3 })).toBe(true);
});

it("reject a publication after the claim expired and keep the earlier set searchable", async () => {
  const { id } = await makeEpisode(database);
  await publishEpisode(database, id, { mark: 4 });
  const claim = await claimEpisode(database, id);
  const staged = { modelId, frameTable: new Uint8Array(), frameCount: 0, chunks: [] };
  const setId = await database.episodes.stageDescriptors(claim, staged);
  await database.episodes.renew(claim, -1);
  const facts = { setId, sizeBytes: 1, modifiedAtMs: 2, contentHash: "late", durationSeconds: 3 };
  await expect(database.episodes.publish(claim, facts)).rejects.toThrow(ClaimLostError);
  await expect(database.episodes.stageDescriptors(claim, staged)).rejects.toThrow(ClaimLostError);
  await database.episodes.collectGarbage();
  expect((await database.episodes.readDescriptors(id, modelId))?.frameTable[0]).toBe(4);
  await expect(database.episodes.publish(claim, facts)).rejects.toThrow(ClaimLostError);
});

it("reject chunks that are too large", async () => {
  const claim = await claimEpisode(database, (await makeEpisode(database)).id);
  const chunks = [new Uint8Array(256 * 1024 + 1)];
  const staging = database.episodes.stageDescriptors(claim, {
    modelId,
    frameTable: new Uint8Array(),
    frameCount: 0,
    chunks,
  });
  await expect(staging).rejects.toThrow(RangeError);
});

it("end the work of an indexer when they are removed", async () => {
  const { id } = await makeEpisode(database);
  const claim = await claimEpisode(database, id);
  expect(await database.episodes.remove([id, "unknown"])).toBe(1);
  const staged = { modelId, frameTable: new Uint8Array(), frameCount: 0, chunks: [] };
  await expect(database.episodes.stageDescriptors(claim, staged)).rejects.toThrow(ClaimLostError);
  expect(await database.episodes.claim(id, { owner: "test", leaseSeconds: 60 })).toBeUndefined();
  expect(await database.episodes.readDescriptors(id, modelId)).toBeUndefined();
});

it("are listed as stale when another model described them", async () => {
  const { id, animeId } = await makeEpisode(database);
  await publishEpisode(database, id, { model: "old-model" });
  expect(await database.episodes.listStale(modelId)).toContain(id);
  expect(await database.episodes.listStale("old-model")).not.toContain(id);
  expect(await database.episodes.listReadyIds(animeId)).toEqual([id]);
  expect(await database.episodes.readDescriptors(id, modelId)).toBeUndefined();
});

it("keep the descriptors of the old model until the content changes", async () => {
  const { id } = await makeEpisode(database);
  await publishEpisode(database, id, { model: "old-model" });
  const start = await database.libraryChanges.currentSeq();
  await publishEpisode(database, id);
  expect(await database.episodes.readDescriptors(id, "old-model")).toBeDefined();
  expect(await database.libraryChanges.listSince(start, "old-model", 10)).toEqual([]);
  expect(await database.episodes.listStale(modelId)).not.toContain(id);
  await publishEpisode(database, id, { contentHash: "changed" });
  expect(await database.episodes.readDescriptors(id, "old-model")).toBeUndefined();
  expect(await database.libraryChanges.listSince(start, "old-model", 10)).toMatchObject([
    { episodeId: id, kind: "removed" },
  ]);
  expect(await database.episodes.listStale("old-model")).toContain(id);
});

it("drop the descriptors of the old model when every episode has new ones", async () => {
  const { episodes } = database;
  const [done, late] = [await makeEpisode(database), await makeEpisode(database)];
  for (const { id } of [done, late]) await publishEpisode(database, id, { model: "old-model" });
  await publishEpisode(database, done.id, { model: "new-model" });
  expect(await episodes.dropOtherModels("new-model")).toBe(0);
  expect(await episodes.readDescriptors(done.id, "old-model")).toBeDefined();

  await episodes.remove((await episodes.listStale("new-model")).filter((id) => id !== late.id));
  await publishEpisode(database, late.id, { model: "new-model" });
  expect(await episodes.dropOtherModels("new-model")).toBe(2);
  for (const { id } of [done, late]) {
    expect(await episodes.readDescriptors(id, "old-model")).toBeUndefined();
    expect(await episodes.readDescriptors(id, "new-model")).toBeDefined();
  }
  expect(await episodes.dropOtherModels("new-model")).toBe(0);
});

import { expect, it } from "vitest";
import { makeEpisode, modelId, publishEpisode } from "./make-episode.ts";
import { openTestDatabase } from "./open-test-database.ts";

const { database, connectAgain, query } = await openTestDatabase();
const other = await connectAgain();

it("number publications and removals and return only the latest of an episode", async () => {
  const start = await database.libraryChanges.currentSeq();
  const remaining = await makeEpisode(database);
  const removed = await makeEpisode(database);
  await publishEpisode(database, remaining.id);
  await publishEpisode(database, removed.id);
  await publishEpisode(database, remaining.id);
  await database.episodes.remove([removed.id]);
  expect(await database.libraryChanges.listSince(start, modelId, 10)).toEqual([
    { seq: start + 3n, episodeId: remaining.id, kind: "ready" },
    { seq: start + 4n, episodeId: removed.id, kind: "removed" },
  ]);
  expect(await database.libraryChanges.listSince(start, modelId, 1)).toHaveLength(1);
  expect(await database.libraryChanges.listSince(start, "other-model", 10)).toMatchObject([
    { episodeId: remaining.id, kind: "removed" },
    { episodeId: removed.id, kind: "removed" },
  ]);
  expect(await database.libraryChanges.currentSeq()).toBe(start + 4n);
});

it("are visible to a follower in their order", async () => {
  const follower = await connectAgain();
  const start = await database.libraryChanges.currentSeq();
  const episodes = await Promise.all(Array.from({ length: 24 }, () => makeEpisode(database)));
  let isWriting = true;
  const writing = Promise.all(
    episodes.map(({ id }, index) => publishEpisode(index % 2 === 0 ? database : other, id)),
  ).finally(() => {
    isWriting = false;
  });
  const seen: bigint[] = [];
  let last = start;
  for (let isDone = false; !isDone; ) {
    isDone = !isWriting;
    for (const change of await follower.libraryChanges.listSince(last, modelId, 5)) {
      seen.push(change.seq);
      last = change.seq;
    }
  }
  await writing;
  for (const change of await follower.libraryChanges.listSince(last, modelId, 100)) seen.push(change.seq);
  expect(seen).toEqual(episodes.map((_, index) => start + BigInt(index) + 1n));
});

it("delete old removals and return the oldest number that a follower can continue from", async () => {
  const episode = await makeEpisode(database);
  await publishEpisode(database, episode.id);
  await database.episodes.remove([episode.id]);
  const seq = await database.libraryChanges.currentSeq();
  await database.collectGarbage();
  expect(await database.libraryChanges.oldestSeq()).toBeLessThan(seq);
  await query(`UPDATE "RemovedEpisode" SET "removedAt" = now() - interval '31 days'`);
  await database.collectGarbage();
  expect(await database.libraryChanges.oldestSeq()).toBe(seq);
  expect(await database.libraryChanges.listSince(seq - 1n, modelId, 10)).toEqual([]);
});

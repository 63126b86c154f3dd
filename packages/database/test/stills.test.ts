import { randomUUID } from "node:crypto";
import type { Database } from "@koma/database";
import { expect, it } from "vitest";
import { makeEpisode, publishEpisode } from "./make-episode.ts";
import { openTestDatabase } from "./open-test-database.ts";

async function makePublished(database: Database) {
  const { id } = await makeEpisode(database);
  const contentHash = randomUUID();
  await publishEpisode(database, id, { contentHash });
  return { id, contentHash };
}

const { database } = await openTestDatabase();

it("are read in parts", async () => {
  const { stills } = database;
  const episode = await makePublished(database);
  expect(await stills.read(episode, 0, 10)).toBeUndefined();
  const bytes = Uint8Array.from({ length: 2_100_000 }, (_, i) => (i * 2_654_435_761) >>> 24);
  await stills.write(episode, bytes);
  expect(await stills.read(episode, 0, 0)).toHaveLength(0);
  for (const [offset, length] of [
    [0, 1],
    [0, 16_384],
    [1_500_000, 7000],
    [2_099_990, 100],
  ] as const) {
    const part = (await stills.read(episode, offset, length)) ?? [];
    expect(Buffer.from(part).equals(bytes.subarray(offset, offset + length))).toBe(true);
  }
  expect((await stills.list()).get(episode.id)).toBe(episode.contentHash);
});

it("belong to one content of their episode", async () => {
  const { stills } = database;
  const episode = await makePublished(database);
  await stills.write({ ...episode, contentHash: "other" }, new Uint8Array(1));
  expect(await stills.read({ ...episode, contentHash: "other" }, 0, 1)).toBeUndefined();
  await stills.write(episode, Uint8Array.of(1));
  await stills.write(episode, Uint8Array.of(2));
  expect([...((await stills.read(episode, 0, 9)) ?? [])]).toEqual([2]);
  await publishEpisode(database, episode.id, { contentHash: "new" });
  const renewed = { ...episode, contentHash: "new" };
  expect(await stills.read(renewed, 0, 9)).toBeUndefined();
  await stills.write(renewed, Uint8Array.of(3));
  expect([...((await stills.read(renewed, 0, 9)) ?? [])]).toEqual([3]);
  expect(await stills.read(episode, 0, 9)).toBeUndefined();
});

it("are deleted alone or with their episode", async () => {
  const [first, second] = [await makePublished(database), await makePublished(database)];
  for (const episode of [first, second]) await database.stills.write(episode, Uint8Array.of(1));
  await database.stills.remove([first.id]);
  await database.episodes.remove([second.id]);
  for (const episode of [first, second]) expect(await database.stills.read(episode, 0, 1)).toBeUndefined();
  await database.stills.write(second, Uint8Array.of(1));
  expect((await database.stills.list()).has(second.id)).toBe(false);
});

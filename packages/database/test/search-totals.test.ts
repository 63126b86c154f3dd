import { randomUUID } from "node:crypto";
import type { CallerKind, SearchTotal } from "@koma/database";
import { expect, it } from "vitest";
import { makeEpisode } from "./make-episode.ts";
import { generateSearch, makeAnime, makeSearch, minutesLater, noon, reserveGuest } from "./make-search.ts";
import { openTestDatabase } from "./open-test-database.ts";

const dayMinutes = 24 * 60;

const { database, connectAgain, query } = await openTestDatabase();
const other = await connectAgain();

/** The totals of one UTC day. Each test uses days of its own. */
async function read(at: Date): Promise<Omit<SearchTotal, "day">[]> {
  const day = at.toISOString().slice(0, 10);
  const totals = await database.searches.listTotals({ from: at });
  return totals.filter((total) => total.day === day).map(({ day: _day, ...total }) => total);
}

it("count a search once, however often it is settled and released", async () => {
  const at = minutesLater(10 * dayMinutes);
  const callerHash = randomUUID();
  const reservation = await reserveGuest(database, callerHash);
  const outcome = { search: generateSearch(callerHash), reservation, at };
  expect(await database.searches.settle(outcome)).toBe(true);
  expect(await database.searches.settle(outcome)).toBe(true);
  await database.quota.release(reservation.id, reservation.owner, { callerKind: "guest", at });
  expect(await read(at)).toEqual([{ outcome: "found", callerKind: "guest", searches: 1 }]);
});

it("count a released search as failed, once, and one with a lost lease not as completed", async () => {
  const at = minutesLater(20 * dayMinutes);
  const search = { callerKind: "key", at } as const;
  const callerHash = randomUUID();
  const { id, owner } = await reserveGuest(database, callerHash);
  const stolen = { search: generateSearch(callerHash), reservation: { id, owner: "another" }, at };
  expect(await database.searches.settle(stolen)).toBe(false);
  await database.quota.release(id, "another", search);
  expect(await read(at)).toEqual([]);
  await database.quota.release(id, owner, search);
  await database.quota.release(id, owner, search);
  expect(await read(at)).toEqual([{ outcome: "failed", callerKind: "key", searches: 1 }]);
});

it("are exact when many searches of several processes end together", async () => {
  const at = minutesLater(30 * dayMinutes);
  const matches = [{ rank: 1, animeId: await makeAnime(database), isConfident: true }];
  const kinds: CallerKind[] = ["guest", "bot"];
  await Promise.all(
    Array.from({ length: 60 }, async (_, index) => {
      const each = index % 3 === 0 ? other : database;
      const callerKind = kinds[index % 2] ?? "guest";
      if (index % 6 < 4) return await makeSearch(each, { at, matches, callerKind });
      const { id, owner } = await reserveGuest(each);
      await each.quota.release(id, owner, { callerKind, at });
    }),
  );
  expect(await read(at)).toEqual([
    { outcome: "failed", callerKind: "bot", searches: 10 },
    { outcome: "failed", callerKind: "guest", searches: 10 },
    { outcome: "found", callerKind: "bot", searches: 20 },
    { outcome: "found", callerKind: "guest", searches: 20 },
  ]);
});

it("remain when searches are deleted, and name no caller", async () => {
  const at = minutesLater(40 * dayMinutes);
  const { id } = await makeSearch(database, { at });
  await database.searches.collectGarbage({ at: minutesLater(50 * dayMinutes), historyDays: 1 });
  expect(await query(`SELECT "id" FROM "Search" WHERE "id" = $1`, [id])).toEqual([]);
  expect(await read(at)).toEqual([{ outcome: "found", callerKind: "guest", searches: 1 }]);
});

it("are counted by the UTC day of their last indexing", async () => {
  for (const indexedAt of ["2026-11-19T23:59:59.999Z", "2026-11-20T00:00:00Z", "2026-11-20T12:00:00Z"]) {
    const { id } = await makeEpisode(database);
    await query(`UPDATE "Episode" SET "indexedAt" = $1 WHERE "id" = $2`, [indexedAt, id]);
  }
  await makeEpisode(database);
  expect(await database.statistics.countIndexedByDay({ from: noon })).toEqual(new Map([["2026-11-20", 2]]));
  const twoDays = await database.statistics.countIndexedByDay({ from: minutesLater(-dayMinutes) });
  expect(twoDays.get("2026-11-19")).toBe(1);
});

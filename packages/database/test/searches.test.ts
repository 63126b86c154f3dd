import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import {
  day,
  failed,
  generateSearch,
  makeAnime,
  makeSearch,
  minutesLater,
  noon,
  reserveGuest,
} from "./make-search.ts";
import { openTestDatabase } from "./open-test-database.ts";

const dayMinutes = 24 * 60;

const { database, connectAgain, query } = await openTestDatabase();
const other = await connectAgain();

it("settle quota, search and first response together, once", async () => {
  const callerHash = randomUUID();
  const hold = { callerHash, key: "k", owner: "request", requestHash: "r", leaseSeconds: 60 };
  expect(await database.idempotency.begin(hold)).toEqual({ state: "new" });
  const reservation = await reserveGuest(database, callerHash);
  const search = generateSearch(callerHash);
  const response = { id: search.id, list: [1, "two", null] };
  const outcome = { search, reservation, idempotency: { key: "k", owner: "request", response }, at: noon };
  expect(await database.searches.settle(outcome)).toBe(true);
  expect(await database.searches.settle(outcome)).toBe(true);
  const { callerHash: _hash, callerKind: _kind, confirmTokenHash: _token, ...shown } = search;
  const found = await database.searches.find({ id: search.id, by: { callerHash }, at: noon });
  expect(found).toEqual({
    ...shown,
    confirmedRank: null,
    confirmedAt: null,
    createdAt: noon,
    isOwn: true,
  });
  expect(await database.quota.guestUsage({ callerHash, day })).toEqual({ used: 1 });
  await database.quota.release(reservation.id, reservation.owner, failed);
  expect(await database.quota.guestUsage({ callerHash, day })).toEqual({ used: 1 });
  expect(await database.idempotency.begin({ ...hold, owner: "later" })).toEqual({
    state: "done",
    requestHash: "r",
    response,
  });
});

it("write nothing for a reservation that expired or belongs to another owner", async () => {
  const callerHash = randomUUID();
  const late = {
    search: generateSearch(callerHash),
    reservation: await reserveGuest(database, callerHash, -1),
  };
  expect(await database.searches.settle({ ...late, at: noon })).toBe(false);
  const reservation = await reserveGuest(database, callerHash);
  const stolen = { search: generateSearch(callerHash), reservation: { ...reservation, owner: "thief" } };
  expect(await database.searches.settle({ ...stolen, at: noon })).toBe(false);
  const foreign = { search: generateSearch("somebody else"), reservation };
  expect(await database.searches.settle({ ...foreign, at: noon })).toBe(false);
  for (const { search } of [late, stolen, foreign]) {
    const by = { confirmTokenHash: search.confirmTokenHash };
    expect(await database.searches.find({ id: search.id, by, at: noon })).toBeUndefined();
  }
  expect(await database.quota.guestUsage({ callerHash, day })).toEqual({ used: 1 });
});

it("write nothing when the lease of the idempotency key was lost", async () => {
  const callerHash = randomUUID();
  const hold = { callerHash, key: "k", owner: "slow", requestHash: "r", leaseSeconds: -1 };
  await database.idempotency.begin(hold);
  const search = generateSearch(callerHash);
  const reservation = await reserveGuest(database, callerHash);
  const idempotency = { key: "k", owner: "slow", response: {} };
  expect(await database.searches.settle({ search, reservation, idempotency, at: noon })).toBe(false);
  expect(await database.searches.find({ id: search.id, by: { callerHash }, at: noon })).toBeUndefined();
  await database.quota.release(reservation.id, reservation.owner, failed);
  expect(await database.quota.guestUsage({ callerHash, day })).toEqual({ used: 0 });
});

it("never settle more than the limit, even when leases expire", async () => {
  const callerHash = randomUUID();
  const attempts = Array.from({ length: 30 }, async (_, index) => {
    const each = index % 2 === 0 ? database : other;
    const owner = randomUUID();
    const options = { callerHash, day, owner, limit: 3, leaseSeconds: 0.02 };
    const response = await each.quota.reserveGuest(options);
    if (response.isRefused) return false;
    const reservation = { id: response.reservationId, owner };
    return await each.searches.settle({ search: generateSearch(callerHash), reservation, at: noon });
  });
  const settled = (await Promise.all(attempts)).filter((isSettled) => isSettled).length;
  expect(settled).toBeLessThanOrEqual(3);
  expect(await database.quota.guestUsage({ callerHash, day })).toEqual({ used: settled });
});

it("are deleted or anonymised when they are old", async () => {
  const matches = [{ rank: 1, animeId: await makeAnime(database), isConfident: true }];
  const created = new Map<string, string>();
  for (const inHistory of [false, true]) {
    for (const isListed of [false, true]) {
      const { id, callerHash } = await makeSearch(database, { matches, inHistory, isPublic: isListed });
      created.set(id, `${inHistory ? "user's" : "guest's"} ${isListed ? "listed" : "unlisted"}`);
      await database.searches.confirm({ id, rank: 1, by: { callerHash }, at: noon });
    }
  }
  const findAfter = async (minutes: number, aging: { historyDays?: number } = { historyDays: 10 }) => {
    await database.collectGarbage({ at: minutesLater(minutes), ...aging });
    const rows = await query<{ id: string; callerHash: string | null; createdAt: Date }>(
      `SELECT "id", "callerHash", "createdAt" FROM "Search" WHERE "id" = ANY($1)`,
      [[...created.keys()]],
    );
    for (const { callerHash, createdAt } of rows) {
      if (callerHash === null) expect(createdAt.toISOString()).toBe("2026-11-20T00:00:00.000Z");
    }
    return rows
      .map(({ id, callerHash }) => `${created.get(id)}${callerHash === null ? ", anonymous" : ""}`)
      .sort();
  };
  const usersBoth = ["user's listed", "user's unlisted"];
  expect(await findAfter(dayMinutes - 1)).toEqual(["guest's listed", "guest's unlisted", ...usersBoth]);
  expect(await findAfter(dayMinutes)).toEqual(["guest's listed, anonymous", ...usersBoth]);
  // A program without the setting of the site, as `koma index`, deletes no histories.
  expect(await findAfter(1000 * dayMinutes, {})).toEqual(["guest's listed, anonymous", ...usersBoth]);
  const both = ["guest's listed, anonymous", "user's listed, anonymous"];
  expect(await findAfter(10 * dayMinutes)).toEqual(both);
  expect(await findAfter(1000 * dayMinutes)).toEqual(both);
});

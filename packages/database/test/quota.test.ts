import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { day, failed, generateSearch, granted, makeUser, minutesLater, noon } from "./make-search.ts";
import { openTestDatabase } from "./open-test-database.ts";

const { database, connectAgain } = await openTestDatabase();
const other = await connectAgain();

const guestQuery = (callerHash: string, change: { limit?: number; leaseSeconds?: number } = {}) => ({
  callerHash,
  day,
  owner: "api",
  limit: 5,
  leaseSeconds: 60,
  ...change,
});

it("never grants more than the limit to 50 concurrent searches", async () => {
  const callerHash = randomUUID();
  const results = await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      (index % 2 === 0 ? database : other).quota.reserveGuest(guestQuery(callerHash)),
    ),
  );
  const granted = results.filter(({ isRefused }) => !isRefused);
  expect(granted.map(({ used }) => used).sort()).toEqual([1, 2, 3, 4, 5]);
  expect(await database.quota.guestUsage({ callerHash, day })).toEqual({ used: 5 });
  expect(await database.quota.guestUsage({ callerHash, day: "2026-11-21" })).toEqual({ used: 0 });
  const otherUser = await database.quota.reserveGuest(guestQuery(randomUUID()));
  expect(otherUser).toMatchObject({ isRefused: false, used: 1 });
});

it("returns released and expired reservations", async () => {
  const callerHash = randomUUID();
  const result = granted(await database.quota.reserveGuest(guestQuery(callerHash, { limit: 1 })));
  await database.quota.release(result.reservationId, "another", failed);
  expect(await database.quota.reserveGuest(guestQuery(callerHash, { limit: 1 }))).toEqual({
    isRefused: true,
    used: 1,
  });
  await database.quota.release(result.reservationId, "api", failed);
  await database.quota.reserveGuest(guestQuery(callerHash, { limit: 1, leaseSeconds: -1 }));
  expect(await database.quota.reserveGuest(guestQuery(callerHash, { limit: 1 }))).toMatchObject({
    used: 1,
  });
});

type User = { userId: string; callerHash: string };
const limits = { day, at: noon, freeLimit: 2, hourlyLimit: 100, owner: "api", leaseSeconds: 60 };

async function spend(user: User, change: Partial<typeof limits> = {}) {
  const result = await database.quota.reserveUser({ ...user, ...limits, ...change });
  if (result.isRefused) return result.why;
  const reservation = { id: result.reservationId, owner: "api", userId: user.userId };
  const search = generateSearch(user.callerHash, { inHistory: true });
  return (await database.searches.settle({ search, reservation, at: noon })) ? result.kind : "late";
}

it("holds a purchased credit while it is reserved, and releases it", async () => {
  const user = await makeUser(database);
  await database.credits.grant({ userId: user.userId, amount: 1, reason: "a gift" });
  const options = { ...user, ...limits, freeLimit: 0 };
  const held = granted(await database.quota.reserveUser(options));
  expect(held).toMatchObject({ kind: "purchased", usage: { purchasedRemaining: 0 } });
  expect(await database.credits.balance(user.userId)).toBe(1);
  expect(await database.quota.reserveUser(options)).toMatchObject({ isRefused: true, why: "credits" });
  await database.quota.release(held.reservationId, "api", failed);
  const expired = granted(await database.quota.reserveUser({ ...options, leaseSeconds: -1 }));
  const reservation = { id: expired.reservationId, owner: "api", userId: user.userId };
  const late = { search: generateSearch(user.callerHash), reservation, at: noon };
  expect(await database.searches.settle(late)).toBe(false);
  expect(await database.credits.balance(user.userId)).toBe(1);
  expect(await spend(user, { freeLimit: 0 })).toBe("purchased");
});

it("rejects the settlement when a reserved credit no longer exists", async () => {
  const user = await makeUser(database);
  await database.credits.grant({ userId: user.userId, amount: 1, reason: "a gift" });
  const options = { ...user, ...limits, freeLimit: 0 };
  const first = granted(await database.quota.reserveUser(options));
  // Imitates a change of the HMAC key: the reservations of one hash are not counted for the other.
  const second = granted(await database.quota.reserveUser({ ...options, callerHash: "another hash" }));
  const settle = (callerHash: string, id: string) =>
    database.searches.settle({
      search: generateSearch(callerHash),
      at: noon,
      reservation: { id, owner: "api", userId: user.userId },
    });
  expect(await settle(user.callerHash, first.reservationId)).toBe(true);
  expect(await settle("another hash", second.reservationId)).toBe(false);
  expect(await database.credits.balance(user.userId)).toBe(0);
});

it("reports when a search of the hour is free again, also after the limit was lowered", async () => {
  const user = await makeUser(database);
  for (const minute of [0, 10, 20]) await spend(user, { freeLimit: 10, at: minutesLater(minute) });
  const freesAt = async (hourlyLimit: number, minute: number) =>
    (await database.quota.userUsage({ ...user, ...limits, at: minutesLater(minute), hourlyLimit }))
      .hourlyFreesAt;
  expect(await freesAt(3, 59)).toEqual(minutesLater(60));
  // Two searches must leave the hour before one fits.
  expect(await freesAt(2, 59)).toEqual(minutesLater(70));
  expect(await freesAt(2, 200)).toBeNull();
});

import { randomUUID } from "node:crypto";
import { CreditLimitError, type Database } from "@koma/database";
import { expect, it } from "vitest";
import { day, failed, generateSearch, granted, makeUser, noon } from "./make-search.ts";
import { openTestDatabase } from "./open-test-database.ts";

const { database, connectAgain, query } = await openTestDatabase();
const other = await connectAgain();

const isKnown = async (eventId: string) =>
  (await query(`SELECT 1 FROM "PaymentEvent" WHERE "id" = $1`, [eventId])).length === 1;

const limits = { day, at: noon, freeLimit: 3, hourlyLimit: 1000, leaseSeconds: 60 };

async function readLedger(userId: string) {
  const [row] = await query<{ sum: number; balance: number }>(
    `SELECT coalesce((SELECT sum("amount")::float8 FROM "CreditEntry" WHERE "userId" = $1), 0) AS "sum",
      coalesce((SELECT "purchased"::float8 FROM "CreditAccount" WHERE "userId" = $1), 0) AS "balance"`,
    [userId],
  );
  return row;
}

it("are granted once per reference to existing users", async () => {
  const { userId } = await makeUser(database);
  const grant = { userId, amount: 5, reason: "welcome", reference: randomUUID() };
  const results = await Promise.all([database.credits.grant(grant), database.credits.grant(grant)]);
  expect(results.map((result) => result?.isNew).sort()).toEqual([false, true]);
  await database.credits.grant({ userId, amount: 2, reason: "more" });
  expect(await database.credits.balance(userId)).toBe(7);
  const page = await database.credits.listEntries({ userId, page: 1, pageSize: 1 });
  expect(page.total).toBe(2);
  expect(page.items).toMatchObject([{ amount: 2, kind: "grant", reason: "more", reference: null }]);
  expect(await database.credits.grant({ userId: "nobody", amount: 1, reason: "x" })).toBeUndefined();
});

it("exceed 2^31, and are limited to what a JSON number represents", async () => {
  const { userId, callerHash } = await makeUser(database);
  const grant = (amount: number) => database.credits.grant({ userId, amount, reason: "large" });
  expect(await grant(2 ** 31)).toEqual({ isNew: true, balance: 2 ** 31 });
  expect(await grant(5_000_000_000)).toEqual({ isNew: true, balance: 2 ** 31 + 5_000_000_000 });
  const usage = { userId, callerHash, day, at: noon, hourlyLimit: 100 };
  expect((await database.quota.userUsage(usage)).purchasedRemaining).toBe(2 ** 31 + 5_000_000_000);
  const { items } = await database.credits.listEntries({ userId, page: 1, pageSize: 10 });
  expect(items.map(({ amount }) => amount)).toEqual([5_000_000_000, 2 ** 31]);
  const reference = `stripe:${randomUUID()}`;
  const sale = { userId, amount: 3_000_000_000, reason: "x", reference, eventId: randomUUID() };
  await database.credits.purchase(sale);
  const refund = { reference, refunded: 1, paid: 3, reason: "x", eventId: randomUUID() };
  expect(await database.credits.refund(refund)).toEqual({ state: "booked", taken: 1_000_000_000 });
  const before = await readLedger(userId);
  await expect(grant(9_000_000_000_000_000)).rejects.toThrow(CreditLimitError);
  expect(await readLedger(userId)).toEqual(before);
  const other = await makeUser(database);
  const tooMuch = { userId: other.userId, amount: 9_000_000_000_000_001, reason: "x" };
  await expect(database.credits.grant(tooMuch)).rejects.toThrow(/cannot exceed 9,000,000,000,000,000/);
});

it("come back when a dispute is won, once, and are withdrawn again by a later refund", async () => {
  const { userId } = await makeUser(database);
  const reference = `stripe:${randomUUID()}`;
  const won = { reference, reason: "Stripe: dispute", eventId: randomUUID() };
  expect(await database.credits.reinstate(won)).toEqual({ state: "no_purchase" });
  const sale = { userId, amount: 100, reason: "x", reference, eventId: randomUUID() };
  await database.credits.purchase(sale);
  expect(await database.credits.reinstate(won)).toEqual({ state: "no_dispute" });
  const refund = (refunded: number, reason: string) =>
    database.credits.refund({ reference, refunded, paid: 100, reason, eventId: randomUUID() });
  await refund(25, "Stripe: refund");
  expect(await refund(100, "Stripe: dispute")).toEqual({ state: "booked", taken: 75 });
  const results = await Promise.all([won, won, { ...won, eventId: randomUUID() }].map(reinstate));
  function reinstate(event: typeof won) {
    return database.credits.reinstate(event);
  }
  expect(results.filter(({ state }) => state === "booked")).toEqual([{ state: "booked", restored: 75 }]);
  expect(await readLedger(userId)).toEqual({ sum: 75, balance: 75 });
  // A second dispute, and a refund after it was won.
  expect(await refund(100, "Stripe: dispute")).toEqual({ state: "booked", taken: 75 });
  const again = await reinstate({ ...won, eventId: randomUUID() });
  expect(again).toEqual({ state: "booked", restored: 75 });
  expect(await refund(100, "Stripe: refund")).toEqual({ state: "booked", taken: 75 });
  expect(await reinstate({ ...won, eventId: randomUUID() })).toEqual({ state: "known" });
  expect(await readLedger(userId)).toEqual({ sum: 0, balance: 0 });
});

it("are purchased once per event and per payment, however often the event arrives", async () => {
  const { userId } = await makeUser(database);
  const payment = { userId, amount: 100, reason: "price_a", reference: randomUUID() };
  const eventId = randomUUID();
  const results = await Promise.all(
    Array.from({ length: 5 }, () => database.credits.purchase({ ...payment, eventId })),
  );
  expect(results.map(({ state }) => state).sort()).toEqual(["booked", "known", "known", "known", "known"]);
  expect(await database.credits.purchase({ ...payment, eventId: randomUUID() })).toEqual({
    state: "known",
  });
  expect(await isKnown(eventId)).toBe(true);
  expect(await readLedger(userId)).toEqual({ sum: 100, balance: 100 });
  const orphan = { ...payment, userId: "gone", reference: randomUUID(), eventId: randomUUID() };
  expect(await database.credits.purchase(orphan)).toEqual({ state: "no_user" });
  expect(await isKnown("another")).toBe(false);
  await database.payments.remember("another");
  expect(await isKnown("another")).toBe(true);
});

it("are withdrawn once after a refund, at most the remaining ones, in any order of events", async () => {
  const buy = async (amount: number) => {
    const { userId } = await makeUser(database);
    const reference = `stripe:${randomUUID()}`;
    await database.credits.purchase({ userId, amount, reason: "x", reference, eventId: randomUUID() });
    const refund = (refunded: number, eventId: string = randomUUID()) =>
      database.credits.refund({ reference, refunded, paid: 1000, reason: "Stripe: refund", eventId });
    return { userId, refund, ledger: () => readLedger(userId) };
  };
  const one = await buy(100);
  const eventId = randomUUID();
  const results = await Promise.all(Array.from({ length: 5 }, () => one.refund(295, eventId)));
  expect(results.filter(({ state }) => state === "booked")).toEqual([{ state: "booked", taken: 29 }]);
  expect(await one.ledger()).toEqual({ sum: 71, balance: 71 });
  const all = await Promise.all(Array.from({ length: 5 }, () => one.refund(1000)));
  expect(all.filter(({ state }) => state === "booked")).toEqual([{ state: "booked", taken: 71 }]);
  // A late event with a smaller refund.
  expect(await one.refund(500)).toEqual({ state: "known" });
  expect(await one.ledger()).toEqual({ sum: 0, balance: 0 });

  // Spent credits stay spent, and later credits are not withdrawn.
  const two = await buy(2);
  const other = await buy(3);
  await database.credits.grant({ userId: two.userId, amount: 1, reason: "a gift" });
  await query(`UPDATE "CreditAccount" SET "purchased" = 0 WHERE "userId" = $1`, [two.userId]);
  await query(`INSERT INTO "CreditEntry" ("id", "userId", "amount", "kind") VALUES ($1, $2, -3, 'spend')`, [
    ...[randomUUID(), two.userId],
  ]);
  expect(await two.refund(500)).toEqual({ state: "booked", taken: 0 });
  await database.credits.grant({ userId: two.userId, amount: 5, reason: "a gift" });
  expect(await two.refund(500)).toEqual({ state: "known" });
  expect(await two.refund(1000)).toEqual({ state: "booked", taken: 1 });
  expect(await two.ledger()).toEqual({ sum: 4, balance: 4 });
  expect(await other.ledger()).toEqual({ sum: 3, balance: 3 });

  const unknown = { reference: "stripe:unknown", refunded: 1, paid: 1, reason: "x", eventId: randomUUID() };
  expect(await database.credits.refund(unknown)).toEqual({ state: "no_purchase" });
  expect(await isKnown(unknown.eventId)).toBe(false);
  await database.users.forget({ userId: other.userId, callerHash: randomUUID() });
  expect(await other.refund(1000)).toEqual({ state: "no_user" });
});

it("are not spent by a search that reserved them before a refund", async () => {
  const { userId, callerHash } = await makeUser(database);
  const bought = { userId, amount: 1, reason: "x", reference: `stripe:${randomUUID()}` };
  await database.credits.purchase({ ...bought, eventId: randomUUID() });
  const owner = randomUUID();
  const options = { userId, callerHash, owner, ...limits, freeLimit: 0 };
  const held = granted(await database.quota.reserveUser(options));
  const refund = { reference: bought.reference, refunded: 1, paid: 1, reason: "x", eventId: randomUUID() };
  expect(await database.credits.refund(refund)).toEqual({ state: "booked", taken: 1 });
  const isSettled = await database.searches.settle({
    search: generateSearch(callerHash),
    at: noon,
    reservation: { id: held.reservationId, owner, userId },
  });
  expect([isSettled, await database.credits.balance(userId)]).toEqual([false, 0]);
});

it("sum up to the balance and never fall below zero in 100 concurrent searches", async () => {
  const user = await makeUser(database);
  await database.credits.grant({ userId: user.userId, amount: 7, reason: "a gift" });
  const outcomes = await Promise.all(
    Array.from({ length: 100 }, (_, index) => searchOnce(index % 2 === 0 ? database : other, user, index)),
  );
  const settled = (kind: string) => outcomes.filter((outcome) => outcome === kind).length;
  const ledger = await readLedger(user.userId);
  expect(settled("free")).toBeLessThanOrEqual(3);
  expect(settled("purchased")).toBeLessThanOrEqual(7);
  expect(ledger).toEqual({ sum: 7 - settled("purchased"), balance: 7 - settled("purchased") });
  const [stored] = await query<{ count: number }>(
    `SELECT count(*)::int AS "count" FROM "Search" WHERE "callerHash" = $1`,
    [user.callerHash],
  );
  expect(stored?.count).toBe(settled("free") + settled("purchased"));
  // Released and expired credits are available again: all of them can be spent.
  const rest = [];
  for (let count = 0; count < 12; count++) rest.push(await searchOnce(database, user, 0));
  expect(rest.filter((kind) => kind === "free").length + settled("free")).toBe(3);
  expect(rest.filter((kind) => kind === "purchased").length + settled("purchased")).toBe(7);
  expect(await readLedger(user.userId)).toEqual({ sum: 0, balance: 0 });
});

// Every fifth search is released, every seventh exceeds its lease.
async function searchOnce(database: Database, user: { userId: string; callerHash: string }, index: number) {
  const owner = randomUUID();
  const isLate = index % 7 === 1;
  const result = await database.quota.reserveUser({
    ...{ ...user, ...limits, owner },
    leaseSeconds: isLate ? -1 : 60,
  });
  if (result.isRefused) return result.why;
  if (index % 5 === 1) {
    await database.quota.release(result.reservationId, owner, failed);
    return "released";
  }
  const isSettled = await database.searches.settle({
    search: generateSearch(user.callerHash),
    at: noon,
    reservation: { id: result.reservationId, owner, userId: user.userId },
  });
  if (isLate) expect(isSettled).toBe(false);
  return isSettled ? result.kind : "late";
}

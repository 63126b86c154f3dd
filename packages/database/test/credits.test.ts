import { randomUUID } from "node:crypto";
import type { Database } from "@koma/database";
import { expect, it } from "vitest";
import { describeOnBoth, type TestDatabase } from "./describe-on-both.ts";
import { day, inventSearch, makeUser, noon, query } from "./make-search.ts";

describeOnBoth("credits", (open) => {
  async function readLedger(test: TestDatabase, userId: string) {
    const [row] = await query<{ sum: number; balance: number }>(
      test,
      `SELECT coalesce((SELECT sum("amount")::int FROM "CreditEntry" WHERE "userId" = $1), 0) AS "sum",
        coalesce((SELECT "purchased" FROM "CreditAccount" WHERE "userId" = $1), 0) AS "balance"`,
      [userId],
    );
    return row;
  }

  it("are granted once per reference, to users that exist", async () => {
    const { database } = open();
    const { userId } = await makeUser(database);
    const grant = { userId, amount: 5, reason: "welcome", reference: randomUUID() };
    const answers = await Promise.all([database.credits.grant(grant), database.credits.grant(grant)]);
    expect(answers.map((answer) => answer?.isNew).sort()).toEqual([false, true]);
    await database.credits.grant({ userId, amount: 2, reason: "more" });
    expect(await database.credits.balance(userId)).toBe(7);
    const page = await database.credits.listEntries({ userId, page: 1, pageSize: 1 });
    expect(page.total).toBe(2);
    expect(page.items).toMatchObject([{ amount: 2, kind: "grant", reason: "more", reference: null }]);
    expect(await database.credits.grant({ userId: "nobody", amount: 1, reason: "x" })).toBeUndefined();
  });

  it("are bought once per event and per payment, however often the event arrives", async () => {
    const test = open();
    const { database } = test;
    const { userId } = await makeUser(database);
    const payment = { userId, amount: 100, reason: "price_a", reference: randomUUID() };
    const eventId = randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => database.credits.purchase({ ...payment, eventId })),
    );
    expect(answers.map(({ state }) => state).sort()).toEqual(["booked", "known", "known", "known", "known"]);
    expect(await database.credits.purchase({ ...payment, eventId: randomUUID() })).toEqual({
      state: "known",
    });
    expect(await database.payments.isKnown(eventId)).toBe(true);
    expect(await readLedger(test, userId)).toEqual({ sum: 100, balance: 100 });
    const orphan = { ...payment, userId: "gone", reference: randomUUID(), eventId: randomUUID() };
    expect(await database.credits.purchase(orphan)).toEqual({ state: "no_user" });
    expect(await database.payments.isKnown("another")).toBe(false);
    await database.payments.remember("another");
    expect(await database.payments.isKnown("another")).toBe(true);
  });

  it("sum up to the balance and never go below zero under 100 searches at once", async () => {
    const test = open();
    const { database, connectAgain } = test;
    const other = await connectAgain();
    const user = await makeUser(database);
    await database.credits.grant({ userId: user.userId, amount: 7, reason: "a gift" });
    const outcomes = await Promise.all(
      Array.from({ length: 100 }, (_, index) => searchOnce(index % 2 === 0 ? database : other, user, index)),
    );
    const settled = (kind: string) => outcomes.filter((outcome) => outcome === kind).length;
    const ledger = await readLedger(test, user.userId);
    expect(settled("free")).toBeLessThanOrEqual(3);
    expect(settled("purchased")).toBeLessThanOrEqual(7);
    expect(ledger).toEqual({ sum: 7 - settled("purchased"), balance: 7 - settled("purchased") });
    const [stored] = await query<{ count: number }>(
      test,
      `SELECT count(*)::int AS "count" FROM "Search" WHERE "callerHash" = $1`,
      [user.callerHash],
    );
    expect(stored?.count).toBe(settled("free") + settled("purchased"));
    // What was released or expired is there again: now all of it can be spent.
    const rest = [];
    for (let count = 0; count < 12; count++) rest.push(await searchOnce(database, user, 0));
    expect(rest.filter((kind) => kind === "free").length + settled("free")).toBe(3);
    expect(rest.filter((kind) => kind === "purchased").length + settled("purchased")).toBe(7);
    expect(await readLedger(test, user.userId)).toEqual({ sum: 0, balance: 0 });
  });

  // Every fifth is released, every seventh comes too late.
  async function searchOnce(database: Database, user: { userId: string; callerHash: string }, index: number) {
    const owner = randomUUID();
    const isLate = index % 7 === 1;
    const answer = await database.quota.reserveUser({
      ...{ ...user, day, at: noon, freeLimit: 3, hourlyLimit: 1000, owner, leaseSeconds: isLate ? -1 : 60 },
    });
    if (answer.isRefused) return answer.why;
    if (index % 5 === 1) {
      await database.quota.release(answer.reservationId, owner);
      return "released";
    }
    const isSettled = await database.searches.settle({
      ...{ search: inventSearch(user.callerHash), at: noon },
      reservation: { id: answer.reservationId, owner, userId: user.userId },
    });
    if (isLate) expect(isSettled).toBe(false);
    return isSettled ? answer.kind : "late";
  }
});

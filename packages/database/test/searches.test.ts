import { randomUUID } from "node:crypto";
import type { Database } from "@koma/database";
import { expect, it } from "vitest";
import { describeOnBoth } from "./describe-on-both.ts";

const day = "2026-11-20";

describeOnBoth("searches", (open) => {
  async function reserve(database: Database, callerHash: string, leaseSeconds = 60) {
    const owner = randomUUID();
    const answer = await database.quota.reserve({
      ...{ callerHash, kind: "guest", day, owner, limit: 5, leaseSeconds },
    });
    if (answer.isRefused) throw new Error("The reservation was refused.");
    return { id: answer.reservationId, owner };
  }

  function inventSearch(callerHash: string) {
    const matches = [{ rank: 1, titles: ["a", null], similarity: 0.93, isConfident: true }];
    const search = { id: randomUUID(), callerHash, isPublic: true, confirmTokenHash: "t", matches };
    return { ...search, queryKind: "file" as const };
  }

  it("settles quota, search and first answer together, once", async () => {
    const { database } = open();
    const callerHash = randomUUID();
    const hold = { callerHash, key: "k", owner: "request", requestHash: "r", leaseSeconds: 60 };
    expect(await database.idempotency.begin(hold)).toEqual({ state: "new" });
    const reservation = await reserve(database, callerHash);
    const search = inventSearch(callerHash);
    const answer = { id: search.id, list: [1, "two", null] };
    const answered = { search, reservation, idempotency: { key: "k", owner: "request", answer } };
    expect(await database.searches.settle(answered)).toBe(true);
    expect(await database.searches.settle(answered)).toBe(true);
    expect(await database.searches.get(search.id)).toMatchObject(search);
    expect(await database.quota.countUsed({ callerHash, day })).toBe(1);
    await database.quota.release(reservation.id, reservation.owner);
    expect(await database.quota.countUsed({ callerHash, day })).toBe(1);
    expect(await database.idempotency.begin({ ...hold, owner: "later" })).toEqual({
      ...{ state: "done", requestHash: "r", answer },
    });
  });

  it("writes nothing for a reservation that expired or is another's", async () => {
    const { database } = open();
    const callerHash = randomUUID();
    const late = { search: inventSearch(callerHash), reservation: await reserve(database, callerHash, -1) };
    expect(await database.searches.settle(late)).toBe(false);
    const reservation = await reserve(database, callerHash);
    const stolen = { search: inventSearch(callerHash), reservation: { ...reservation, owner: "thief" } };
    expect(await database.searches.settle(stolen)).toBe(false);
    const foreign = { search: inventSearch("somebody else"), reservation };
    expect(await database.searches.settle(foreign)).toBe(false);
    for (const { search } of [late, stolen, foreign]) {
      expect(await database.searches.get(search.id)).toBeUndefined();
    }
    expect(await database.quota.countUsed({ callerHash, day })).toBe(1);
  });

  it("writes nothing when the hold on the idempotency key was lost", async () => {
    const { database } = open();
    const callerHash = randomUUID();
    const hold = { callerHash, key: "k", owner: "slow", requestHash: "r", leaseSeconds: -1 };
    await database.idempotency.begin(hold);
    const search = inventSearch(callerHash);
    const reservation = await reserve(database, callerHash);
    const idempotency = { key: "k", owner: "slow", answer: {} };
    expect(await database.searches.settle({ search, reservation, idempotency })).toBe(false);
    expect(await database.searches.get(search.id)).toBeUndefined();
    await database.quota.release(reservation.id, reservation.owner);
    expect(await database.quota.countUsed({ callerHash, day })).toBe(0);
  });

  it("never settles more than the limit, even where leases run out", async () => {
    const { database, connectAgain } = open();
    const other = await connectAgain();
    const callerHash = randomUUID();
    const attempts = Array.from({ length: 30 }, async (_, index) => {
      const each = index % 2 === 0 ? database : other;
      const owner = randomUUID();
      const answer = await each.quota.reserve({
        ...{ callerHash, kind: "guest", day, owner, limit: 3, leaseSeconds: 0.02 },
      });
      if (answer.isRefused) return false;
      const reservation = { id: answer.reservationId, owner };
      return await each.searches.settle({ search: inventSearch(callerHash), reservation });
    });
    const settled = (await Promise.all(attempts)).filter((isSettled) => isSettled).length;
    expect(settled).toBeLessThanOrEqual(3);
    expect(await database.quota.countUsed({ callerHash, day })).toBe(settled);
  });
});

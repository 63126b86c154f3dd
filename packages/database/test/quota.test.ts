import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { describeOnBoth } from "./describe-on-both.ts";

const day = "2026-11-20";

describeOnBoth("quota", (open) => {
  const wantedBy = (callerHash: string, change: { limit?: number; leaseSeconds?: number } = {}) => ({
    ...{ callerHash, kind: "guest" as const, day, owner: "api", limit: 5, leaseSeconds: 60 },
    ...change,
  });

  it("never grants more than the limit to 50 searches at once", async () => {
    const { database, connectAgain } = open();
    const other = await connectAgain();
    const callerHash = randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        (index % 2 === 0 ? database : other).quota.reserve(wantedBy(callerHash)),
      ),
    );
    expect(
      answers
        .filter(({ isRefused }) => !isRefused)
        .map(({ used }) => used)
        .sort(),
    ).toEqual([1, 2, 3, 4, 5]);
    expect(await database.quota.countUsed({ callerHash, day })).toBe(5);
    expect(await database.quota.countUsed({ callerHash, day: "2026-11-21" })).toBe(0);
    expect(await database.quota.reserve(wantedBy(randomUUID()))).toMatchObject({ isRefused: false, used: 1 });
  });

  it("gives released and expired reservations back", async () => {
    const { database } = open();
    const callerHash = randomUUID();
    const answer = await database.quota.reserve(wantedBy(callerHash, { limit: 1 }));
    if (answer.isRefused) throw new Error("The first reservation was refused.");
    await database.quota.release(answer.reservationId, "another");
    expect(await database.quota.reserve(wantedBy(callerHash, { limit: 1 }))).toEqual({
      isRefused: true,
      used: 1,
    });
    await database.quota.release(answer.reservationId, "api");
    await database.quota.reserve(wantedBy(callerHash, { limit: 1, leaseSeconds: -1 }));
    expect(await database.quota.reserve(wantedBy(callerHash, { limit: 1 }))).toMatchObject({ used: 1 });
  });
});

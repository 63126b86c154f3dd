import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { openTestDatabase } from "./open-test-database.ts";

const { database, connectAgain, query } = await openTestDatabase();
const other = await connectAgain();

const holdBy = (callerHash: string, owner: string, leaseSeconds = 60) => ({
  callerHash,
  key: "k",
  requestHash: "r",
  owner,
  leaseSeconds,
});

it("acquires a key for one of many concurrent requests", async () => {
  const callerHash = randomUUID();
  const states = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      (index % 2 === 0 ? database : other).idempotency.begin(holdBy(callerHash, `${index}`)),
    ),
  );
  expect(states.filter(({ state }) => state === "new")).toHaveLength(1);
  expect(states.filter(({ state }) => state === "busy")).toHaveLength(19);
  expect(await database.idempotency.begin(holdBy(randomUUID(), "other caller"))).toEqual({ state: "new" });
});

it("acquires a key again after a released or expired lease, and after 24 hours", async () => {
  const callerHash = randomUUID();
  await database.idempotency.begin(holdBy(callerHash, "first"));
  await database.idempotency.release(holdBy(callerHash, "another"));
  expect(await database.idempotency.begin(holdBy(callerHash, "second"))).toEqual({ state: "busy" });
  await database.idempotency.release(holdBy(callerHash, "first"));
  expect(await database.idempotency.begin(holdBy(callerHash, "second", 0))).toEqual({ state: "new" });
  expect(await database.idempotency.begin(holdBy(callerHash, "third"))).toEqual({ state: "new" });
  await query(
    `UPDATE "IdempotentAnswer" SET "answer" = '{}', "createdAt" = now() - interval '25 hours' WHERE "callerHash" = $1`,
    [callerHash],
  );
  expect(await database.idempotency.begin(holdBy(callerHash, "fourth"))).toEqual({ state: "new" });
});

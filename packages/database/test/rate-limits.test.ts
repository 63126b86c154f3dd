import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { openTestDatabase } from "./open-test-database.ts";

const { database, connectAgain } = await openTestDatabase();
const other = await connectAgain();

it("adds concurrently counted attempts until the window ends", async () => {
  const keys = [randomUUID(), randomUUID(), randomUUID()];
  const add = (store: typeof database, count: number, remainingMs = 60_000) =>
    store.rateLimits.add(keys.map((key) => ({ key, count, remainingMs })));
  const results = await Promise.all(Array.from({ length: 10 }, (_, i) => add(i % 2 ? other : database, 3)));
  expect(Math.max(...results.flat().map(({ count }) => count))).toBe(30);
  // The window of the first attempt.
  const [first] = await add(other, 1, 5000);
  expect(first?.count).toBe(31);
  expect(first?.remainingMs).toBeGreaterThan(30_000);
  expect(await database.rateLimits.add([])).toEqual([]);
  const key = randomUUID();
  await database.rateLimits.add([{ key, count: 9, remainingMs: 0 }]);
  expect(await database.rateLimits.add([{ key, count: 2, remainingMs: 1000 }])).toMatchObject([
    { key, count: 2 },
  ]);
});

it("serialises work under a lock on a server with many instances", async () => {
  let working = 0;
  const most: number[] = [];
  const work = async () => {
    most.push(++working);
    await database.ping();
    await new Promise((resolve) => setTimeout(resolve, 20));
    working -= 1;
  };
  const lock = { name: randomUUID() };
  await Promise.all([database, other, database].map((one) => one.withLock(lock, work)));
  expect(most).toEqual([1, 1, 1]);
  const stop = new AbortController();
  await database.withLock(lock, async () => {
    const waiting = other.withLock({ ...lock, signal: stop.signal }, work);
    stop.abort(new Error("enough"));
    await expect(waiting).rejects.toThrow();
  });
  expect(most).toHaveLength(3);
});

import { expect, test } from "vitest";
import type { Caller } from "../../src/caller.ts";
import { createSearchQueue, type SearchQueueLimits } from "../../src/search/search-queue.ts";

const never = new AbortController().signal;
const guest = (network: string) => ({ caller: { kind: "guest", hash: network } satisfies Caller, network });
const user = (name: string) => ({
  caller: { kind: "user", hash: name, userId: name, by: "session", isBot: false } satisfies Caller,
  network: "shared",
});

/** A queue with one worker that is busy until `release`. */
async function openBusyQueue(limits: Partial<SearchQueueLimits> = {}) {
  const queue = createSearchQueue({ atOnce: 1, guestQueued: 2, failedMs: 30_000, ...limits });
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const first = queue.run(guest("first"), never, () => held);
  const order: string[] = [];
  const add = (name: string, origin: ReturnType<typeof guest> | ReturnType<typeof user>, signal = never) =>
    queue.run(origin, signal, async () => {
      order.push(name);
    });
  return {
    order,
    add,
    check: queue.check,
    async release(): Promise<void> {
      release();
      await first;
    },
  };
}

test("three searches of signed-in callers run before each one of guests, and callers take turns", async () => {
  const { order, add, release } = await openBusyQueue();
  const work = [
    ...["a1", "a2"].map((name) => add(name, guest("a"))),
    add("b1", guest("b")),
    ...["u1", "u2", "u3", "u4"].map((name) => add(name, user("u"))),
    add("v1", user("v")),
  ];
  await release();
  await Promise.all(work);
  expect(order).toEqual(["u1", "v1", "u2", "a1", "u3", "u4", "b1", "a2"]);
});

test("two images of one guest network wait, a third is rejected; other networks are not affected", async () => {
  const { add, check, release } = await openBusyQueue();
  const waiting = [add("1", guest("a")), add("2", guest("a"))];
  await expect(add("3", guest("a"))).rejects.toMatchObject({ code: "search_busy" });
  expect(() => check(guest("a"))).toThrow("waiting");
  for (const other of [guest("b"), user("u")]) expect(() => check(other)).not.toThrow();
  waiting.push(add("4", guest("b")), add("5", user("u")));
  await release();
  await Promise.all(waiting);
});

test("an origin has as many admitted searches as can run and wait", async () => {
  const queue = createSearchQueue({ atOnce: 1, guestQueued: 2, failedMs: 30_000 });
  const leave = [1, 2, 3].map(() => queue.start(guest("a")));
  expect(() => queue.check(guest("a"))).toThrow("waiting");
  expect(() => queue.start(guest("a"))).toThrow("waiting");
  for (const other of [guest("b"), user("u")]) queue.start(other)();
  leave[0]?.();
  leave.push(queue.start(guest("a")));
  expect(() => queue.start(guest("a"))).toThrow("waiting");
});

test("work outside of the queue counts for failed searches", () => {
  const queue = createSearchQueue({ atOnce: 1, guestQueued: 2, failedMs: 30_000 });
  for (const spentMs of [20_000, 10_000]) queue.charge(guest("a"), spentMs);
  expect(() => queue.start(guest("a"))).toThrow("30 seconds of work");
  queue.start(guest("b"))();
});

test("an aborted search leaves the queue without running", async () => {
  const { order, add, release } = await openBusyQueue();
  const gone = new AbortController();
  const aborted = add("gone", guest("a"), gone.signal);
  const other = add("other", guest("a"));
  gone.abort();
  await expect(aborted).rejects.toBe(gone.signal.reason);
  await release();
  await other;
  expect(order).toEqual(["other"]);
});

test("failed searches count against the network, successful ones do not", async () => {
  const clock = { nowMs: 0 };
  const queue = createSearchQueue({ atOnce: 1, guestQueued: 2, failedMs: 30_000 }, () => clock.nowMs);
  const search = (network: string, isFailing: boolean) =>
    queue.run(guest(network), never, async () => {
      clock.nowMs += 15_000;
      if (isFailing) throw new Error("failed");
    });
  for (let count = 0; count < 5; count++) await search("a", false);
  for (let count = 0; count < 2; count++) await expect(search("a", true)).rejects.toThrow("failed");
  await expect(search("a", false)).rejects.toMatchObject({ code: "too_many_requests", statusCode: 429 });
  await search("b", false);
});

import { expect, test } from "vitest";
import { createQueue } from "../../src/previews/create-queue.ts";

class BusyError extends Error {}

function open(options: { concurrency: number; maxQueued: number }) {
  const queue = createQueue({ ...options, createBusyError: () => new BusyError() });
  const started: string[] = [];
  const add = (name: string, priority?: "first" | "last") => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const done = queue.run(async () => {
      started.push(name);
      await promise;
    }, priority);
    return { done, finish: resolve };
  };
  return { queue, started, add };
}

test("stills go before clips, each in order of arrival", async () => {
  const { started, add } = open({ concurrency: 1, maxQueued: 8 });
  const tasks = [
    add("running"),
    add("clip 1"),
    add("clip 2"),
    add("still 1", "first"),
    add("still 2", "first"),
  ];
  for (const { finish } of tasks) finish();
  await Promise.all(tasks.map(({ done }) => done));
  expect(started).toEqual(["running", "still 1", "still 2", "clip 1", "clip 2"]);
});

test("waiting clips leave room for stills, and a full queue throws", async () => {
  const { queue, add } = open({ concurrency: 1, maxQueued: 1 });
  const tasks = [add("running"), add("clip"), add("still", "first")];
  await expect(add("one more clip").done).rejects.toThrow(BusyError);
  expect(queue.status()).toEqual({ running: 1, waiting: 2 });
  for (const { finish } of tasks) finish();
  await Promise.all(tasks.map(({ done }) => done));
  expect(queue.status()).toEqual({ running: 0, waiting: 0 });
});

test("a failed task starts the next one", async () => {
  const { queue } = open({ concurrency: 1, maxQueued: 1 });
  const failed = queue.run(() => Promise.reject(new Error("broken")));
  const next = queue.run(async () => "next");
  await expect(failed).rejects.toThrow("broken");
  expect(await next).toBe("next");
});

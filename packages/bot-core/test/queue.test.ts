import fc from "fast-check";
import { expect, test } from "vitest";
import { createFairQueue, QueueClosedError, QueueFullError } from "../src/queue.ts";

test("runs each person's tasks in order, and never too many in all", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.array(fc.record({ person: fc.integer({ min: 0, max: 4 }), fails: fc.boolean() }), { maxLength: 30 }),
      fc.integer({ min: 1, max: 4 }),
      async (scheduler, tasks, concurrent) => {
        const queue = createFairQueue({ perPerson: 100, concurrent });
        const running = new Set<number>();
        const done = new Map<number, number[]>();
        const all = tasks.map(({ person, fails }, index) =>
          queue
            .run(String(person), async () => {
              expect(running.has(person)).toBe(false);
              expect(running.size).toBeLessThan(concurrent);
              running.add(person);
              await scheduler.schedule(Promise.resolve());
              running.delete(person);
              done.set(person, [...(done.get(person) ?? []), index]);
              if (fails) throw new Error("it fails");
              return index;
            })
            .catch((error: unknown) => {
              if (!(error instanceof Error && error.message === "it fails")) throw error;
              return index;
            }),
        );
        const results = scheduler.waitFor(Promise.all(all));
        expect(await results).toEqual(tasks.map((_, index) => index));
        for (const order of done.values()) expect(order).toEqual([...order].sort((a, b) => a - b));
        expect([...done.values()].flat()).toHaveLength(tasks.length);
        expect(queue.status()).toEqual({ running: 0, waiting: 0 });
      },
    ),
  );
});

test("a person with many tasks does not delay others", async () => {
  const queue = createFairQueue({ perPerson: 10, concurrent: 1 });
  const order: string[] = [];
  const run = (person: string) => queue.run(person, async () => void order.push(person));
  await Promise.all([run("a"), run("a"), run("a"), run("b"), run("c")]);
  expect(order).toEqual(["a", "b", "c", "a", "a"]);
});

test("limits the tasks of a person, and runs the deletion after all of them", async () => {
  const queue = createFairQueue({ perPerson: 2, concurrent: 4 });
  const gate = Promise.withResolvers<void>();
  const run = () => queue.run("a", () => gate.promise);
  const [first, second] = [run(), run()];
  await expect(run()).rejects.toThrow(QueueFullError);
  const last = queue.runAfterAll("a", async () => "last");
  expect(queue.status()).toEqual({ running: 1, waiting: 2 });
  gate.resolve();
  await Promise.all([first, second]);
  expect(await last).toBe("last");
});

test("closing completes every accepted task, and accepts no new one", async () => {
  const queue = createFairQueue({ perPerson: 5, concurrent: 1 });
  const done: number[] = [];
  const all = [1, 2, 3].map((each) => queue.run(String(each), async () => void done.push(each)));
  const closed = queue.close();
  await expect(queue.run("late", async () => undefined)).rejects.toThrow(QueueClosedError);
  await closed;
  expect(done).toEqual([1, 2, 3]);
  await Promise.all(all);
});

import { expect, test } from "vitest";
import { shareRuns } from "../src/indexing/share-runs.ts";

test("calls during a run share the next one, also after a failure", async () => {
  const ends: PromiseWithResolvers<number>[] = [];
  const run = shareRuns(() => {
    const end = Promise.withResolvers<number>();
    ends.push(end);
    return end.promise;
  });
  const calls = [run(), run(), run()];
  expect(ends).toHaveLength(1);
  ends[0]?.reject(new Error("no disk"));
  await expect(calls[0]).rejects.toThrow("no disk");
  await expect.poll(() => ends.length).toBe(2);
  ends[1]?.resolve(2);
  expect(await Promise.all(calls.slice(1))).toEqual([2, 2]);
  const last = run();
  ends[2]?.resolve(3);
  expect(await last).toBe(3);
});

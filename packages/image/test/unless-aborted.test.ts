import { expect, test } from "vitest";
import { unlessAborted } from "../src/unless-aborted.ts";

test("returns the result of the work", async () => {
  const { signal } = new AbortController();
  expect(await unlessAborted(Promise.resolve(1), signal)).toBe(1);
  expect(await unlessAborted(Promise.resolve(1), undefined)).toBe(1);
});

test("throws the reason of the signal, and nothing when the work fails later", async () => {
  const caller = new AbortController();
  const { promise: work, reject } = Promise.withResolvers<never>();
  const waiting = unlessAborted(work, caller.signal);
  caller.abort(new Error("gone"));
  await expect(waiting).rejects.toThrow("gone");
  await expect(unlessAborted(work, caller.signal)).rejects.toThrow("gone");
  await expect(unlessAborted(Promise.resolve(1), caller.signal)).rejects.toThrow("gone");
  // vitest fails a run with an unhandled rejection.
  reject(new Error("The work failed."));
});

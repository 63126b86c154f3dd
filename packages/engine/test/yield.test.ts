import { createCancellation } from "@koma/engine/internals/cancellation";
import { createYield } from "@koma/engine/internals/yield";
import { expect, it } from "vitest";

it("ends work between two yields after it was cancelled", async () => {
  const cancelled = createCancellation();
  const yieldNow = createYield(cancelled);
  await yieldNow();
  Atomics.store(cancelled, 0, 1);
  expect(() => yieldNow()).toThrow("The search was aborted.");
});

import { createCancellation } from "@koma/engine/internals/cancellation";
import { createTurns } from "@koma/engine/internals/turns";
import { expect, it } from "vitest";

it("ends work between two turns after it was cancelled", async () => {
  const cancelled = createCancellation();
  const turn = createTurns(cancelled);
  await turn();
  Atomics.store(cancelled, 0, 1);
  expect(() => turn()).toThrow("The search was aborted.");
});

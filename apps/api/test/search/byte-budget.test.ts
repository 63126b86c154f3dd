import { expect, test } from "vitest";
import { createByteBudget } from "../../src/search/byte-budget.ts";

test("shares draw on one budget and give back what they took", () => {
  const budget = createByteBudget(100);
  const [first, second] = [budget.open(), budget.open()];
  first.take(60);
  second.take(40);
  expect(() => second.take(1)).toThrow(expect.objectContaining({ code: "search_busy" }));
  first.giveBack();
  first.giveBack();
  second.take(60);
  expect(() => first.take(1)).toThrow(expect.objectContaining({ code: "search_busy" }));
});

import { expect, test } from "vitest";
import { createByteBudget } from "../../src/search/byte-budget.ts";

const busy = expect.objectContaining({ code: "search_busy" });

test("shares draw on one budget and give back what they took", () => {
  const budget = createByteBudget({ allBytes: 100, callerBytes: 100 });
  const [first, second] = [budget.open("a"), budget.open("b")];
  first.take(60);
  second.take(40);
  expect(() => second.take(1)).toThrow(busy);
  first.releaseAll();
  first.releaseAll();
  second.take(60);
  expect(() => first.take(1)).toThrow(busy);
});

test("one caller cannot take all of it, however many shares it opens", () => {
  const budget = createByteBudget({ allBytes: 100, callerBytes: 50 });
  const shares = [budget.open("a"), budget.open("a")] as const;
  shares[0].take(30);
  shares[1].take(20);
  expect(() => shares[1].take(1)).toThrow(busy);
  budget.open("b").take(50);
  shares[0].releaseAll();
  shares[1].take(30);
});

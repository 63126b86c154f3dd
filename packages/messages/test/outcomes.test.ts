import { expect, test } from "vitest";
import { createTranslator, describeOutcome, durationOf, languages } from "../src/index.ts";
import { describeOutcome as describeOnPage, loadTranslator } from "../src/page.ts";

const outcomes = ["uncertain", "not_in_library"] as const;

test.each(languages)("%s: the bots and the page word each outcome alike", async (language) => {
  const [bot, page] = [createTranslator(language), await loadTranslator(language)];
  const words = outcomes.map((outcome) => describeOutcome(bot, outcome));
  expect(outcomes.map((outcome) => describeOnPage(page, outcome))).toEqual(words);
  expect(new Set(words.flatMap(({ title, text }) => [title, text])).size).toBe(4);
});

test.each([
  ["this library", { to: 63, duration: 63, source: null }, 63],
  ["a server of an earlier version", { to: 63, duration: 63 }, 63],
  ["a service that states the duration", { to: 63, duration: 1440, source: {} }, 1440],
  ["a service that does not", { to: 63, duration: 63, source: {} }, undefined],
])("the duration of a video of %s", (_name, match, duration) => {
  expect(durationOf(match)).toBe(duration);
});

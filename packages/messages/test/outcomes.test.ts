import { expect, test } from "vitest";
import { createTranslator, describeOutcome, languages } from "../src/index.ts";
import { describeOutcome as describeOnPage, loadTranslator } from "../src/page.ts";

const outcomes = ["uncertain", "not_in_library"] as const;

test.each(languages)("%s: the bots and the page word each outcome alike", async (language) => {
  const [bot, page] = [createTranslator(language), await loadTranslator(language)];
  const words = outcomes.map((outcome) => describeOutcome(bot, outcome));
  expect(outcomes.map((outcome) => describeOnPage(page, outcome))).toEqual(words);
  expect(new Set(words.flatMap(({ title, text }) => [title, text])).size).toBe(4);
});

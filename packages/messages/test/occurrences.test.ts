import { expect, test } from "vitest";
import { createTranslator, type EpisodeParts, formatOccurrences, languages } from "../src/index.ts";

const english = createTranslator("en");
const episode = (
  number: EpisodeParts["number"],
  season: number | null = null,
  title: string | null = null,
) => ({
  season,
  number,
  title,
});
const episodes = (...numbers: number[]) => numbers.map((number) => episode(number));
const upTo = (last: number) => episodes(...Array.from({ length: last - 1 }, (_, at) => at + 2));

test("three and more consecutive episodes are a range, in order and each once", () => {
  const format = (...numbers: number[]) => formatOccurrences(english, episode(1), episodes(...numbers));
  expect(format(2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)).toBe("Episode 1, also 2 to 12");
  expect(format(5, 3, 2, 5, 1)).toBe("Episode 1, also 2, 3, and 5");
  expect(format(14, 4, 3, 2)).toBe("Episode 1, also 2 to 4 and 14");
  expect(format(2)).toBe("Episode 1, also 2");
  expect(format(1, 1)).toBe("Episode 1");
  expect(format()).toBe("Episode 1");
});

test("other seasons and episodes without a whole number follow", () => {
  const others = [episode("OVA 2"), episode(3, 2), episode(1, 2), episode(2, 2), episode(2), null];
  const expected = "Episode 1 “Start”, also 2 · Season 2, episodes 1 to 3 · OVA 2";
  expect(formatOccurrences(english, episode(1, null, "Start"), others)).toBe(expected);
  expect(formatOccurrences(english, episode(1, 2), [episode(4, 3)])).toBe(
    "Season 2, episode 1 · Season 3, episode 4",
  );
  // An episode without a season is of the first one.
  expect(formatOccurrences(english, episode(1, 1), [episode(2)])).toBe("Season 1, episode 1, also 2");
});

test("without a known episode only the known others are named", () => {
  expect(formatOccurrences(english, null, [null])).toBeUndefined();
  expect(formatOccurrences(english, null, episodes(1, 2, 3))).toBe("Episodes 1 to 3");
  expect(formatOccurrences(english, null, [episode(null, null, "Recap")])).toBe("Recap");
});

test("every language has its own words", () => {
  const written = languages.map((language) =>
    formatOccurrences(createTranslator(language), episode(1), [...upTo(12), episode(14)])?.replace(
      /[\u2068\u2069]/g,
      "",
    ),
  );
  expect(written).toEqual([
    "Episode 1, also 2 to 12 and 14",
    "第1話、ほかに第2〜12、14話",
    "第1集，另有第2至12和14集",
    "第1集，另有第2至12和14集",
    "1화, 그 밖에 2~12 및 14화",
    "Episodio 1, también del 2 al 12 y 14",
    "Episódio 1, também do 2 ao 12 e 14",
    "Серия 1, а также 2–12 и 14",
    "Episode 1, juga 2 sampai 12 dan 14",
    "الحلقة 1، وكذلك من 2 إلى 12 و14",
  ]);
});

test.each(languages)("%s: a time in its range has one kind of parentheses and one range sign", (language) => {
  const { t } = createTranslator(language);
  const range = { from: 41, to: 59 };
  const time = t("scene.atInRange", { at: 50, duration: 63, ...range });
  expect(time.match(/[()（）]/g)?.map((sign) => sign > "\u00ff")).toEqual(
    ["ja", "zh-Hans", "zh-Hant"].includes(language) ? [true, true] : [false, false],
  );
  const sign = t("scene.range", range).replace(/[\d:\u2068\u2069]/g, "");
  expect(time.replace(/[\u2068\u2069]/g, "")).toContain(`0:41${sign}0:59`);
});

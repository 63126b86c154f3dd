import type { AnimeMetadata } from "@koma/database";
import { expect, test } from "vitest";
import { createTitleMatcher, type TitleQuery } from "../../src/titles/title-matcher.ts";

function entry(anilistId: number, titleRomaji: string, more: Partial<AnimeMetadata> = {}): AnimeMetadata {
  const unknown = { malId: null, titleEnglish: null, titleNative: null, year: null, coverUrl: null };
  return { ...unknown, anilistId, titleRomaji, synonyms: [], format: "TV", isAdult: false, ...more };
}

function match(expected: Omit<TitleQuery, "id">, entries: AnimeMetadata[]): number | null | undefined {
  const matcher = createTitleMatcher([{ id: "wanted", ...expected }]);
  for (const one of entries) matcher.offer(one);
  return matcher.result().get("wanted")?.anilistId;
}

const hunters = [
  entry(136, "HUNTER×HUNTER", { year: 1999, synonyms: ["Hunter x Hunter"] }),
  entry(11061, "HUNTER×HUNTER (2011)", { year: 2011 }),
];

test.each<[string, Omit<TitleQuery, "id">, AnimeMetadata[], number | undefined]>([
  ["case and punctuation", { title: "steins gate" }, [entry(9253, "Steins;Gate")], 9253],
  [
    "an English title",
    { title: "Attack on Titan" },
    [entry(16498, "Shingeki no Kyojin", { titleEnglish: "Attack on Titan" })],
    16498,
  ],
  ["a synonym", { title: "Oreimo" }, [entry(8769, "Ore no Imouto", { synonyms: ["Oreimo"] })], 8769],
  ["the year of the title", { title: "Hunter x Hunter (2011)" }, hunters, 11061],
  ["no work of another year", { title: "Hunter x Hunter (1985)" }, hunters, undefined],
  [
    "a main title before a synonym",
    { title: "Kanon" },
    [entry(1, "Air", { synonyms: ["Kanon"] }), entry(2, "Kanon")],
    2,
  ],
  [
    "a series before a special",
    { title: "Kanon" },
    [entry(1, "Kanon", { format: "SPECIAL" }), entry(2, "Kanon")],
    2,
  ],
  [
    "a season on its own",
    { title: "Mushishi", season: 2 },
    [entry(1, "Mushishi"), entry(2, "Mushishi 2nd Season")],
    2,
  ],
  ["no first season for a second one", { title: "Mushishi", season: 2 }, [entry(1, "Mushishi")], undefined],
  [
    "the id when it is known",
    { title: "Mushishi", anilistId: 5 },
    [entry(1, "Mushishi"), entry(5, "Other")],
    5,
  ],
  ["no title with only the same beginning", { title: "Mushi" }, [entry(1, "Mushishi")], undefined],
])("finds %s", (_, expected, entries, anilistId) => {
  expect(match(expected, entries)).toBe(anilistId);
  expect(match(expected, entries.toReversed())).toBe(anilistId);
});

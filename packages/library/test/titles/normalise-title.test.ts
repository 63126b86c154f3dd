import { expect, test } from "vitest";
import { normaliseTitle, titleSpellings } from "../../src/titles/normalise-title.ts";

test.each([
  ["Steins;Gate 0", "steins gate 0"],
  ["ＦＵＬＬ　Ｗｉｄｔｈ！", "full width"],
  ["K-On!!", "k on"],
  ["Pokémon", "pokemon"],
  ["Gintama'", "gintama"],
  ["Romeo & Juliet", "romeo and juliet"],
  ["SPY×FAMILY", "spy x family"],
  ["がんばれ", "がんばれ"],
  ["ｶﾞﾝﾀﾞﾑ", "ガンダム"],
  ["!!!", "!!!"],
])("normalises %s to %s", (title, normalised) => {
  expect(normaliseTitle(title)).toBe(normalised);
});

test("lists a title without its year, and each half of it", () => {
  expect(titleSpellings("Hunter x Hunter (2011)")).toEqual(["hunter x hunter 2011", "hunter x hunter"]);
  expect(titleSpellings("Shingeki no Kyojin (Attack on Titan)")).toEqual([
    "shingeki no kyojin attack on titan",
    "shingeki no kyojin",
    "attack on titan",
  ]);
  expect(titleSpellings("Title", 2).slice(0, 4)).toEqual([
    "title 2nd season",
    "title season 2",
    "title 2",
    "title ii",
  ]);
  expect(titleSpellings("Title", 11)).toContain("title 11th season");
});

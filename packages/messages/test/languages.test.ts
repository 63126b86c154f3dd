import { expect, test } from "vitest";
import {
  chooseLanguage,
  chooseSecondTitle,
  chooseTitle,
  directionOf,
  isLanguage,
  languageNames,
  languages,
  parseLanguage,
} from "../src/index.ts";

test.each([
  [["zh-CN"], "zh-Hans"],
  [["zh-TW"], "zh-Hant"],
  [["zh-HK"], "zh-Hant"],
  [["zh"], "zh-Hans"],
  [["zh-hant"], "zh-Hant"],
  [["zh-Hans-TW"], "zh-Hans"],
  [["zh_Hant_HK"], "zh-Hant"],
  [["yue"], "zh-Hant"],
  [["pt"], "pt-BR"],
  [["pt-PT"], "pt-BR"],
  [["es-419"], "es"],
  [["es-ES"], "es"],
  [["en-GB"], "en"],
  [["ja-JP"], "ja"],
  [["JA"], "ja"],
  [["ko-KR"], "ko"],
  [["ru-RU"], "ru"],
  [["id-ID"], "id"],
  [["in"], "id"],
  [["in-ID"], "id"],
  [["ar-EG"], "ar"],
  [["fr", "de-AT", "ko", "ja"], "ko"],
  [[undefined, null, "", "x", "constructor", "__proto__", "ja"], "ja"],
  [["tlh"], "en"],
  [[], "en"],
] as const)("%j selects %s", (tags, language) => {
  expect(chooseLanguage(tags)).toBe(language);
});

test("each language has its own tag and name", () => {
  for (const language of languages) expect(chooseLanguage([language])).toBe(language);
  expect(languages).toHaveLength(10);
  expect(new Set(Object.values(languageNames)).size).toBe(10);
  expect(isLanguage("zh-Hant")).toBe(true);
  expect(isLanguage("toString")).toBe(false);
});

test("the mark of a beta is in the language itself, and is no part of the name", () => {
  expect(languageNames.ru).toBe("Русский (бета)");
  expect(languageNames.ar).toBe("العربية (تجريبية)");
  expect(["русский", "العربية", "Bahasa Indonesia", "português (brasil)"].map(parseLanguage)).toEqual([
    "ru",
    "ar",
    "id",
    "pt-BR",
  ]);
});

test("only Arabic is written from right to left", () => {
  expect(languages.filter((language) => directionOf(language) === "rtl")).toEqual(["ar"]);
});

test("chooses titles in the reader's language among the known ones", () => {
  const full = { romaji: "Sen to Chihiro", english: "Spirited Away", native: "千と千尋の神隠し" };
  expect(chooseTitle(full, "ja")).toBe("千と千尋の神隠し");
  expect(chooseTitle(full, "ko")).toBe("Spirited Away");
  expect(chooseSecondTitle(full, "ja")).toBe("Sen to Chihiro");
  expect(chooseSecondTitle(full, "en")).toBe("Sen to Chihiro");
  const bare = { romaji: "My File Name", english: null, native: " " };
  expect(chooseTitle(bare, "ja")).toBe("My File Name");
  expect(chooseSecondTitle(bare, "ja")).toBeUndefined();
  expect(
    chooseSecondTitle({ romaji: "COWBOY BEBOP", english: "Cowboy Bebop", native: null }, "en"),
  ).toBeUndefined();
  expect(chooseTitle({ romaji: null, english: null, native: null }, "en")).toBe("?");
});

test.each([
  ["ja", "ja"],
  ["pt_br", "pt-BR"],
  ["zh-TW", "zh-Hant"],
  [" Japanese ", "ja"],
  ["日本語", "ja"],
  ["japonés", "ja"],
  ["Portuguese", "pt-BR"],
  ["bahasa indonesia", "id"],
  ["русский", "ru"],
  ["中文", "zh-Hans"],
  ["繁體中文", "zh-Hant"],
  ["xx", undefined],
  ["klingon", undefined],
  ["in other words", undefined],
  ["", undefined],
])("reads %j as %s", (text, language) => {
  expect(parseLanguage(text)).toBe(language);
});

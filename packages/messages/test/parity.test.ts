import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { languages } from "../src/index.ts";
import type { Texts } from "./fixtures/texts.ts";

const locales = fileURLToPath(new URL("../src/locales/", import.meta.url));
const areas = listAreas("en");

test("each language has a directory with the areas of English", () => {
  const directories = readdirSync(locales, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(directories.map(({ name }) => name).sort()).toEqual([...languages].sort());
  for (const language of languages) expect(listAreas(language), language).toEqual(areas);
});

describe.each(languages)("%s", (language) => {
  const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;

  test.each(areas)("%s has the keys, plural forms and placeholders of English", (area) => {
    const english = flatten(readArea("en", area));
    const translated = flatten(readArea(language, area));
    const expected = [...english.keys()].flatMap((key) => {
      if (!isPluralForm(key)) return [key];
      return key.endsWith("_other") ? forms.map((form) => key.replace(/_other$/, `_${form}`)) : [];
    });
    expect([...translated.keys()].sort()).toEqual(expected.sort());
    for (const [key, text] of translated) {
      const source = english.get(key.replace(pluralForm, "_other")) ?? "";
      const missing = without(placeholdersOf(source), placeholdersOf(text));
      // "One credit" needs no number. The form for other amounts does.
      if (isPluralForm(key) && !key.endsWith("_other")) missing.delete("count, number");
      expect([...missing], `${key} lacks`).toEqual([]);
      expect([...without(placeholdersOf(text), placeholdersOf(source))], `${key} adds`).toEqual([]);
    }
  });
});

const pluralForm = /_(?:zero|one|two|few|many|other)$/;

function isPluralForm(key: string): boolean {
  return pluralForm.test(key);
}

function listAreas(language: string): string[] {
  return readdirSync(`${locales}${language}`).filter((name) => name.endsWith(".json"));
}

function readArea(language: string, area: string): Texts {
  return JSON.parse(readFileSync(`${locales}${language}/${area}`, "utf8"));
}

function flatten(texts: Texts, prefix = ""): Map<string, string> {
  return new Map(
    Object.entries(texts).flatMap(([key, text]): [string, string][] =>
      typeof text === "string" ? [[prefix + key, text]] : [...flatten(text, `${prefix}${key}.`)],
    ),
  );
}

function placeholdersOf(text: string): Set<string> {
  return new Set([...text.matchAll(/\{\{(.+?)\}\}/g)].map(([, inside = ""]) => inside));
}

function without(all: ReadonlySet<string>, removed: ReadonlySet<string>): Set<string> {
  return new Set([...all].filter((one) => !removed.has(one)));
}

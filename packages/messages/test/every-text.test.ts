import { describe, expect, test } from "vitest";
import { createTranslator, type Language, languages } from "../src/index.ts";
import { loadTranslator } from "../src/page.ts";
import { loadSiteTranslator } from "../src/site.ts";
import { botKeys, now, pageKeys, sampleParameters, siteKeys } from "./fixtures/texts.ts";

type Translate = (key: string, parameters: Record<string, unknown>) => string;

/** Every text of a language, with each amount for plurals. */
async function renderAll(language: Language): Promise<Map<string, string>> {
  const options = { timeZone: "UTC", now: () => now };
  const bots = createTranslator(language, options).t as Translate;
  const page = (await loadTranslator(language, options)).t as Translate;
  const site = (await loadSiteTranslator(language, options)).t as Translate;
  const texts = new Map<string, string>();
  for (const [translate, keys] of [
    [bots, botKeys],
    [page, pageKeys],
    [site, siteKeys],
  ] as const) {
    for (const [key, placeholders] of keys) {
      const parameters = sampleParameters(placeholders);
      const counts = placeholders.has("count, number") ? [0, 1, 2, 5, 21, 1_000_000] : [undefined];
      for (const count of counts)
        texts.set(`${key} ${count ?? ""}`, translate(key, { ...parameters, count }));
    }
  }
  return texts;
}

/** The texts of each language. */
const rendered = new Map(
  await Promise.all(languages.map(async (language) => [language, await renderAll(language)] as const)),
);

describe.each([...rendered])("%s", (language, texts) => {
  test("every text is filled in completely", () => {
    expect(texts.size).toBeGreaterThan(300);
    for (const [key, text] of texts) {
      expect(text.trim(), key).toBe(text);
      expect(text, key).not.toBe("");
      expect(key.trim(), "a missing text shows its key").not.toBe(text);
      expect(text, key).not.toMatch(/\{\{|\}\}|undefined|null|NaN|Invalid|\[object|\$t\(| {2}/);
    }
  });

  test("the accessible name of a button contains its visible text", () => {
    const buttons = [...texts].flatMap(([key, name]) => {
      // The button of the menu shows the name of its user.
      const isName = /Label $/.test(key) && key !== "web.nav.accountLabel ";
      const text = isName ? texts.get(key.replace("Label ", " ")) : undefined;
      return text === undefined ? [] : [{ name, text }];
    });
    expect(buttons.length).toBeGreaterThan(10);
    for (const { name, text } of buttons) expect(name.toLowerCase()).toContain(text.toLowerCase());
  });

  test("uses the language's own script and punctuation, without exclamation marks", () => {
    for (const [key, text] of texts) {
      expect(text, key).not.toMatch(foreign[language]);
      expect(text, key).not.toMatch(/[!！¡]/);
    }
    const written = [...texts.values()].filter((text) => own[language].test(text)).length;
    expect(written / texts.size).toBeGreaterThan(0.85);
  });
});

test("a translation is not a copy of another", () => {
  const all = [...rendered.values()];
  for (const [index, texts] of all.entries()) {
    for (const other of all.slice(index + 1)) {
      const long = [...texts].filter(([, text]) => text.length > 12);
      const same = long.filter(([key, text]) => other.get(key) === text);
      expect(same.length / long.length).toBeLessThan(0.12);
    }
  }
});

const cjkMarks = /[\u3040-\u30ff\u3400-\u9fff][,;:?(]|[,;?)][\u3040-\u30ff\u3400-\u9fff]/;
const simplifiedOnly = "这个们说时间图设语频务删号码请开关没样选复发对还进过录钥绑为网显试";
const traditionalOnly = "這們說時間圖設語頻務刪號碼請開關沒樣選複發對還進過錄鑰綁為網顯試";
const only = (letters: string, others: string) =>
  new RegExp(`[${[...letters].filter((letter) => !others.includes(letter)).join("")}]`);

const foreign: Record<Language, RegExp> = {
  en: /[^\p{Script=Latin}\p{Script=Common}]/u,
  ja: new RegExp(`${cjkMarks.source}|[\\p{Script=Hangul}你们這]`, "u"),
  "zh-Hans": new RegExp(
    `${cjkMarks.source}|${only(traditionalOnly, simplifiedOnly).source}|[\\u3040-\\u30ff]`,
  ),
  "zh-Hant": new RegExp(
    `${cjkMarks.source}|${only(simplifiedOnly, traditionalOnly).source}|[\\u3040-\\u30ff]`,
  ),
  ko: /[\p{Script=Han}\u3040-\u30ff]/u,
  es: /[^\p{Script=Latin}\p{Script=Common}]|\b(?:vosotros|vuestr\w+|ordenador|usted)\b/iu,
  "pt-BR": /[^\p{Script=Latin}\p{Script=Common}]|\b(?:ficheiro|ecrã|utilizador|telemóvel|tu|teu|tua)\b/iu,
  ru: /[^\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Common}]|[іїєґў]/iu,
  id: /[^\p{Script=Latin}\p{Script=Common}]|\b(?:awak|akaun|fail|kata laluan|muat turun|pelayan)\b/iu,
  // Latin punctuation after an Arabic word, and Persian letters.
  ar: /[^\p{Script=Latin}\p{Script=Arabic}\p{Script=Common}\p{Script=Inherited}]|\p{Script=Arabic}[,;?]|[پچژگکی]/u,
};

const own: Record<Language, RegExp> = {
  en: /[A-Za-z]/,
  ja: /[\u3040-\u30ff\u3400-\u9fff]/,
  "zh-Hans": /[\u3400-\u9fff]/,
  "zh-Hant": /[\u3400-\u9fff]/,
  ko: /\p{Script=Hangul}/u,
  es: /[A-Za-z]/,
  "pt-BR": /[A-Za-z]/,
  ru: /\p{Script=Cyrillic}/u,
  id: /[A-Za-z]/,
  ar: /\p{Script=Arabic}/u,
};

test.each(languages)("%s: states that nothing was charged only if that is certain", (language) => {
  const { t: translate } = createTranslator(language, { timeZone: "UTC", now: () => now });
  const [nothingWasCharged = ""] = translate("error.search_busy.text").split(/(?<=[.。]) ?/);
  expect(nothingWasCharged.length).toBeGreaterThan(5);
  for (const key of ["error.offline.text", "error.unknown.text"] as const)
    expect(translate(key)).not.toContain(nothingWasCharged.slice(0, -1));
});

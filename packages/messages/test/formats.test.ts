import { expect, test } from "vitest";
import {
  claimsOf,
  createFormats,
  createTranslator,
  formatEpisode,
  formatKind,
  formatSimilarity,
  type Language,
} from "../src/index.ts";
import { now } from "./fixtures/texts.ts";

const midnight = new Date("2026-11-21T00:00:00Z");
const formatsOf = (language: Language, timeZone = "UTC") =>
  createFormats(language, { timeZone, now: () => now });

test("formats a position in a video", () => {
  const { formatTime } = formatsOf("ja");
  expect([0, 59.99, 754.25, 3599.9, 3723, 36_000, -1].map(formatTime)).toEqual([
    "0:00",
    "0:59",
    "12:34",
    "59:59",
    "1:02:03",
    "10:00:00",
    "0:00",
  ]);
});

test("formats numbers and fractions; a fraction is never rounded up", () => {
  const written = (["en", "es", "pt-BR", "ar"] as const).map((tag) => formatsOf(tag).formatNumber(1_234_567));
  expect(written).toEqual(["1,234,567", "1,234,567", "1.234.567", "1,234,567"]);
  const { formatPercent } = formatsOf("en");
  expect([0.97391, 0.99999, 1, 0.8, 0.29, 0].map(formatPercent)).toEqual([
    "97.3%",
    "99.9%",
    "100%",
    "80%",
    "29%",
    "0%",
  ]);
  expect(formatsOf("pt-BR").formatPercent(0.9739)).toBe("97,3%");
});

test("formats the distance in time", () => {
  const { formatRelative } = formatsOf("en");
  const after = (seconds: number) => formatRelative(new Date(now.getTime() + seconds * 1000));
  expect(after(6 * 3600)).toBe("in 6 hours");
  expect(after(5 * 3600 + 1)).toBe("in 6 hours");
  expect(after(61 * 60)).toBe("in 61 minutes");
  expect(after(0.2)).toBe("in 1 second");
  expect(after(47 * 3600)).toBe("in 47 hours");
  expect(after(3 * 86_400)).toBe("in 3 days");
  expect(after(-125)).toBe("2 minutes ago");
  expect(after(-3600)).toBe("1 hour ago");
  expect(after(-90_000)).toBe("1 day ago");
  expect(after(0)).toBe("now");
  expect(formatsOf("ja").formatRelative(midnight)).toBe("6 時間後");
  expect(formatsOf("ko").formatRelative(midnight)).toBe("6시간 후");
});

test("formats a relative day and time in the requested zone", () => {
  const translate = (language: Language, timeZone?: string, at = midnight) =>
    createTranslator(language, { ...(timeZone !== undefined && { timeZone }), now: () => now }).t(
      "error.againAt",
      { at },
    );
  expect(translate("en", "UTC")).toBe("It works again in 6 hours (tomorrow at 00:00 UTC).");
  expect(translate("ja", "Asia/Tokyo")).toBe("6 時間後（今日 09:00 JST）にまた使えるようになります。");
  expect(translate("zh-Hant", "UTC")).toBe("6 小時後恢復（明天 00:00 UTC）。");
  expect(translate("es", "UTC")).toBe("Volverá a funcionar dentro de 6 horas (mañana a las 00:00 UTC).");
  expect(translate("en", "UTC", new Date("2026-11-25T08:30:00Z"))).toContain("November 25 at 08:30 UTC");
  expect(translate("en")).not.toContain("UTC)");
});

test("counts days by the calendar of the zone, not by 24 hours", () => {
  const late = new Date("2026-11-20T23:59:00Z");
  const dayIn = (timeZone: string) => createFormats("en", { timeZone, now: () => late }).formatDay(midnight);
  expect(dayIn("UTC")).toBe("tomorrow");
  expect(dayIn("America/New_York")).toBe("today");
});

test("formats lists and dates", () => {
  expect(formatsOf("en").formatList(["a", "b", "c"])).toBe("a, b, and c");
  expect(formatsOf("es").formatList(["a", "b"])).toBe("a y b");
  const dates = (["en", "ja", "pt-BR", "ar"] as const).map((language) => formatsOf(language).formatDate(now));
  expect(dates).toEqual(["Nov 20, 2026", "2026/11/20", "20 de nov. de 2026", "20\u200f/11\u200f/2026"]);
});

test("uses the plural forms of the language", () => {
  const searches = (language: Language, count: number) =>
    createTranslator(language).t("reply.rankings.searches", { count });
  expect([0, 1, 2].map((count) => searches("en", count))).toEqual(["0 searches", "1 search", "2 searches"]);
  expect([1, 2, 1_000_000].map((count) => searches("es", count))).toEqual([
    "1 búsqueda",
    "2 búsquedas",
    "1,000,000 de búsquedas",
  ]);
  expect([0, 1, 2, 1_000_000].map((count) => searches("pt-BR", count))).toEqual([
    "0 busca",
    "1 busca",
    "2 buscas",
    "1.000.000 de buscas",
  ]);
  expect([1, 2, 5, 21].map((count) => searches("ru", count))).toEqual([
    "1 запрос",
    "2 запроса",
    "5 запросов",
    "21 запрос",
  ]);
  expect([1, 2, 5, 11, 100].map((count) => searches("ar", count))).toEqual([
    "عملية بحث واحدة",
    "عمليتا بحث",
    "\u20685\u2069 عمليات بحث",
    "\u206811\u2069 عملية بحث",
    "\u2068100\u2069 عملية بحث",
  ]);
});

test("right to left, isolates inserted values, so that titles, times and commands keep their direction", () => {
  const arabic = createTranslator("ar", { timeZone: "UTC", now: () => now });
  expect(arabic.t("scene.previewOf", { anime: "Steins;Gate (2011)", at: 754 })).toBe(
    "مشهد من \u2068Steins;Gate (2011)\u2069 عند \u206812:34\u2069",
  );
  expect(arabic.t("link.expired.text")).toMatch(/: \u2068\/link\u2069\.$/);
  expect(arabic.t("error.againAt", { at: midnight })).toBe(
    "ستعود الخدمة إليك \u2068خلال 6 ساعات\u2069 (\u2068\u2068غدًا\u2069 الساعة \u206800:00 UTC\u2069\u2069).",
  );
  expect(createTranslator("en").t("scene.previewOf", { anime: "A", at: 1 })).toBe("Scene from A at 0:01");
});

test("leaves parameters unchanged", () => {
  const name = "{{name}} $t(reply.tip) $& <b>&amp; 100%";
  expect(createTranslator("en").t("help.hello", { name })).toContain(`Hello ${name}. `);
});

test("uses the reader's notation of commands", () => {
  const translator = createTranslator("ja", {
    nameCommand: (name) => (name === "link" ? "/連携" : `<${name}>`),
  });
  expect(translator.t("link.expired.text")).toContain("/連携 で");
  expect(createTranslator("ja").t("link.expired.text")).toContain("/link で");
  expect(createTranslator("en").t("help.ways.menu")).toContain("“Find anime scene”");
});

test("formats an episode with any known parts", () => {
  const en = createTranslator("en");
  const translate = (season: number | null, number: number | string | null, title: string | null = null) =>
    formatEpisode(en, { season, number, title });
  expect(translate(null, 3)).toBe("Episode 3");
  expect(translate(2, 3, "The Fool")).toBe("Season 2, episode 3 “The Fool”");
  expect(translate(null, "13.5")).toBe("Episode 13.5");
  expect(translate(null, "1-2")).toBe("Episodes 1-2");
  expect(translate(null, "OVA 2")).toBe("OVA 2");
  expect(translate(1, "OVA 2")).toBe("Season 1, OVA 2");
  expect(translate(2, null)).toBe("Season 2");
  expect(translate(null, null, "The Fool")).toBe("The Fool");
  expect(translate(null, null)).toBeUndefined();
  expect(formatEpisode(en, null)).toBeUndefined();
  expect(formatEpisode(createTranslator("ja"), { season: 2, number: 3, title: null })).toBe("第2期 第3話");
  // The comma of each language.
  const separators = (["ja", "zh-Hans", "zh-Hant", "ar"] as const).map((language) =>
    formatEpisode(createTranslator(language), { season: 2, number: "OVA 2", title: null })
      ?.replace(/[\u2066-\u2069]/g, "")
      .replace(/^.*2(.*?)OVA 2$/, "$1"),
  );
  expect(separators).toEqual(["期、", "季，", "季，", "، "]);
});

test("an uncertain match claims nothing about the image, and a part of nearly all is no part", () => {
  const region = { x: 0.25, y: 0, width: 0.5, height: 1 };
  const match = { isConfident: true, isMirrored: true, region };
  expect(claimsOf(match)).toEqual({ isMirrored: true, region });
  expect(claimsOf({ ...match, region: { ...region, width: 0.97 } }).region).toBeNull();
  expect(claimsOf({ ...match, region: null }).region).toBeNull();
  expect(claimsOf({ ...match, isConfident: false })).toEqual({ isMirrored: false, region: null });
});

test("describes the similarity by its range", () => {
  const en = createTranslator("en");
  expect(formatSimilarity(en, { similarity: 0.973, isConfident: true })).toBe("Almost certain · 97.3%");
  expect(formatSimilarity(en, { similarity: 0.85, isConfident: true })).toBe("Quite likely · 85%");
  expect(formatSimilarity(en, { similarity: 0.97, isConfident: false })).toBe(
    "Perhaps just a look-alike · 97%",
  );
  expect(formatSimilarity(en, { similarity: 0.0009, isConfident: false })).toBe("Perhaps just a look-alike");
});

test("translates kinds of anime, and leaves unknown ones unchanged", () => {
  expect(formatKind(createTranslator("en"), "MOVIE")).toBe("Film");
  expect(formatKind(createTranslator("en"), "HOLOGRAM")).toBe("HOLOGRAM");
});

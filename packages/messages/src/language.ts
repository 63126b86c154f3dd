/** The available languages: the tag (BCP 47) and the name in the language itself. */
export const languageNames = {
  en: "English",
  ja: "日本語",
  "zh-Hans": "简体中文",
  "zh-Hant": "繁體中文",
  ko: "한국어",
  es: "Español",
  "pt-BR": "Português (Brasil)",
  ru: "Русский (бета)",
  id: "Bahasa Indonesia (beta)",
  ar: "العربية (تجريبية)",
} as const;

/** An available language. */
export type Language = keyof typeof languageNames;

/** The available languages, English first. */
export const languages = Object.keys(languageNames) as readonly Language[];

/** The direction in which a language is written. */
export function directionOf(language: Language): "ltr" | "rtl" {
  return language === "ar" ? "rtl" : "ltr";
}

/** True if the text is exactly the tag of an available language. */
export function isLanguage(tag: string): tag is Language {
  return Object.hasOwn(languageNames, tag);
}

/**
 * The language for a reader's preferences, best first (`navigator.languages`, Discord's `zh-TW`, Telegram's
 * `pt-br`, a saved choice). Unknown or malformed tags are skipped; English is the default.
 */
export function chooseLanguage(tags: readonly (string | null | undefined)[]): Language {
  for (const tag of tags) {
    const language = findLanguage(tag ?? "");
    if (language !== undefined) return language;
  }
  return "en";
}

/**
 * The language that a reader writes: a tag, or a name in any available language (`ja`, `Japanese`, `日本語`, `japonés`);
 * undefined if it is none of them.
 */
export function parseLanguage(text: string): Language | undefined {
  const written = text.trim();
  return findLanguage(written) ?? findByName(written.toLowerCase());
}

/** Behind the names of languages whose texts no native speaker has read yet. */
const betaMark = / \((?:beta|бета|تجريبية)\)$/;

function findByName(name: string): Language | undefined {
  const own = languages.find(
    (language) => languageNames[language].replace(betaMark, "").toLowerCase() === name,
  );
  if (own !== undefined) return own;
  for (const reader of languages) {
    const names = new Intl.DisplayNames(reader, { type: "language" });
    const tag = [...languages, ...Object.keys(byBase), "zh"].find(
      (one) => names.of(one)?.toLowerCase() === name,
    );
    if (tag !== undefined) return findLanguage(tag);
  }
  return undefined;
}

const byBase: Readonly<Record<string, Language>> = {
  en: "en",
  ja: "ja",
  ko: "ko",
  es: "es",
  pt: "pt-BR",
  ru: "ru",
  id: "id",
  // The tag of Indonesian until 1989, which old Android versions report.
  in: "id",
  ar: "ar",
};

function findLanguage(tag: string): Language | undefined {
  const [base = "", ...rest] = tag.toLowerCase().split(/[-_]/);
  if (base === "zh" || base === "yue") return findChinese(base, rest);
  return Object.hasOwn(byBase, base) ? byBase[base] : undefined;
}

function findChinese(base: string, subtags: readonly string[]): Language {
  if (subtags.includes("hans")) return "zh-Hans";
  const isTraditional = ["hant", "tw", "hk", "mo"].some((subtag) => subtags.includes(subtag));
  return isTraditional || (base === "yue" && !subtags.includes("cn")) ? "zh-Hant" : "zh-Hans";
}

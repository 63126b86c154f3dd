import type { Language } from "./language.ts";
import { createTranslatorOf, type Translator, type TranslatorOptions } from "./translator.ts";

export { hasMoreWithAccount } from "./account-benefit.ts";
export { chooseSecondTitle, chooseTitle } from "./choose-title.ts";
export {
  claimsOf,
  describeOutcome,
  durationOf,
  formatEpisode,
  formatKind,
  formatLabel,
  formatOccurrences,
  formatSimilarity,
  likenessOf,
} from "./describe-scene.ts";
export {
  chooseLanguage,
  directionOf,
  isLanguage,
  type Language,
  languageNames,
  languages,
} from "./language.ts";
export type { TranslatorOptions } from "./translator.ts";

/** The translator of the web page for one language. */
export type PageTranslator = Translator<"page">;

/** Loads the page's texts of one language. */
export async function loadTranslator(
  language: Language,
  options: TranslatorOptions = {},
): Promise<PageTranslator> {
  return createTranslatorOf(language, "page", await loaders[language](), options);
}

const loaders = {
  en: () => import("./locales/en/page.ts"),
  ja: () => import("./locales/ja/page.ts"),
  "zh-Hans": () => import("./locales/zh-Hans/page.ts"),
  "zh-Hant": () => import("./locales/zh-Hant/page.ts"),
  ko: () => import("./locales/ko/page.ts"),
  es: () => import("./locales/es/page.ts"),
  "pt-BR": () => import("./locales/pt-BR/page.ts"),
  ru: () => import("./locales/ru/page.ts"),
  id: () => import("./locales/id/page.ts"),
  ar: () => import("./locales/ar/page.ts"),
};

import type { Language } from "./language.ts";
import { createTranslatorOf, type Translator, type TranslatorOptions } from "./translator.ts";

/** The translator of the status page, of the pages about the site and of the operator page, for one language. */
export type SiteTranslator = Translator<"site">;

/** Loads the texts of the status page, of the pages about the site and of the operator page in one language. */
export async function loadSiteTranslator(
  language: Language,
  options: TranslatorOptions = {},
): Promise<SiteTranslator> {
  const { siteTexts } = await loaders[language]();
  return createTranslatorOf(language, "site", siteTexts, options);
}

const loaders = {
  en: () => import("./locales/en/site.ts"),
  ja: () => import("./locales/ja/site.ts"),
  "zh-Hans": () => import("./locales/zh-Hans/site.ts"),
  "zh-Hant": () => import("./locales/zh-Hant/site.ts"),
  ko: () => import("./locales/ko/site.ts"),
  es: () => import("./locales/es/site.ts"),
  "pt-BR": () => import("./locales/pt-BR/site.ts"),
  ru: () => import("./locales/ru/site.ts"),
  id: () => import("./locales/id/site.ts"),
  ar: () => import("./locales/ar/site.ts"),
};

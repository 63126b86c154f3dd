import type { Language } from "./language.ts";
import { createTranslatorOf, type Translator, type TranslatorOptions } from "./translator.ts";

/** The translator of the status page, of the pages about the site and of the operator page, for one language. */
export type SiteTranslator = Translator<"site">;

/** Loads the texts of the status page, of the pages about the site and of the operator page in one language. */
export async function loadSiteTranslator(
  language: Language,
  options: TranslatorOptions = {},
): Promise<SiteTranslator> {
  const { default: site } = await loaders[language]();
  return createTranslatorOf(language, "site", { site }, options);
}

const loaders = {
  en: () => import("./locales/en/site.json", { with: { type: "json" } }),
  ja: () => import("./locales/ja/site.json", { with: { type: "json" } }),
  "zh-Hans": () => import("./locales/zh-Hans/site.json", { with: { type: "json" } }),
  "zh-Hant": () => import("./locales/zh-Hant/site.json", { with: { type: "json" } }),
  ko: () => import("./locales/ko/site.json", { with: { type: "json" } }),
  es: () => import("./locales/es/site.json", { with: { type: "json" } }),
  "pt-BR": () => import("./locales/pt-BR/site.json", { with: { type: "json" } }),
  ru: () => import("./locales/ru/site.json", { with: { type: "json" } }),
  id: () => import("./locales/id/site.json", { with: { type: "json" } }),
  ar: () => import("./locales/ar/site.json", { with: { type: "json" } }),
};

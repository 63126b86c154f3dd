import type { Language } from "./language.ts";
import type { pageTexts } from "./languages/en/page.ts";
import { createSpeakerOf, type Speaker, type SpeakerOptions } from "./speaker.ts";
import type { KeysOf, Texts } from "./texts.ts";

export { chooseSecondTitle, chooseTitle } from "./choose-title.ts";
export { likenessOf, sayEpisode, sayKind, sayLikeness } from "./describe-scene.ts";
export { chooseLanguage, isLanguage, type Language, languageNames, languages } from "./language.ts";
export type { SpeakerOptions } from "./speaker.ts";

/** What the web page says. */
export type PageTexts = typeof pageTexts;

/** A text of the web page. */
export type PageKey = KeysOf<PageTexts>;

/** Speaks for the web page in one language. */
export type PageSpeaker = Speaker<PageTexts>;

/** A speaker of the page's texts; loads that one language only. */
export async function loadSpeaker(language: Language, options: SpeakerOptions = {}): Promise<PageSpeaker> {
  const { pageTexts } = await loaders[language]();
  return createSpeakerOf(language, pageTexts, options);
}

const loaders: Record<Language, () => Promise<{ pageTexts: Record<keyof PageTexts, Texts> }>> = {
  en: () => import("./languages/en/page.ts"),
  ja: () => import("./languages/ja/page.ts"),
  "zh-Hans": () => import("./languages/zh-Hans/page.ts"),
  "zh-Hant": () => import("./languages/zh-Hant/page.ts"),
  ko: () => import("./languages/ko/page.ts"),
  es: () => import("./languages/es/page.ts"),
  "pt-BR": () => import("./languages/pt-BR/page.ts"),
};

import type { Language } from "./language.ts";
import type { pageTexts } from "./languages/en/page.ts";
import { createSpeakerOf, type Speaker, type SpeakerOptions } from "./speaker.ts";
import type { KeysOf, Texts } from "./texts.ts";

/** What the web page says. */
export type PageTexts = typeof pageTexts;

/** A text of the page. */
export type PageKey = KeysOf<PageTexts>;

/** Speaks for the page in one language. */
export type PageSpeaker = Speaker<PageTexts>;

type Loader = () => Promise<Record<keyof PageTexts, Texts>>;

/** One language is loaded at a time. */
const loaders: Partial<Record<Language, Loader>> = {
  en: async () => (await import("./languages/en/page.ts")).pageTexts,
};

/** The languages in which the page can speak. */
export const pageLanguages = Object.keys(loaders) as readonly Language[];

/** A speaker of the page's texts, with its language loaded; English where the page does not speak the language yet. */
export async function loadPageSpeaker(
  language: Language,
  options: SpeakerOptions = {},
): Promise<PageSpeaker> {
  const spoken = loaders[language] === undefined ? "en" : language;
  const load = loaders[spoken];
  if (load === undefined) throw new Error("The page has no texts.");
  return createSpeakerOf(spoken, await load(), options);
}

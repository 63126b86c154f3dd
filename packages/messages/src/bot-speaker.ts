import type { Language } from "./language.ts";
import { botTexts as en } from "./languages/en/index.ts";
import { createSpeakerOf, type Speaker, type SpeakerOptions } from "./speaker.ts";
import type { KeysOf, Texts } from "./texts.ts";

/** What the bots say. */
export type BotTexts = typeof en;

/** A text of the bots. */
export type BotKey = KeysOf<BotTexts>;

/** Speaks for a bot in one language. */
export type BotSpeaker = Speaker<BotTexts>;

const texts: Record<Language, Record<keyof BotTexts, Texts>> = {
  en,
  ja: en,
  "zh-Hans": en,
  "zh-Hant": en,
  ko: en,
  es: en,
  "pt-BR": en,
};

/** A speaker of the bots' texts; make one per language and keep it. */
export function createSpeaker(language: Language, options: SpeakerOptions = {}): BotSpeaker {
  return createSpeakerOf(language, texts[language], options);
}

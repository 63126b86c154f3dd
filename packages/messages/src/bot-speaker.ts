import type { Language } from "./language.ts";
import { botTexts as en } from "./languages/en/bot.ts";
import { botTexts as es } from "./languages/es/bot.ts";
import { botTexts as ja } from "./languages/ja/bot.ts";
import { botTexts as ko } from "./languages/ko/bot.ts";
import { botTexts as ptBr } from "./languages/pt-BR/bot.ts";
import { botTexts as zhHans } from "./languages/zh-Hans/bot.ts";
import { botTexts as zhHant } from "./languages/zh-Hant/bot.ts";
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
  ja,
  "zh-Hans": zhHans,
  "zh-Hant": zhHant,
  ko,
  es,
  "pt-BR": ptBr,
};

/** A speaker of the bots' texts; make one per language and keep it. */
export function createSpeaker(language: Language, options: SpeakerOptions = {}): BotSpeaker {
  return createSpeakerOf(language, texts[language], options);
}

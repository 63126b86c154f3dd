import type { Language } from "./language.ts";
import { botTexts as ar } from "./locales/ar/bot.ts";
import { botTexts as en } from "./locales/en/bot.ts";
import { botTexts as es } from "./locales/es/bot.ts";
import { botTexts as id } from "./locales/id/bot.ts";
import { botTexts as ja } from "./locales/ja/bot.ts";
import { botTexts as ko } from "./locales/ko/bot.ts";
import { botTexts as ptBr } from "./locales/pt-BR/bot.ts";
import { botTexts as ru } from "./locales/ru/bot.ts";
import { botTexts as zhHans } from "./locales/zh-Hans/bot.ts";
import { botTexts as zhHant } from "./locales/zh-Hant/bot.ts";
import { createTranslatorOf, type TextKey, type Translator, type TranslatorOptions } from "./translator.ts";

/** The key of a text of the bots. */
export type BotKey = TextKey<"bot">;

/** The translator of a bot in one language. */
export type BotTranslator = Translator<"bot">;

const texts = { en, ja, "zh-Hans": zhHans, "zh-Hant": zhHant, ko, es, "pt-BR": ptBr, ru, id, ar };

/** A translator of the bots' texts. Create one per language and reuse it. */
export function createTranslator(language: Language, options: TranslatorOptions = {}): BotTranslator {
  return createTranslatorOf(language, "bot", texts[language], options);
}

import type { Language } from "./language.ts";
import * as ar from "./locales/ar/bot.ts";
import * as en from "./locales/en/bot.ts";
import * as es from "./locales/es/bot.ts";
import * as id from "./locales/id/bot.ts";
import * as ja from "./locales/ja/bot.ts";
import * as ko from "./locales/ko/bot.ts";
import * as ptBr from "./locales/pt-BR/bot.ts";
import * as ru from "./locales/ru/bot.ts";
import * as zhHans from "./locales/zh-Hans/bot.ts";
import * as zhHant from "./locales/zh-Hant/bot.ts";
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

export { hasMoreWithAccount } from "./account-benefit.ts";
export { type BotKey, type BotTranslator, createTranslator } from "./bot-translator.ts";
export { type AnimeTitles, chooseSecondTitle, chooseTitle } from "./choose-title.ts";
export {
  claimsOf,
  describeOutcome,
  durationOf,
  type EpisodeParts,
  formatEpisode,
  formatKind,
  formatLabel,
  formatOccurrences,
  formatSimilarity,
  likenessOf,
} from "./describe-scene.ts";
export { createFormats, type FormatOptions } from "./formats.ts";
export {
  chooseLanguage,
  directionOf,
  isLanguage,
  type Language,
  languageNames,
  languages,
  parseLanguage,
} from "./language.ts";
export type { CommandName, SceneTranslator, Translator, TranslatorOptions } from "./translator.ts";

export { type BotKey, type BotSpeaker, type BotTexts, createSpeaker } from "./bot-speaker.ts";
export { type AnimeTitles, chooseSecondTitle, chooseTitle } from "./choose-title.ts";
export {
  type EpisodeParts,
  likenessOf,
  sayEpisode,
  sayKind,
  sayLikeness,
} from "./describe-scene.ts";
export { createFormats, type FormatOptions } from "./formats.ts";
export { chooseLanguage, isLanguage, type Language, languageNames, languages } from "./language.ts";
export type { CommandName, SceneSpeaker, Speaker, SpeakerOptions } from "./speaker.ts";

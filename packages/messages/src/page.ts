/** What the web page says; nothing of the bots is loaded with it. */
export { chooseSecondTitle, chooseTitle } from "./choose-title.ts";
export { sayEpisode, sayKind, sayLikeness } from "./describe-scene.ts";
export { chooseLanguage, isLanguage, type Language, languageNames } from "./language.ts";
export { loadPageSpeaker, type PageKey, type PageSpeaker, pageLanguages } from "./page-speaker.ts";

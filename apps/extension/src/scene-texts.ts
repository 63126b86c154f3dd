import { chooseLanguage, directionOf, loadTranslator, type PageTranslator } from "@koma/messages/page";
import { browser } from "wxt/browser";

/** The shared texts of scenes and errors, in the language of the browser where it is available. */
export let translator: PageTranslator;

/** Loads them, before anything that uses them is shown. */
export async function loadSceneTexts(): Promise<void> {
  translator = await loadTranslator(chooseLanguage([browser.i18n.getUILanguage()]));
  document.documentElement.lang = translator.language;
  document.documentElement.dir = directionOf(translator.language);
}

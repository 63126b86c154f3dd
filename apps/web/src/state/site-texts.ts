import { loadSiteTranslator, type SiteTranslator } from "@koma/messages/site";
import { effect, signal } from "@preact/signals";
import { words } from "./language.ts";

const translator = signal<SiteTranslator | undefined>(undefined);

/** Loads the texts that are not part of the first load, before a page that needs them is shown. */
export async function loadSiteTexts(): Promise<void> {
  translator.value = await loadSiteTranslator(words().language);
}

// The texts follow a change of the language.
effect(() => {
  if (translator.value !== undefined && translator.value.language !== words().language) void loadSiteTexts();
});

/** One of these texts. */
export const siteText = ((key: never, parameters: never) => {
  if (translator.value === undefined) throw new Error("The texts are loaded before the page.");
  return translator.value.t(key, parameters);
}) as SiteTranslator["t"];

import { loadSiteTranslator, type SiteTranslator } from "@koma/messages/site";
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { words } from "./language.ts";

const translator = signal<SiteTranslator | undefined>(undefined);

/** Loads the texts that are not part of the first load, before a page that needs them is shown. */
export async function loadSiteTexts(): Promise<void> {
  translator.value = await loadSiteTranslator(words().language);
}

/** These texts; they follow a change of the language. */
export function useSiteTexts(): SiteTranslator["t"] {
  const { language } = words();
  useEffect(() => {
    if (translator.value?.language !== language) void loadSiteTexts();
  }, [language]);
  return loaded().t;
}

/** One of these texts, in the components of a page that uses `useSiteTexts`. */
export const siteText = ((key: never, parameters: never) =>
  loaded().t(key, parameters)) as SiteTranslator["t"];

function loaded(): SiteTranslator {
  if (translator.value === undefined) throw new Error("The texts are loaded before the page.");
  return translator.value;
}

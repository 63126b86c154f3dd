import {
  chooseLanguage,
  directionOf,
  isLanguage,
  type Language,
  loadTranslator,
  type PageTranslator,
} from "@koma/messages/page";
import { signal } from "@preact/signals";
import { load, save } from "./local-storage.ts";

const translator = signal<PageTranslator | undefined>(undefined);

/** Loads the language that the reader chose earlier, or else the language of the browser. */
export async function startLanguage(): Promise<void> {
  await useLanguage(chooseLanguage([load("language"), ...navigator.languages]));
}

/** Changes the language, also for later visits. */
export async function setLanguage(language: string): Promise<void> {
  if (!isLanguage(language)) return;
  save("language", language);
  await useLanguage(language);
}

/** The translator of the reader's language. Components that call it render again after a change. */
export function words(): PageTranslator {
  if (translator.value === undefined) throw new Error("No language is loaded yet.");
  return translator.value;
}

/** A text in the reader's language. */
export const t = ((key: never, parameters: never) => words().t(key, parameters)) as PageTranslator["t"];

async function useLanguage(language: Language): Promise<void> {
  const loaded = await loadTranslator(language);
  document.documentElement.lang = language;
  document.documentElement.dir = directionOf(language);
  translator.value = loaded;
}

import {
  chooseLanguage,
  isLanguage,
  type Language,
  loadSpeaker,
  type PageSpeaker,
} from "@koma/messages/page";
import { signal } from "@preact/signals";
import { keep, recall } from "./kept.ts";

const speaker = signal<PageSpeaker | undefined>(undefined);

/** Loads the reader's language: the one chosen here earlier, else what the browser prefers. */
export async function startLanguage(): Promise<void> {
  await speak(chooseLanguage([recall("language"), ...navigator.languages]));
}

/** Changes the language, for later visits too. */
export async function setLanguage(language: string): Promise<void> {
  if (!isLanguage(language)) return;
  keep("language", language);
  await speak(language);
}

/** The speaker of the reader's language; what reads it follows a change. */
export function words(): PageSpeaker {
  if (speaker.value === undefined) throw new Error("No language is loaded yet.");
  return speaker.value;
}

/** A text in the reader's language. */
export const say: PageSpeaker["say"] = (key, ...parameters) => words().say(key, ...parameters);

async function speak(language: Language): Promise<void> {
  const loaded = await loadSpeaker(language);
  document.documentElement.lang = loaded.language;
  speaker.value = loaded;
}

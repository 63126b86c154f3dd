import type { Language } from "./language.ts";

/** The titles of an anime in the API's form. */
export interface AnimeTitles {
  readonly romaji: string | null;
  readonly english: string | null;
  readonly native: string | null;
}

/**
 * The title for a reader of a language: the native one in Japanese, else the English one, else any known one.
 */
export function chooseTitle(title: AnimeTitles, language: Language): string {
  const { romaji, english, native } = title;
  const order = language === "ja" ? [native, romaji, english] : [english, romaji, native];
  return order.find(isFilled)?.trim() ?? "?";
}

/** A second title for small print: the romanized or native one; undefined if it adds nothing. */
export function chooseSecondTitle(title: AnimeTitles, language: Language): string | undefined {
  const first = chooseTitle(title, language);
  const order = language === "ja" ? [title.romaji, title.english] : [title.romaji, title.native];
  return order.find((other) => isFilled(other) && other.trim().toLowerCase() !== first.toLowerCase())?.trim();
}

function isFilled(title: string | null): title is string {
  return title !== null && title.trim() !== "";
}

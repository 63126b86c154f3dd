import type { Anime } from "@koma/contract";
import { signal } from "@preact/signals";
import { koma } from "../api/koma.ts";
import { formatTitle } from "../ui/scene-words.ts";

/** The anime that searches are limited to; undefined: all. */
export const animeFilter = signal<Anime | undefined>(undefined);

/** The text of the filter's field. */
export const filterText = signal("");

/** Why the text of the field chooses no anime; a new object for each search that it prevents. */
export const filterProblem = signal<{ isAmbiguous: boolean } | undefined>(undefined);

/** The number of anime that the field suggests. */
export const suggestionLimit = 20;

/** Limits searches to one anime, or to none, and shows its title in the field. */
export function setAnimeFilter(anime: Anime | undefined): void {
  animeFilter.value = anime;
  filterText.value = anime === undefined ? "" : formatTitle(anime);
  filterProblem.value = undefined;
}

/**
 * Chooses the anime that the text of the field means: by its exact title, or as the only one that matches.
 * False, with a problem at the field, if the text means none. Throws the errors of a request.
 */
export async function resolveFilter(stop?: AbortSignal): Promise<boolean> {
  const text = filterText.value.trim();
  if (text === "" || animeFilter.value !== undefined) return true;
  const { items } = await koma.findAnime(
    { query: text, limit: suggestionLimit },
    { ...(stop && { signal: stop }) },
  );
  if (filterText.value.trim() !== text) return await resolveFilter(stop);
  const found = findByTitle(items, text) ?? (items.length === 1 ? items[0] : undefined);
  if (found === undefined) filterProblem.value = { isAmbiguous: items.length > 0 };
  else setAnimeFilter(found);
  return found !== undefined;
}

/** The anime with this title in any language. */
export function findByTitle(known: readonly Anime[], text: string): Anime | undefined {
  const lowerCased = text.toLowerCase();
  return known.find(({ title }) => Object.values(title).some((one) => one?.toLowerCase() === lowerCased));
}

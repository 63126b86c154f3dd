import { z } from "zod";

const id = z.number().int().min(1).max(2_000_000_000).nullable();
const title = z.string().max(500).nullable();
const mostSynonyms = 100;

/** What a pack contains of the anime of an episode. */
export const PackAnime = z.object({
  anilistId: id,
  malId: id,
  titleRomaji: title,
  titleEnglish: title,
  titleNative: title,
  synonyms: z.array(z.string().max(500)).max(mostSynonyms),
  format: z.string().max(50).nullable(),
  year: z.number().int().min(1900).max(2200).nullable(),
  isAdult: z.boolean(),
});

export type PackAnime = z.infer<typeof PackAnime>;

/** Returns an anime in the form of a pack, with texts that `cleanText` returns. */
export function toPackAnime(anime: PackAnime): PackAnime {
  const clean = (text: string | null, limit = 500) => (text === null ? null : cleanText(text, limit) || null);
  const { year } = anime;
  return {
    anilistId: anime.anilistId,
    malId: anime.malId,
    titleRomaji: clean(anime.titleRomaji),
    titleEnglish: clean(anime.titleEnglish),
    titleNative: clean(anime.titleNative),
    synonyms: anime.synonyms.flatMap((synonym) => clean(synonym) ?? []).slice(0, mostSynonyms),
    format: clean(anime.format, 50),
    year: year !== null && year >= 1900 && year <= 2200 ? year : null,
    isAdult: anime.isAdult,
  };
}

/**
 * Returns a text of one line of at most `limit` characters: without control characters, without those that change
 * the direction of writing, and with single spaces.
 */
export function cleanText(text: string, limit: number): string {
  const line = text
    .toWellFormed()
    .normalize("NFC")
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, " ");
  return line.replace(/\s+/g, " ").trim().slice(0, limit).toWellFormed();
}

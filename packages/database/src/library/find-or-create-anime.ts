import type { Transaction } from "../connection/run-transaction.ts";
import { createId } from "../create-id.ts";
import type { Anime as AnimeRow } from "../generated/client.ts";
import { toSearchText } from "./anime-merge.ts";

/** What is known of a new anime beside its key. */
export type AnimeDetails = {
  malId: number | null;
  titleRomaji: string | null;
  titleEnglish: string | null;
  titleNative: string | null;
  synonyms: string[];
  format: string | null;
  year: number | null;
  isAdult: boolean;
};

/** What identifies an anime, and what a new one gets. */
export type AnimeToFind = {
  key: string;
  anilistId?: number | undefined;
  title?: string | undefined;
  isSample?: boolean | undefined;
  details?: AnimeDetails | undefined;
};

/**
 * Finds the anime that owns a key or has an AniList id, or creates it; see `findOrCreate` of the store.
 */
export async function findOrCreateAnime(tx: Transaction, options: AnimeToFind): Promise<AnimeRow> {
  await lockAnimeName(tx, `key:${options.key}`);
  if (options.anilistId !== undefined) await lockAnimeName(tx, `anilist:${options.anilistId}`);
  const owner = await tx.animeKey.findUnique({ where: { key: options.key } });
  const twin =
    owner === null && options.anilistId !== undefined
      ? await tx.anime.findUnique({ where: { anilistId: options.anilistId } })
      : null;
  const knownId = owner?.animeId ?? twin?.id;
  if (knownId !== undefined) {
    if (owner === null) await tx.animeKey.create({ data: { key: options.key, animeId: knownId } });
    return await tx.anime.update({ where: { id: knownId }, data: { touchedAt: new Date() } });
  }
  const title = options.title ?? options.key;
  const titles = { titleRomaji: title, titleEnglish: null, titleNative: null, synonyms: [] };
  const details = { ...titles, ...options.details };
  return await tx.anime.create({
    data: {
      id: createId(),
      anilistId: options.anilistId ?? null,
      ...details,
      isSample: options.isSample ?? false,
      searchText: toSearchText(details),
      keys: { create: { key: options.key } },
    },
  });
}

/** Two transactions that find the same name free would both insert it. */
export async function lockAnimeName(tx: Transaction, name: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`anime:${name}`}, 0))`;
}

import type { Transaction } from "../connection/run-transaction.ts";

/** The key that maps the id of a merged anime to the remaining one. */
export function mergedKey(id: string): string {
  return `merged:${id}`;
}

/** Locks the rows of anime for update, in the order of their ids. Returns the ids that exist. */
export async function lockAnimeRows(tx: Transaction, ids: readonly string[]): Promise<Set<string>> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT "id" FROM "Anime" WHERE "id" = ANY(${[...ids]}) ORDER BY "id" FOR UPDATE`;
  return new Set(rows.map(({ id }) => id));
}

/**
 * Merges two anime: episodes, keys, counts and recent searches of `id` move to `remainingId`. Both rows are
 * locked for update. The matches of searches keep `id`, because `resolve` finds the remaining anime by its
 * key.
 */
export async function mergeAnime(tx: Transaction, id: string, remainingId: string): Promise<void> {
  await tx.episode.updateMany({ where: { animeId: id }, data: { animeId: remainingId } });
  await tx.animeKey.updateMany({ where: { animeId: id }, data: { animeId: remainingId } });
  await tx.animeKey.create({ data: { key: mergedKey(id), animeId: remainingId } });
  await tx.search.updateMany({ where: { listedAnimeId: id }, data: { listedAnimeId: remainingId } });
  await tx.$executeRaw`
    INSERT INTO "AnimeStatistics" AS known ("animeId", "searches", "listed")
    SELECT ${remainingId}, "searches", "listed" FROM "AnimeStatistics" WHERE "animeId" = ${id}
    ON CONFLICT ("animeId") DO UPDATE SET
      "searches" = known."searches" + excluded."searches", "listed" = known."listed" + excluded."listed"`;
  await tx.$executeRaw`
    INSERT INTO "AnimeSearchCount" AS known ("animeId", "period", "start", "searches")
    SELECT ${remainingId}, "period", "start", "searches" FROM "AnimeSearchCount" WHERE "animeId" = ${id}
    ON CONFLICT ("period", "start", "animeId") DO UPDATE SET "searches" = known."searches" + excluded."searches"`;
  await tx.anime.delete({ where: { id } });
}

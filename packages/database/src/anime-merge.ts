import type { Transaction } from "./run-transaction.ts";

/** The key under which an anime is found that was merged into another. */
export function mergedKey(id: string): string {
  return `merged:${id}`;
}

/** Locks anime against all others, in the order of their ids. Gives those that exist. */
export async function lockAnimeRows(tx: Transaction, ids: readonly string[]): Promise<Set<string>> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT "id" FROM "Anime" WHERE "id" = ANY(${[...ids]}) ORDER BY "id" FOR UPDATE`;
  return new Set(rows.map(({ id }) => id));
}

/**
 * Makes two anime one: episodes, keys, counts and recent searches of `id` go to `remainingId`. Both are locked for update. What
 * else a search says of `id` stays: its matches, and what it counts for, are looked up by the keys.
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

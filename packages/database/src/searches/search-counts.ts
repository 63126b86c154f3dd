import type { Transaction } from "../connection/run-transaction.ts";
import { Prisma } from "../generated/client.ts";
import { mergedKey } from "../library/anime-merge.ts";

/** A change of an anime's counts: its searches on a UTC day, and its listed recent searches. */
export type CountChange = { animeId: string; day: Date; searches: number; listed: number };

/**
 * Finds the current ids of these anime, and locks them against merging and deletion until the transaction
 * ends. Every transaction takes these locks before those on searches and counts.
 */
export async function lockAnime(tx: Transaction, ids: readonly string[]): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  let missing = [...new Set(ids)];
  while (missing.length > 0) {
    for (const { previous, id } of await tx.$queryRaw<
      Named[]
    >`${findNames(missing)} ORDER BY a."id" FOR KEY SHARE OF a`) {
      found.set(previous, id);
    }
    missing = missing.filter((id) => !found.has(id));
    if (missing.length === 0) break;
    // A missing anime was deleted, or merged while this transaction waited for its lock; then it has another
    // id.
    const renamed = await tx.$queryRaw<Named[]>`${findNames(missing)}`;
    missing = renamed.map(({ previous }) => previous);
  }
  return found;
}

type Named = { previous: string; id: string };

function findNames(ids: string[]): Prisma.Sql {
  return Prisma.sql`
    SELECT asked."id" AS "previous", a."id" FROM unnest(${ids}::text[]) asked("id")
    LEFT JOIN "AnimeKey" k ON k."key" = ${mergedKey("")} || asked."id"
    JOIN "Anime" a ON a."id" = coalesce(k."animeId", asked."id")`;
}

/**
 * Changes the counts of anime that `lockAnime` has locked, in the order of their ids to prevent deadlocks.
 * The counts of a deleted anime were deleted with it.
 */
export async function changeCounts(
  tx: Transaction,
  namesNow: ReadonlyMap<string, string>,
  changes: readonly CountChange[],
): Promise<void> {
  const locked = new Set(namesNow.values());
  for (const { animeId, day, searches, listed } of sumUp(changes)) {
    if (!locked.has(animeId)) continue;
    await tx.$executeRaw`
      INSERT INTO "AnimeStatistics" AS known ("animeId", "searches", "listed")
      VALUES (${animeId}, greatest(${searches}::int, 0), greatest(${listed}::int, 0))
      ON CONFLICT ("animeId") DO UPDATE SET
        "searches" = known."searches" + ${searches}::int, "listed" = known."listed" + ${listed}::int`;
    if (searches === 0) continue;
    await tx.$executeRaw`
      INSERT INTO "AnimeSearchCount" AS known ("animeId", "period", "start", "searches")
      VALUES (${animeId}, 'day', ${toDay(day)}::date, greatest(${searches}::int, 0)),
        (${animeId}, 'month', date_trunc('month', ${toDay(day)}::date)::date, greatest(${searches}::int, 0))
      ON CONFLICT ("period", "start", "animeId") DO UPDATE SET "searches" = known."searches" + ${searches}::int`;
  }
}

/** The UTC day of an instant, "2026-11-20". */
export function toDay(at: Date): string {
  return at.toISOString().slice(0, 10);
}

function sumUp(changes: readonly CountChange[]): CountChange[] {
  const sums = new Map<string, CountChange>();
  for (const change of changes) {
    const key = `${change.animeId} ${toDay(change.day)}`;
    const known = sums.get(key);
    sums.set(key, {
      ...change,
      searches: change.searches + (known?.searches ?? 0),
      listed: change.listed + (known?.listed ?? 0),
    });
  }
  return [...sums]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, change]) => change)
    .filter(({ searches, listed }) => searches !== 0 || listed !== 0);
}

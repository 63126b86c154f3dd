import type { Transaction } from "../connection/run-transaction.ts";

/** A change of an anime's counts: its searches on a UTC day, and its listed recent searches. */
export type CountChange = { animeId: string; day: Date; searches: number; listed: number };

/**
 * Finds the current ids of these anime, and locks them against merging and deletion until the transaction
 * ends. Every transaction takes these locks before those on searches and counts.
 */
export async function lockAnime(tx: Transaction, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await tx.$queryRaw<{ previous: string; current: string }[]>`
    SELECT * FROM "lockAnime"(${[...new Set(ids)]}::text[])`;
  return new Map(rows.map(({ previous, current }) => [previous, current]));
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
    await tx.$queryRaw`
      SELECT "changeAnimeCounts"(${animeId}, ${toDay(day)}::date, ${searches}::int, ${listed}::int)::text`;
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

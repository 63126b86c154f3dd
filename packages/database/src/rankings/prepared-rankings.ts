import type { Transaction } from "../connection/run-transaction.ts";
import { Prisma } from "../generated/client.ts";
import { coverDays, type DateRange, type RankingWindow } from "./ranking-window.ts";

/** The last 1, 7, 30 or 365 UTC days including today, or all time. */
export type RankingPeriod = keyof typeof daysOf | "all";

/** The days of the periods with prepared rankings. */
export const daysOf = { daily: 1, weekly: 7, monthly: 30, yearly: 365 };

/**
 * Computes the rankings that end with the UTC day of `at`, unless they exist, and deletes those that end
 * before the previous day. Afterwards a trigger updates them with each count. Concurrent counting
 * transactions wait.
 */
export async function prepareRankings(tx: Transaction, at: Date): Promise<void> {
  // The trigger takes this lock too: its transactions are committed before the next statement, or start after
  // this one.
  await tx.$executeRaw`LOCK TABLE "RankingWindow" IN EXCLUSIVE MODE`;
  for (const [period, days] of Object.entries(daysOf)) {
    const window = coverDays(days, at);
    const isNew = await tx.$executeRaw`
      INSERT INTO "RankingWindow" ("lastDay", "period", "firstDay")
      VALUES (${window.to}::date, ${period}, ${window.from}::date) ON CONFLICT DO NOTHING`;
    if (isNew === 0) continue;
    await tx.$executeRaw`
      INSERT INTO "RankingCount" ("lastDay", "period", "animeId", "searches")
      SELECT ${window.to}::date, ${period}, "animeId", sum("searches") FROM (${countWindow(window)}) parts
      GROUP BY "animeId" HAVING sum("searches") > 0`;
  }
  const { to } = coverDays(1, at);
  await tx.$executeRaw`DELETE FROM "RankingCount" WHERE "lastDay" < ${to}::date - 1`;
  await tx.$executeRaw`DELETE FROM "RankingWindow" WHERE "lastDay" < ${to}::date - 1`;
}

function countWindow({ months, added, taken }: RankingWindow): Prisma.Sql {
  const parts = [
    select("month", months, 1),
    select("day", added, 1),
    ...taken.map((range) => select("day", range, -1)),
  ];
  return Prisma.join(parts, " UNION ALL ");
}

function select(period: "day" | "month", { start, end }: DateRange, sign: 1 | -1): Prisma.Sql {
  return Prisma.sql`
    SELECT "animeId", "searches" * ${sign}::int AS "searches" FROM "AnimeSearchCount"
    WHERE "period" = ${period} AND "start" >= ${start}::date AND "start" < ${end}::date`;
}

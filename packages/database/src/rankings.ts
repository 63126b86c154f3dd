import { type Anime, toAnime } from "./anime.ts";
import { type Anime as AnimeRow, Prisma, type PrismaClient } from "./generated/client.ts";
import { coverDays, type DateRange, type RankingWindow } from "./ranking-window.ts";

/** The last 1, 7, 30 or 365 UTC days including today, or all time. */
export type RankingPeriod = "daily" | "weekly" | "monthly" | "yearly" | "all";

/** The most searched anime of a period; days like "2026-11-20", `from` null for all time. */
export type Ranking = {
  from: string | null;
  to: string;
  /** Equal counts have equal rank, and stand by title. */
  entries: { rank: number; anime: Anime; searches: number }[];
};

/** What is searched most. */
export type RankingStore = ReturnType<typeof createRankings>;

export function createRankings(prisma: PrismaClient) {
  return {
    /** The first `limit` anime of a period that ends with the UTC day of `at`. */
    async list(wanted: {
      period: RankingPeriod;
      limit: number;
      includeAdult: boolean;
      at: Date;
    }): Promise<Ranking> {
      const days = wanted.period === "all" ? undefined : daysOf[wanted.period];
      const { from, to, ...window } = coverDays(days ?? 1, wanted.at);
      const counted = days === undefined ? countAll : countWindow(window);
      const rows = await prisma.$queryRaw<(AnimeRow & { searches: number })[]>`
        SELECT a.*, c."searches"::int AS "searches" FROM (${counted}) c JOIN "Anime" a ON a."id" = c."animeId"
        WHERE c."searches" > 0 AND (${wanted.includeAdult} OR NOT a."isAdult")
        ORDER BY c."searches" DESC,
          lower(coalesce(a."titleRomaji", a."titleEnglish", a."titleNative", '')) COLLATE "C", a."id"
        LIMIT ${wanted.limit}`;
      return { from: days === undefined ? null : from, to, entries: rank(rows) };
    },

    /** Nothing to do: counts are kept. */
    async collectGarbage(): Promise<void> {},
  };
}

const daysOf = { daily: 1, weekly: 7, monthly: 30, yearly: 365 };

const countAll = Prisma.sql`SELECT "animeId", "searches" FROM "AnimeStatistics"`;

function countWindow({ months, added, taken }: Omit<RankingWindow, "from" | "to">): Prisma.Sql {
  const parts = [
    select("month", months, 1),
    select("day", added, 1),
    ...taken.map((range) => select("day", range, -1)),
  ];
  return Prisma.sql`
    SELECT "animeId", sum("searches") AS "searches" FROM (${Prisma.join(parts, " UNION ALL ")}) parts GROUP BY "animeId"`;
}

function select(period: "day" | "month", { start, end }: DateRange, sign: 1 | -1): Prisma.Sql {
  return Prisma.sql`
    SELECT "animeId", "searches" * ${sign}::int AS "searches" FROM "AnimeSearchCount"
    WHERE "period" = ${period} AND "start" >= ${start}::date AND "start" < ${end}::date`;
}

function rank(rows: readonly (AnimeRow & { searches: number })[]): Ranking["entries"] {
  return rows.map(({ searches, ...anime }) => ({
    rank: rows.findIndex((row) => row.searches === searches) + 1,
    anime: toAnime(anime),
    searches,
  }));
}

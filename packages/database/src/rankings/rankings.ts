import type { Reader } from "../connection/open-replicas.ts";
import { runTransaction, type Transaction } from "../connection/run-transaction.ts";
import { type Anime as AnimeRow, Prisma, type PrismaClient } from "../generated/client.ts";
import { type Anime, toAnime } from "../library/anime.ts";
import { daysOf, prepareRankings, type RankingPeriod } from "./prepared-rankings.ts";
import { coverDays } from "./ranking-window.ts";

export type { RankingPeriod } from "./prepared-rankings.ts";

/** The most searched anime of a period; days like "2026-11-20", `from` null for all time. */
export type Ranking = {
  from: string | null;
  to: string;
  /** Equal counts have equal rank and are ordered by title. */
  entries: { rank: number; anime: Anime; searches: number }[];
};

/** The most searched anime. */
export function createRankings(prisma: PrismaClient, read: Reader) {
  return {
    /** The first `limit` anime of a period that ends with the UTC day of `at`. Read from replicas. */
    async list(options: RankingQuery): Promise<Ranking> {
      const { period, at } = options;
      const { from, to } = coverDays(period === "all" ? 1 : daysOf[period], at);
      // The first request of a day prepares the ranking and reads it in the same transaction.
      const rows =
        (await read(
          (client) => readRanking(client, options, to),
          (found) => found !== undefined,
        )) ??
        (await runTransaction(prisma, async (tx) => {
          await prepareRankings(tx, at);
          return await readRanking(tx, options, to);
        }));
      return { from: period === "all" ? null : from, to, entries: rank(rows ?? []) };
    },

    /** Prepares the rankings of today, and before midnight those of tomorrow; deletes those of past days. */
    async collectGarbage({ at }: { at: Date }): Promise<void> {
      for (const day of [at, new Date(at.getTime() + aheadMs)]) {
        const { to } = coverDays(1, day);
        const isReady = (await prisma.rankingWindow.count({ where: { lastDay: new Date(to) } })) > 0;
        if (!isReady) await runTransaction(prisma, (tx) => prepareRankings(tx, day));
      }
    },
  };
}

type RankingQuery = { period: RankingPeriod; limit: number; includeAdult: boolean; at: Date };

type RankedRow = AnimeRow & { searches: number };

// Garbage collection runs once an hour.
const aheadMs = 90 * 60 * 1000;

/** The rows of a ranking; undefined where its window is not prepared. */
async function readRanking(
  prisma: PrismaClient | Transaction,
  { period, limit, includeAdult }: RankingQuery,
  to: string,
): Promise<RankedRow[] | undefined> {
  const [window, counted] =
    period === "all"
      ? [Prisma.sql`SELECT 1`, Prisma.sql`SELECT "animeId", "searches" FROM "AnimeStatistics"`]
      : [
          Prisma.sql`SELECT 1 FROM "RankingWindow" WHERE "lastDay" = ${to}::date AND "period" = ${period}`,
          Prisma.sql`
            SELECT "animeId", "searches" FROM "RankingCount"
            WHERE "lastDay" = ${to}::date AND "period" = ${period}`,
        ];
  // An index scan returns the highest counts and all ties of the last one, even without planner statistics
  // for a new day; titles are read and compared only for these. Deleted anime are omitted.
  const isSelected = includeAdult
    ? Prisma.sql`true`
    : Prisma.sql`"animeId" NOT IN (SELECT "id" FROM "Anime" WHERE "isAdult" = true)`;
  const order = Prisma.sql`
    "searches" DESC, lower(coalesce("titleRomaji", "titleEnglish", "titleNative", '')) COLLATE "C", "id"`;
  const rows = await prisma.$queryRaw<(RankedRow | { id: null })[]>`
    SELECT ranked.* FROM (${window}) prepared LEFT JOIN LATERAL (
      SELECT a.*, first."searches" FROM (
        SELECT "animeId", "searches" FROM (${counted}) counted WHERE "searches" > 0 AND ${isSelected}
        ORDER BY "searches" DESC FETCH FIRST (${limit}::int) ROWS WITH TIES
      ) first JOIN LATERAL (SELECT * FROM "Anime" WHERE "id" = first."animeId" LIMIT 1) a ON true
      ORDER BY ${order} LIMIT ${limit}
    ) ranked ON true ORDER BY ${order}`;
  return rows.length === 0 ? undefined : rows.filter((row) => row.id !== null);
}

function rank(rows: readonly RankedRow[]): Ranking["entries"] {
  return rows.map(({ searches, ...anime }) => ({
    rank: rows.findIndex((row) => row.searches === searches) + 1,
    anime: toAnime(anime),
    searches,
  }));
}

import { type Anime as AnimeRow, Prisma, type PrismaClient } from "../generated/client.ts";
import type { JsonValue } from "../json-value.ts";
import { type Anime, toAnime } from "../library/anime.ts";
import { type StoredMatch, toMatches } from "./search-row.ts";

/** A confirmed public search. */
export type RecentSearch = { id: string; anime: Anime; match: StoredMatch; confirmedAt: Date };

/** A scene with its latest search and the number of its searches. */
export type SceneCount = RecentSearch & { searches: number };

export function createRecentSearches(prisma: PrismaClient) {
  /** A confirmed public search; undefined for all others, and for one of an adult anime. */
  async function findListed(id: string): Promise<RecentSearch | undefined> {
    const row = await prisma.search.findUnique({ where: { id } });
    if (row?.listedAnimeId == null || row.confirmedAt === null) return undefined;
    const anime = await prisma.anime.findUnique({ where: { id: row.listedAnimeId } });
    const match = toMatches(row.matches).find(({ rank }) => rank === row.confirmedRank);
    if (anime === null || anime.isAdult || match === undefined) return undefined;
    return { id, anime: toAnime(anime), match, confirmedAt: row.confirmedAt };
  }

  return {
    findListed,

    /**
     * The scenes that most callers found, without adult anime; equal counts newest first. Counts the newest
     * 10,000 confirmed public searches of the 30 days before `at`. Searches of one episode and shot show the
     * same scene; those of one caller count once.
     */
    async rankScenes(options: { limit: number; at: Date }): Promise<SceneCount[]> {
      const from = new Date(options.at.getTime() - rankedDays * dayMs);
      const counts = await prisma.$queryRaw<{ id: string; searches: number }[]>`
        SELECT (array_agg(s."id" ORDER BY s."confirmedAt" DESC, s."id" DESC))[1] AS "id",
          count(DISTINCT coalesce(s."callerHash", s."id"))::int AS "searches"
        FROM (
          SELECT "id" FROM "Search"
          WHERE "listedAnimeId" IS NOT NULL AND ${isNotAdult("listedAnimeId")} AND "confirmedAt" > ${from}
          ORDER BY "confirmedAt" DESC, "id" DESC LIMIT ${rankedSearches}
        ) page JOIN "Search" s ON s."id" = page."id"
        JOIN LATERAL (
          SELECT m FROM jsonb_array_elements(s."matches") m WHERE (m->>'rank')::int = s."confirmedRank" LIMIT 1
        ) confirmed ON true
        GROUP BY s."listedAnimeId", confirmed.m->'episode'->>'id', confirmed.m->>'from'
        ORDER BY "searches" DESC, max(s."confirmedAt") DESC LIMIT ${options.limit}`;
      const scenes = await Promise.all(
        counts.map(async ({ id, searches }) => {
          const found = await findListed(id);
          return found === undefined ? [] : [{ ...found, searches }];
        }),
      );
      return scenes.flat();
    },

    /** Confirmed public searches without adult anime, newest first; `total` counts all of them. */
    async listRecent(options: {
      limit: number;
      offset: number;
    }): Promise<{ total: number; items: RecentSearch[] }> {
      // An index-only scan finds the page, whatever its offset; only the page's rows are read, and their
      // anime one by one: `LIMIT 1` prevents a plan that reads all anime.
      const rows = await prisma.$queryRaw<RecentRow[]>`
        SELECT counted."total", recent.* FROM (
          SELECT coalesce(sum("listed"), 0)::int AS "total" FROM "AnimeStatistics" WHERE ${isNotAdult("animeId")}
        ) counted LEFT JOIN LATERAL (
          SELECT a.*, s."id" AS "searchId", page."confirmedAt", (
            SELECT m FROM jsonb_array_elements(s."matches") m WHERE (m->>'rank')::int = s."confirmedRank" LIMIT 1
          ) AS "match"
          FROM (
            SELECT "id", "listedAnimeId", "confirmedAt" FROM "Search"
            WHERE "listedAnimeId" IS NOT NULL AND ${isNotAdult("listedAnimeId")}
            ORDER BY "confirmedAt" DESC, "id" DESC LIMIT ${options.limit} OFFSET ${options.offset}
          ) page JOIN "Search" s ON s."id" = page."id"
          JOIN LATERAL (SELECT * FROM "Anime" WHERE "id" = page."listedAnimeId" LIMIT 1) a ON true
        ) recent ON true ORDER BY recent."confirmedAt" DESC, recent."searchId" DESC`;
      const items = rows.flatMap((row): RecentSearch[] => {
        if (row.id === null) return [];
        const { total: _total, searchId: id, confirmedAt, match: stored, ...anime } = row;
        const [match] = toMatches([stored]);
        return match === undefined ? [] : [{ id, anime: toAnime(anime), match, confirmedAt }];
      });
      return { total: rows[0]?.total ?? 0, items };
    },
  };
}

const dayMs = 24 * 60 * 60 * 1000;
const rankedDays = 30;
const rankedSearches = 10_000;

type RecentRow = { total: number } & (
  | (AnimeRow & { searchId: string; confirmedAt: Date; match: JsonValue })
  | { id: null }
);

// Few anime are adult, so the subquery runs once.
function isNotAdult(column: "animeId" | "listedAnimeId"): Prisma.Sql {
  return Prisma.sql`${Prisma.raw(`"${column}"`)} NOT IN (SELECT "id" FROM "Anime" WHERE "isAdult" = true)`;
}

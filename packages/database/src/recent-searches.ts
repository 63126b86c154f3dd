import { type Anime, toAnime } from "./anime.ts";
import type { Anime as AnimeRow, PrismaClient } from "./generated/client.ts";
import type { JsonValue } from "./json-value.ts";
import { type StoredMatch, toMatches } from "./search-row.ts";

/** A confirmed public search. */
export type RecentSearch = { id: string; anime: Anime; match: StoredMatch; confirmedAt: Date };

export function createRecentSearches(prisma: PrismaClient) {
  return {
    /** Confirmed public searches, newest first, adult ones left out; `total` of all there are. */
    async listRecent(wanted: {
      limit: number;
      offset: number;
    }): Promise<{ total: number; items: RecentSearch[] }> {
      // Few anime are adult: taking them off the total is cheaper than looking up all others. What finds the page stays
      // within its index however far it skips; only the page itself is read.
      const rows = await prisma.$queryRaw<RecentRow[]>`
        SELECT counted."total", recent.* FROM (
          SELECT (coalesce((SELECT sum("listed") FROM "AnimeStatistics"), 0) - coalesce((
            SELECT sum(s."listed") FROM "Anime" a JOIN "AnimeStatistics" s ON s."animeId" = a."id"
            WHERE a."isAdult" = true), 0))::int AS "total"
        ) counted LEFT JOIN LATERAL (
          SELECT a.*, s."id" AS "searchId", page."confirmedAt", (
            SELECT m FROM jsonb_array_elements(s."matches") m WHERE (m->>'rank')::int = s."confirmedRank" LIMIT 1
          ) AS "match"
          FROM (
            SELECT "id", "listedAnimeId", "confirmedAt" FROM "Search"
            WHERE "listedAnimeId" IS NOT NULL
              AND "listedAnimeId" NOT IN (SELECT "id" FROM "Anime" WHERE "isAdult" = true)
            ORDER BY "confirmedAt" DESC, "id" DESC LIMIT ${wanted.limit} OFFSET ${wanted.offset}
          ) page JOIN "Search" s ON s."id" = page."id" JOIN "Anime" a ON a."id" = page."listedAnimeId"
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

type RecentRow = { total: number } & (
  | (AnimeRow & { searchId: string; confirmedAt: Date; match: JsonValue })
  | { id: null }
);

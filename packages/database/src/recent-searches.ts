import { type Anime, toAnime } from "./anime.ts";
import type { PrismaClient } from "./generated/client.ts";
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
      const [total, rows] = await Promise.all([countRecent(prisma), readRecent(prisma, wanted)]);
      const anime = await prisma.anime.findMany({
        where: { id: { in: [...new Set(rows.map(({ animeId }) => animeId))] } },
      });
      const items = rows.flatMap(({ id, animeId, match, confirmedAt }): RecentSearch[] => {
        const of = anime.find((each) => each.id === animeId);
        const [confirmed] = toMatches([match]);
        if (of === undefined || confirmed === undefined) return [];
        return [{ id, anime: toAnime(of), match: confirmed, confirmedAt }];
      });
      return { total, items };
    },
  };
}

async function countRecent(prisma: PrismaClient): Promise<number> {
  // Few are adult: taking them off is cheaper than looking up all others.
  const [row] = await prisma.$queryRaw<{ total: number }[]>`
    SELECT (coalesce((SELECT sum("listed") FROM "AnimeStatistics"), 0) - coalesce((
      SELECT sum(s."listed") FROM "Anime" a JOIN "AnimeStatistics" s ON s."animeId" = a."id"
      WHERE a."isAdult" = true), 0))::int AS "total"`;
  return row?.total ?? 0;
}

async function readRecent(prisma: PrismaClient, wanted: { limit: number; offset: number }) {
  // The inner query stays within its index however far it skips; only the page itself is read.
  return await prisma.$queryRaw<{ id: string; animeId: string; match: JsonValue; confirmedAt: Date }[]>`
    SELECT p."id", p."listedAnimeId" AS "animeId", p."confirmedAt", (
      SELECT m FROM jsonb_array_elements(s."matches") m WHERE (m->>'rank')::int = s."confirmedRank" LIMIT 1
    ) AS "match"
    FROM (
      SELECT "id", "listedAnimeId", "confirmedAt" FROM "Search"
      WHERE "listedAnimeId" IS NOT NULL
        AND "listedAnimeId" NOT IN (SELECT "id" FROM "Anime" WHERE "isAdult" = true)
      ORDER BY "confirmedAt" DESC, "id" DESC LIMIT ${wanted.limit} OFFSET ${wanted.offset}
    ) p JOIN "Search" s ON s."id" = p."id"
    ORDER BY p."confirmedAt" DESC, p."id" DESC`;
}

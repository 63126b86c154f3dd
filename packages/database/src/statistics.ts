import { Prisma, type PrismaClient } from "./generated/client.ts";
import { type Anime, toAnime } from "./library/anime.ts";
import { type EpisodeState, type EpisodeWithAnime, toEpisodeWithAnime } from "./library/episode-row.ts";
import { listPage, type Page } from "./page.ts";
import { containsText, hasTitle } from "./text-filters.ts";

/** Statistics of library, searches and users. */
export type Figures = {
  library: { anime: number; episodes: Record<EpisodeState, number>; frames: number };
  searches: { underWay: number; lastHour: number; lastDay: number; medianMs: number | null };
  users: { people: number; bots: number; newLastDay: number };
};

/** An anime with its episodes counted by state, and the number of their searchable frames. */
export type AnimeWithCounts = { anime: Anime } & Omit<Figures["library"], "anime">;

/** Statistics and lists for the operator. */
export function createStatistics(prisma: PrismaClient) {
  return {
    /** The statistics at the time `at`. */
    async count(at: Date): Promise<Figures> {
      const hourAgo = new Date(at.getTime() - hourMs);
      const dayAgo = new Date(at.getTime() - 24 * hourMs);
      const [[videos], underWay, lastHour, [day], people, bots, newLastDay] = await Promise.all([
        prisma.$queryRaw<{ [name: string]: bigint }[]>`
          SELECT count(DISTINCT "animeId") AS "anime", ${episodeCounts} FROM "Episode"`,
        prisma.quotaReservation.count({ where: { settledAt: null, expiresAt: { gt: new Date() } } }),
        prisma.search.count({ where: { createdAt: { gte: hourAgo } } }),
        prisma.$queryRaw<{ searchCount: bigint; median: number | null }[]>`
          SELECT count(*) AS "searchCount",
            percentile_disc(0.5) WITHIN GROUP (ORDER BY "tookMs") AS "median"
          FROM "Search" WHERE "createdAt" >= ${dayAgo}`,
        prisma.user.count({ where: { isBot: false } }),
        prisma.user.count({ where: { isBot: true } }),
        prisma.user.count({ where: { isBot: false, createdAt: { gte: dayAgo } } }),
      ]);
      return {
        library: { anime: Number(videos?.anime ?? 0), ...toEpisodeCounts(videos) },
        searches: {
          underWay,
          lastHour,
          lastDay: Number(day?.searchCount ?? 0),
          medianMs: day?.median ?? null,
        },
        users: { people, bots, newLastDay },
      };
    },

    /** The number of episodes by the UTC day of their last indexing ("2026-11-20"), from the day of `from`. */
    async countIndexedByDay(options: { from: Date }): Promise<Map<string, number>> {
      const rows = await prisma.$queryRaw<{ day: string; episodes: number }[]>`
        SELECT to_char("indexedAt" AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS "day", count(*)::int AS "episodes"
        FROM "Episode" WHERE "indexedAt" >= date_trunc('day', ${options.from}::timestamptz, 'UTC')
        GROUP BY 1`;
      return new Map(rows.map(({ day, episodes }) => [day, episodes]));
    },

    /**
     * A page of the anime with episodes whose titles contain `query`, by title, with their episodes counted
     * by state. Pages count from 1.
     */
    async listAnime(
      options: Page & { query?: string | undefined },
    ): Promise<{ total: number; items: AnimeWithCounts[] }> {
      const where = { episodes: { some: {} }, ...(options.query && hasTitle(options.query)) };
      const { total, rows } = await listPage(prisma.anime, options, where, (part) =>
        prisma.anime.findMany({ ...part, orderBy: [{ searchText: "asc" }, { id: "asc" }] }),
      );
      const counts = await prisma.$queryRaw<({ animeId: string } & { [name: string]: bigint })[]>`
        SELECT "animeId", ${episodeCounts} FROM "Episode"
        WHERE "animeId" = ANY(${rows.map(({ id }) => id)}) GROUP BY "animeId"`;
      const byId = new Map(counts.map((row) => [row.animeId, row]));
      return {
        total,
        items: rows.map((row) => ({ anime: toAnime(row), ...toEpisodeCounts(byId.get(row.id)) })),
      };
    },

    /** The episodes that are being indexed, with the processes that index them. */
    async listClaimed(): Promise<(EpisodeWithAnime & { worker: string })[]> {
      const rows = await prisma.episode.findMany({
        where: { state: "indexing", claimExpiresAt: { gt: new Date() } },
        include: { anime: true },
        orderBy: { path: "asc" },
      });
      return rows.map((row) => ({ ...toEpisodeWithAnime(row), worker: row.claimOwner ?? "" }));
    },

    /**
     * A page of episodes, failed ones first, then by title and path. `state`, `animeId` and `query` (a part
     * of a title of the anime or the episode, or of the file name) filter them. Pages count from 1.
     */
    async listEpisodes(
      options: Page & {
        state?: EpisodeState | undefined;
        animeId?: string | undefined;
        query?: string | undefined;
      },
    ): Promise<{ total: number; items: EpisodeWithAnime[] }> {
      const { state, animeId, query } = options;
      const where = {
        ...(state !== undefined && { state }),
        ...(animeId !== undefined && { animeId }),
        ...(query && {
          OR: [{ anime: hasTitle(query) }, { title: containsText(query) }, { fileName: containsText(query) }],
        }),
      };
      const { total, rows } = await listPage(prisma.episode, options, where, (part) =>
        prisma.episode.findMany({
          ...part,
          include: { anime: true },
          orderBy: [{ state: "desc" }, { anime: { searchText: "asc" } }, { path: "asc" }],
        }),
      );
      return { total, items: rows.map(toEpisodeWithAnime) };
    },
  };
}

function toEpisodeCounts(row: { [name: string]: unknown } | undefined): Omit<Figures["library"], "anime"> {
  const count = (name: string) => Number(row?.[name] ?? 0);
  return {
    episodes: {
      pending: count("pending"),
      indexing: count("indexing"),
      ready: count("ready"),
      failed: count("failed"),
    },
    frames: count("frames"),
  };
}

const hourMs = 3_600_000;
/** The owner of an expired claim was killed. */
const isLeaseExpired = Prisma.sql`"state" = 'indexing' AND ("claimExpiresAt" IS NULL OR "claimExpiresAt" < clock_timestamp())`;
const episodeCounts = Prisma.sql`
  count(*) FILTER (WHERE "state" = 'pending' OR (${isLeaseExpired} AND "contentHash" IS NULL)) AS "pending",
  count(*) FILTER (WHERE "state" = 'indexing' AND "claimExpiresAt" >= clock_timestamp()) AS "indexing",
  count(*) FILTER (WHERE "state" = 'ready' OR (${isLeaseExpired} AND "contentHash" IS NOT NULL)) AS "ready",
  count(*) FILTER (WHERE "state" = 'failed') AS "failed",
  coalesce(sum("frameCount") FILTER (WHERE "contentHash" IS NOT NULL), 0)::bigint AS "frames"`;

import { Prisma, type PrismaClient } from "./generated/client.ts";
import { type EpisodeState, type EpisodeWithAnime, toEpisodeWithAnime } from "./library/episodes.ts";
import { toSkipTake } from "./page.ts";

/** Statistics and lists for the operator. */
export type OperationStore = ReturnType<typeof createOperations>;

/** Statistics of library, searches and users. */
export type Figures = {
  library: { anime: number; episodes: Record<EpisodeState, number>; frames: number };
  searches: { underWay: number; lastHour: number; lastDay: number; medianMs: number | null };
  users: { people: number; bots: number; newLastDay: number };
};

export function createOperations(prisma: PrismaClient) {
  return {
    /** The statistics at the time `at`. */
    async count(at: Date): Promise<Figures> {
      const hourAgo = new Date(at.getTime() - hourMs);
      const dayAgo = new Date(at.getTime() - 24 * hourMs);
      const [[videos], underWay, lastHour, [day], people, bots, newLastDay] = await Promise.all([
        prisma.$queryRaw<{ [name: string]: bigint }[]>`
          SELECT count(DISTINCT "animeId") AS "anime",
            count(*) FILTER (WHERE "state" = 'pending' OR (${isLeaseExpired} AND "contentHash" IS NULL)) AS "pending",
            count(*) FILTER (WHERE "state" = 'indexing' AND "claimExpiresAt" >= clock_timestamp()) AS "indexing",
            count(*) FILTER (WHERE "state" = 'ready' OR (${isLeaseExpired} AND "contentHash" IS NOT NULL)) AS "ready",
            count(*) FILTER (WHERE "state" = 'failed') AS "failed",
            coalesce(sum("frameCount") FILTER (WHERE "contentHash" IS NOT NULL), 0)::bigint AS "frames"
          FROM "Episode"`,
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
      const video = (name: string) => Number(videos?.[name] ?? 0);
      return {
        library: {
          anime: video("anime"),
          episodes: {
            pending: video("pending"),
            indexing: video("indexing"),
            ready: video("ready"),
            failed: video("failed"),
          },
          frames: video("frames"),
        },
        searches: {
          underWay,
          lastHour,
          lastDay: Number(day?.searchCount ?? 0),
          medianMs: day?.median ?? null,
        },
        users: { people, bots, newLastDay },
      };
    },

    /**
     * A page of episodes, failed ones first, then by title and path; `state` filters them. Pages count from
     * 1.
     */
    async listEpisodes(options: {
      page: number;
      pageSize: number;
      state?: EpisodeState | undefined;
    }): Promise<{ total: number; items: EpisodeWithAnime[] }> {
      const where = options.state === undefined ? {} : { state: options.state };
      const [total, rows] = await Promise.all([
        prisma.episode.count({ where }),
        prisma.episode.findMany({
          where,
          include: { anime: true },
          orderBy: [{ state: "desc" }, { anime: { searchText: "asc" } }, { path: "asc" }],
          ...toSkipTake(options),
        }),
      ]);
      return { total, items: rows.map(toEpisodeWithAnime) };
    },
  };
}

const hourMs = 3_600_000;
/** The owner of an expired claim was killed. */
const isLeaseExpired = Prisma.sql`"state" = 'indexing' AND ("claimExpiresAt" IS NULL OR "claimExpiresAt" < clock_timestamp())`;

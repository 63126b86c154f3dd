import type { Reader } from "../connection/open-replicas.ts";
import { type Anime as AnimeRow, Prisma } from "../generated/client.ts";
import type { Page } from "../page.ts";
import { escapeLike } from "../text-filters.ts";
import { type Anime, toAnime } from "./anime.ts";
import { foldTitle } from "./anime-merge.ts";

/** An anime and the amount of its indexed video. */
export type IndexedAnime = {
  anime: Anime;
  episodeCount: number;
  durationSeconds: number;
  frameCount: number;
};

/** An indexed episode, without the names of files. */
export type IndexedEpisode = {
  id: string;
  season: number | null;
  number: string | null;
  title: string | null;
  durationSeconds: number | null;
  frameCount: number;
  indexedAt: Date | null;
};

/** The indexed anime and episodes in pages, for readers of the library; read from replicas. */
export function createLibraryContents(read: Reader) {
  return {
    /** The amount of indexed video. */
    async count(): Promise<{ anime: number; episodes: number; frames: number; durationSeconds: number }> {
      const [counted] = await read(
        (prisma) => prisma.$queryRaw<Record<"anime" | "episodes" | "frames" | "seconds", number>[]>`
          SELECT count(DISTINCT "animeId")::int AS "anime", count(*)::int AS "episodes",
            coalesce(sum("frameCount"), 0)::float8 AS "frames",
            coalesce(sum("durationSeconds"), 0)::float8 AS "seconds"
          FROM "Episode" WHERE "contentHash" IS NOT NULL`,
      );
      const { anime = 0, episodes = 0, frames = 0, seconds = 0 } = counted ?? {};
      return { anime, episodes, frames, durationSeconds: seconds };
    },

    /** When an episode was last indexed; undefined for an empty library. */
    async lastIndexedAt(): Promise<Date | undefined> {
      const [row] = await read(
        (prisma) => prisma.$queryRaw<{ at: Date | null }[]>`SELECT max("indexedAt") AS "at" FROM "Episode"`,
      );
      return row?.at ?? undefined;
    },

    /**
     * A page of the indexed anime by title; `query` is a part of a title or synonym (case and width ignored).
     */
    async listAnime(
      options: Page & { query: string; includeAdult: boolean },
    ): Promise<{ total: number; items: IndexedAnime[] }> {
      const pattern = `%${escapeLike(foldTitle(options.query))}%`;
      const isSelected = Prisma.sql`
        "searchText" LIKE ${pattern} AND (${options.includeAdult} OR "isAdult" = false)
        AND EXISTS (
          SELECT 1 FROM "Episode" e WHERE e."animeId" = "Anime"."id" AND e."contentHash" IS NOT NULL)`;
      const [counted, rows] = await read(async (prisma) => [
        await prisma.$queryRaw<{ total: number }[]>`
          SELECT count(*)::int AS "total" FROM "Anime" WHERE ${isSelected}`,
        await prisma.$queryRaw<(AnimeRow & Omit<IndexedAnime, "anime">)[]>`
          SELECT a.*, amount.* FROM (
            SELECT * FROM "Anime" WHERE ${isSelected} ORDER BY ${byTitle}
            LIMIT ${options.pageSize} OFFSET ${toOffset(options)}
          ) a JOIN LATERAL (
            SELECT count(*)::int AS "episodeCount", coalesce(sum("durationSeconds"), 0)::float8 AS "durationSeconds",
              coalesce(sum("frameCount"), 0)::int AS "frameCount"
            FROM "Episode" WHERE "animeId" = a."id" AND "contentHash" IS NOT NULL
          ) amount ON true ORDER BY ${byTitle}`,
      ]);
      const items = rows.map(({ episodeCount, durationSeconds, frameCount, ...anime }) => ({
        anime: toAnime(anime),
        episodeCount,
        durationSeconds,
        frameCount,
      }));
      return { total: counted[0]?.total ?? 0, items };
    },

    /**
     * A page of the indexed episodes of an anime by season and number (2 before 10); undefined when the anime
     * has none, or is for adults without `includeAdult`.
     */
    async listEpisodes(
      options: Page & { animeId: string; includeAdult: boolean },
    ): Promise<{ total: number; items: IndexedEpisode[] } | undefined> {
      return await read(async (prisma) => {
        const total = await prisma.episode.count({
          where: {
            animeId: options.animeId,
            contentHash: { not: null },
            ...(!options.includeAdult && { anime: { isAdult: false } }),
          },
        });
        if (total === 0) return undefined;
        const items = await prisma.$queryRaw<IndexedEpisode[]>`
          SELECT "id", "season", "number", "title", "durationSeconds", "frameCount", "indexedAt" FROM "Episode"
          WHERE "animeId" = ${options.animeId} AND "contentHash" IS NOT NULL
          ORDER BY coalesce("season", 0), substring("number" FROM '^[0-9]{1,9}')::int NULLS LAST,
            "number" COLLATE "C", "path" COLLATE "C"
          LIMIT ${options.pageSize} OFFSET ${toOffset(options)}`;
        return { total, items };
      });
    },
  };
}

const byTitle = Prisma.sql`
  lower(coalesce("titleRomaji", "titleEnglish", "titleNative", '')) COLLATE "C", "id"`;

/** The rows before a page, as a bigint because the number of a page has no practical limit. */
function toOffset({ page, pageSize }: Page): bigint {
  return BigInt(page - 1) * BigInt(pageSize);
}

import { runTransaction, type Transaction } from "../connection/run-transaction.ts";
import { createId } from "../create-id.ts";
import type { Anime as AnimeRow, PrismaClient } from "../generated/client.ts";
import { lockAnimeRows, mergeAnime, mergedKey } from "./anime-merge.ts";

/** One work as it is stored; null where unknown. */
export type Anime = {
  id: string;
  anilistId: number | null;
  malId: number | null;
  titleRomaji: string | null;
  titleEnglish: string | null;
  titleNative: string | null;
  synonyms: string[];
  format: string | null;
  year: number | null;
  isAdult: boolean;
  coverUrl: string | null;
  isSample: boolean;
  /** When metadata was last applied; null while only a file name is known. */
  metadataAt: Date | null;
};

/** The data of a metadata source about one anime. */
export type AnimeMetadata = Omit<Anime, "id" | "isSample" | "metadataAt">;

/** The anime of the indexed files. */
export type AnimeStore = ReturnType<typeof createAnime>;

export function createAnime(prisma: PrismaClient) {
  return {
    /**
     * Finds the anime that owns `key` (a normalised title, or "anilist:21") or the AniList id, or creates it.
     * Concurrent calls for the same anime return the same row. `title` is the romaji title of a new anime.
     */
    async findOrCreate(options: {
      key: string;
      anilistId?: number | undefined;
      title?: string | undefined;
      isSample?: boolean | undefined;
    }): Promise<Anime> {
      return toAnime(await runTransaction(prisma, (tx) => findOrCreate(tx, options)));
    },

    /** The anime that owns a key; undefined when none does. */
    async findByKey(key: string): Promise<Anime | undefined> {
      const owner = await prisma.animeKey.findUnique({ where: { key }, include: { anime: true } });
      return owner === null ? undefined : toAnime(owner.anime);
    },

    /** The anime with this AniList id; undefined when there is none. */
    async findByAnilistId(anilistId: number): Promise<Anime | undefined> {
      const row = await prisma.anime.findUnique({ where: { anilistId } });
      return row === null ? undefined : toAnime(row);
    },

    /** The anime with these ids, in no particular order; unknown ids are omitted. */
    async findMany(ids: readonly string[]): Promise<Anime[]> {
      return (await prisma.anime.findMany({ where: { id: { in: [...ids] } } })).map(toAnime);
    },

    /** The anime with these ids, by requested id; a merged anime is represented by the remaining one. */
    async resolve(ids: readonly string[]): Promise<Map<string, Anime>> {
      const keys = await prisma.animeKey.findMany({
        where: { key: { in: ids.map(mergedKey) } },
        include: { anime: true },
      });
      const merged = new Map(keys.map(({ key, anime }) => [key, anime]));
      const present = await prisma.anime.findMany({ where: { id: { in: [...ids] } } });
      const found = new Map(present.map((row) => [row.id, row]));
      return new Map(
        ids.flatMap((id) => {
          const row = found.get(id) ?? merged.get(mergedKey(id));
          return row === undefined ? [] : [[id, toAnime(row)] as const];
        }),
      );
    },

    /**
     * Anime with a searchable episode and a title or synonym that contains `query` (case and width ignored),
     * best first.
     */
    async search(options: { query: string; limit: number }): Promise<Anime[]> {
      const query = foldTitle(options.query).replace(/[\\%_]/g, "\\$&");
      const rows = await prisma.$queryRaw<AnimeRow[]>`
        SELECT a.* FROM "Anime" a
        WHERE a."searchText" LIKE ${`%${query}%`}
          AND EXISTS (
            SELECT 1 FROM "Episode" e JOIN "DescriptorSet" s ON s."episodeId" = e."id"
            WHERE e."animeId" = a."id" AND s."seq" IS NOT NULL)
        ORDER BY a."searchText" LIKE ${`%\n${query}\n%`} DESC,
                 a."searchText" LIKE ${`%\n${query}%`} DESC,
                 a."searchText" LIKE ${`% ${query}%`} DESC,
                 length(a."searchText"), a."searchText", a."id"
        LIMIT ${options.limit}`;
      return rows.map(toAnime);
    },

    /**
     * Writes metadata to an anime. When another anime has this AniList id, the two are merged and episodes,
     * keys and counts move to the other one. Returns the remaining anime, or undefined when `id` is unknown.
     */
    async applyMetadata(id: string, metadata: AnimeMetadata): Promise<Anime | undefined> {
      return await runTransaction(prisma, async (tx) => {
        if (metadata.anilistId !== null) await lockName(tx, `anilist:${metadata.anilistId}`);
        const twin =
          metadata.anilistId === null
            ? null
            : await tx.anime.findUnique({ where: { anilistId: metadata.anilistId } });
        const present = await lockAnimeRows(tx, twin === null ? [id] : [id, twin.id]);
        if (!present.has(id)) return undefined;
        const remainingId = twin !== null && present.has(twin.id) ? twin.id : id;
        if (remainingId !== id) await mergeAnime(tx, id, remainingId);
        const { anilistId, malId, titleRomaji, titleEnglish, titleNative } = metadata;
        const { synonyms, format, year, isAdult, coverUrl } = metadata;
        const titles = [titleRomaji, titleEnglish, titleNative, ...synonyms];
        const remaining = await tx.anime.update({
          where: { id: remainingId },
          data: {
            anilistId,
            malId,
            titleRomaji,
            titleEnglish,
            titleNative,
            synonyms,
            format,
            year,
            isAdult,
            coverUrl,
            searchText: toSearchText(titles),
            metadataAt: new Date(),
          },
        });
        return toAnime(remaining);
      });
    },

    /** Deletes anime that have no episodes and were not requested within the last hour. */
    async collectGarbage(): Promise<void> {
      await runTransaction(prisma, async (tx) => {
        const gone = await tx.$queryRaw<{ id: string }[]>`
          DELETE FROM "Anime" a WHERE a."touchedAt" < clock_timestamp() - interval '1 hour'
            AND NOT EXISTS (SELECT 1 FROM "Episode" e WHERE e."animeId" = a."id")
          RETURNING a."id"`;
        // These searches expire like unconfirmed ones.
        await tx.search.updateMany({
          where: { listedAnimeId: { in: gone.map(({ id }) => id) } },
          data: { listedAnimeId: null, anonymisedAt: null },
        });
      });
    },
  };
}

/** Converts a stored anime to its domain form. */
export function toAnime(row: AnimeRow): Anime {
  const { searchText: _searchText, touchedAt: _touchedAt, ...anime } = row;
  return anime;
}

async function findOrCreate(
  tx: Transaction,
  options: {
    key: string;
    anilistId?: number | undefined;
    title?: string | undefined;
    isSample?: boolean | undefined;
  },
): Promise<AnimeRow> {
  // Two transactions that find the same name free would both insert it.
  await lockName(tx, `key:${options.key}`);
  if (options.anilistId !== undefined) await lockName(tx, `anilist:${options.anilistId}`);
  const owner = await tx.animeKey.findUnique({ where: { key: options.key } });
  const twin =
    owner === null && options.anilistId !== undefined
      ? await tx.anime.findUnique({ where: { anilistId: options.anilistId } })
      : null;
  const knownId = owner?.animeId ?? twin?.id;
  if (knownId !== undefined) {
    if (owner === null) await tx.animeKey.create({ data: { key: options.key, animeId: knownId } });
    return await tx.anime.update({ where: { id: knownId }, data: { touchedAt: new Date() } });
  }
  const title = options.title ?? options.key;
  return await tx.anime.create({
    data: {
      id: createId(),
      anilistId: options.anilistId ?? null,
      titleRomaji: title,
      isSample: options.isSample ?? false,
      searchText: toSearchText([title]),
      keys: { create: { key: options.key } },
    },
  });
}

async function lockName(tx: Transaction, name: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`anime:${name}`}, 0))`;
}

function toSearchText(titles: readonly (string | null)[]): string {
  const folded = titles.flatMap((title) => (title === null ? [] : [foldTitle(title)]));
  return `\n${[...new Set(folded)].join("\n")}\n`;
}

function foldTitle(title: string): string {
  return title.normalize("NFKC").toLowerCase().replace(/\s+/gu, " ").trim();
}

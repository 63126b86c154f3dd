import { type NewAuditEntry, recordAudit } from "../accounts/audit.ts";
import type { Reader } from "../connection/open-replicas.ts";
import { runTransaction } from "../connection/run-transaction.ts";
import type { Anime as AnimeRow, PrismaClient } from "../generated/client.ts";
import { escapeLike } from "../text-filters.ts";
import {
  combineEdits,
  findCurrentId,
  foldTitle,
  lockAnimeRows,
  mergeAnime,
  mergedKey,
  mergeWithMetadata,
  toSearchText,
} from "./anime-merge.ts";
import {
  type AnimeDetails,
  type AnimeToFind,
  findOrCreateAnime,
  lockAnimeName,
} from "./find-or-create-anime.ts";
import { replaceAnilistId } from "./replace-anilist-id.ts";

/** A page of an anime on a site that streams it. */
export type AnimeLink = { site: string; url: string };

/** One work as it is stored; null where unknown. */
export type Anime = AnimeDetails & {
  id: string;
  anilistId: number | null;
  /** The address of the cover at the metadata source. */
  coverUrl: string | null;
  /** Identifies the stored cover; null without one. */
  coverVersion: string | null;
  studios: string[];
  /** Where it can be watched. */
  links: AnimeLink[];
  /** When the links were last read; null if they never were. */
  linksAt: Date | null;
  isSample: boolean;
  /** When metadata was last applied; null while only a file name is known. */
  metadataAt: Date | null;
};

/** The data of a metadata source about one anime. */
export type AnimeMetadata = Omit<
  Anime,
  "id" | "isSample" | "metadataAt" | "coverVersion" | "studios" | "links" | "linksAt"
> & {
  studios?: string[];
  /** Undefined: the source has no links, and the stored ones stay. */
  links?: readonly AnimeLink[];
};

/** The fields of an anime that an operator edits; without an AniList id the known one stays. */
export type AnimeEdit = Pick<Anime, "titleRomaji" | "titleEnglish" | "titleNative" | "isAdult"> & {
  anilistId?: number | null | undefined;
};

/** The anime of the indexed files. */
export function createAnime(prisma: PrismaClient, read: Reader) {
  return {
    /**
     * Finds the anime that owns `key` (a normalised title, or "anilist:21") or the AniList id, or creates it.
     * Concurrent calls for the same anime return the same row. `title` is the romaji title of a new anime, and
     * `details` replace it.
     */
    async findOrCreate(options: AnimeToFind): Promise<Anime> {
      return toAnime(await runTransaction(prisma, (tx) => findOrCreateAnime(tx, options)));
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

    /**
     * The anime with these ids, by requested id, from a replica; a merged anime is represented by the remaining
     * one.
     */
    async resolve(ids: readonly string[]): Promise<Map<string, Anime>> {
      return await read(
        (client) => resolve(client, ids),
        (found) => ids.every((id) => found.has(id)),
      );
    },

    /**
     * Anime with a searchable episode and a title or synonym that contains `query` (case and width ignored),
     * best first. Read from replicas.
     */
    async search(options: { query: string; limit: number }): Promise<Anime[]> {
      const query = escapeLike(foldTitle(options.query));
      const rows = await read(
        (client) => client.$queryRaw<AnimeRow[]>`
          SELECT a.* FROM "Anime" a
          WHERE a."searchText" LIKE ${`%${query}%`}
            AND EXISTS (
              SELECT 1 FROM "Episode" e JOIN "DescriptorSet" s ON s."episodeId" = e."id"
              WHERE e."animeId" = a."id" AND s."seq" IS NOT NULL)
          ORDER BY a."searchText" LIKE ${`%\n${query}\n%`} DESC,
                   a."searchText" LIKE ${`%\n${query}%`} DESC,
                   a."searchText" LIKE ${`% ${query}%`} DESC,
                   length(a."searchText"), a."searchText", a."id"
          LIMIT ${options.limit}`,
      );
      return rows.map(toAnime);
    },

    /**
     * Writes metadata to an anime. When another anime has this AniList id, the two are merged and episodes,
     * keys, counts and edits move to the other one. Returns the remaining anime, or undefined when `id` is
     * unknown.
     */
    async applyMetadata(id: string, metadata: AnimeMetadata): Promise<Anime | undefined> {
      return await runTransaction(prisma, async (tx) => {
        if (metadata.anilistId !== null) await lockAnimeName(tx, `anilist:${metadata.anilistId}`);
        const twin =
          metadata.anilistId === null
            ? null
            : await tx.anime.findUnique({ where: { anilistId: metadata.anilistId } });
        const present = await lockAnimeRows(tx, twin === null ? [id] : [id, twin.id]);
        if (!present.has(id)) return undefined;
        const remainingId = twin !== null && present.has(twin.id) ? twin.id : id;
        const merging = remainingId === id ? undefined : await tx.anime.findUniqueOrThrow({ where: { id } });
        if (merging !== undefined) await mergeAnime(tx, id, remainingId);
        const { studios = [], links, ...facts } = metadata;
        const known = await tx.anime.findUniqueOrThrow({ where: { id: remainingId } });
        const edited = combineEdits(merging, known);
        const remaining = await tx.anime.update({
          where: { id: remainingId },
          data: {
            ...facts,
            studios,
            ...(links !== undefined && {
              linkSites: links.map(({ site }) => site),
              linkUrls: links.map(({ url }) => url),
              linksAt: new Date(),
            }),
            ...edited,
            searchText: toSearchText({ ...facts, ...edited }),
            metadataAt: new Date(),
          },
        });
        return toAnime(remaining);
      });
    },

    /**
     * Replaces titles, adult flag and AniList id of an anime. Metadata that is applied later keeps the changed
     * titles and flag; after a new id, the metadata of that id replaces the rest. Undefined for an unknown anime.
     * Throws AnilistIdTakenError.
     */
    async edit(id: string, edit: AnimeEdit, audit?: NewAuditEntry): Promise<Anime | undefined> {
      return await runTransaction(prisma, async (tx) => {
        if (edit.anilistId != null) await lockAnimeName(tx, `anilist:${edit.anilistId}`);
        await lockAnimeRows(tx, [id]);
        const known = await tx.anime.findUnique({ where: { id } });
        if (known === null) return undefined;
        if (audit) await recordAudit(tx, audit);
        const ids = await replaceAnilistId(tx, known, edit.anilistId);
        const names = ["titleRomaji", "titleEnglish", "titleNative", "isAdult"] as const;
        const changed = names.filter((name) => known[name] !== edit[name]);
        const { titleRomaji, titleEnglish, titleNative, isAdult } = edit;
        const titles = { titleRomaji, titleEnglish, titleNative };
        const row = await tx.anime.update({
          where: { id },
          data: {
            ...titles,
            ...ids,
            isAdult,
            editedFields: [...new Set([...known.editedFields, ...changed])],
            searchText: toSearchText({ ...titles, synonyms: known.synonyms }),
          },
        });
        return toAnime(row);
      });
    },

    /**
     * Merges the anime `id` into `intoId` in one transaction: episodes, keys, counts and recent searches
     * move. Both ids can be those of anime that were merged earlier; a repeated call changes nothing. Returns
     * the remaining anime; undefined when one of them is unknown.
     */
    async merge(id: string, intoId: string, audit?: NewAuditEntry): Promise<Anime | undefined> {
      return await runTransaction(prisma, async (tx) => {
        for (;;) {
          const mergedId = await findCurrentId(tx, id);
          const remainingId = await findCurrentId(tx, intoId);
          if (mergedId === undefined || remainingId === undefined) return undefined;
          const present = await lockAnimeRows(tx, [mergedId, remainingId]);
          // Another transaction merged or deleted one of them before the lock.
          if (!present.has(mergedId) || !present.has(remainingId)) continue;
          if (mergedId !== remainingId) {
            if (audit) await recordAudit(tx, audit);
            const merged = await tx.anime.findUniqueOrThrow({ where: { id: mergedId } });
            const into = await tx.anime.findUniqueOrThrow({ where: { id: remainingId } });
            await mergeWithMetadata(tx, merged, into);
          }
          return toAnime(await tx.anime.findUniqueOrThrow({ where: { id: remainingId } }));
        }
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
  const {
    searchText: _text,
    touchedAt: _touchedAt,
    editedFields: _fields,
    linkSites,
    linkUrls,
    ...anime
  } = row;
  const links = linkSites.flatMap((site, at) => {
    const url = linkUrls[at];
    return url === undefined ? [] : [{ site, url }];
  });
  return { ...anime, links };
}

async function resolve(prisma: PrismaClient, ids: readonly string[]): Promise<Map<string, Anime>> {
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
}

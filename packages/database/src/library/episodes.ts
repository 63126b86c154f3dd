import { type NewAuditEntry, recordAudit } from "../accounts/audit.ts";
import { isUniqueViolation } from "../connection/database-errors.ts";
import type { Query, QueryReader } from "../connection/query.ts";
import { runTransaction, type Transaction } from "../connection/run-transaction.ts";
import { createId } from "../create-id.ts";
import { PathTakenError } from "../errors.ts";
import type { PrismaClient } from "../generated/client.ts";
import { lockAnime } from "../searches/search-counts.ts";
import { createDescriptors } from "./descriptors.ts";
import { createEpisodeClaims } from "./episode-claims.ts";
import { createEpisodeLabels } from "./episode-labels.ts";
import {
  animeColumns,
  compareEpisodes,
  type Episode,
  type EpisodeWithAnime,
  episodeColumns,
  type JoinedRow,
  splitRow,
  toEpisode,
  toEpisodeWithAnime,
} from "./episode-row.ts";
import { takeChangeSeqs } from "./library-changes.ts";

/** The facts about an episode that its file name contains. */
export type EpisodeNaming = {
  animeId: string;
  season: number | null;
  number: string | null;
  title: string | null;
};

/** The facts that indicate a changed file; times are in whole milliseconds. */
export type FileFacts = { path: string; fileName: string; sizeBytes: number; modifiedAtMs: number };

/** The episodes, their claims and their descriptors. */
export function createEpisodes(prisma: PrismaClient, query: Query, read: QueryReader) {
  return {
    ...createEpisodeClaims(prisma),
    ...createDescriptors(prisma, query),
    ...createEpisodeLabels(prisma),

    /**
     * The episode at `file.path`, created as pending when it is missing. An existing one receives the new
     * naming and keeps the file facts of its published content. One that an operator edited keeps its naming
     * too, unless `isExplicit`: the user named the episode.
     */
    async upsertPending(
      file: FileFacts &
        EpisodeNaming & {
          isSample?: boolean | undefined;
          isExplicit?: boolean | undefined;
          packName?: string | undefined;
        },
    ): Promise<Episode> {
      const { path, fileName, season, number, title, isExplicit = false } = file;
      return await runTransaction(prisma, async (tx) => {
        const animeId = await lockCurrentAnime(tx, file.animeId);
        await tx.$queryRaw`SELECT 1 FROM "Episode" WHERE "path" = ${path} FOR UPDATE`;
        const known = await tx.episode.findUnique({ where: { path }, select: { isEdited: true } });
        const isNamingFixed = known?.isEdited === true && !isExplicit;
        const row = await tx.episode.upsert({
          where: { path },
          create: {
            id: createId(),
            path,
            fileName,
            animeId,
            season,
            number,
            title,
            sizeBytes: BigInt(file.sizeBytes),
            modifiedAtMs: BigInt(file.modifiedAtMs),
            isSample: file.isSample ?? false,
            packName: file.packName ?? null,
          },
          update: {
            ...(!isNamingFixed && { animeId, season, number, title, isEdited: false }),
            ...(file.isSample !== undefined && { isSample: file.isSample }),
          },
        });
        return toEpisode(row);
      });
    },

    /**
     * Replaces season, number and title of an episode. Later runs over its file keep them. Undefined for an
     * unknown episode.
     */
    async edit(
      id: string,
      edit: Omit<EpisodeNaming, "animeId">,
      audit?: NewAuditEntry,
    ): Promise<EpisodeWithAnime | undefined> {
      const { season, number, title } = edit;
      return await runTransaction(prisma, async (tx) => {
        const data = { season, number, title, isEdited: true };
        if ((await tx.episode.updateMany({ where: { id }, data })).count === 0) return undefined;
        if (audit) await recordAudit(tx, audit);
        return toEpisodeWithAnime(
          await tx.episode.findUniqueOrThrow({ where: { id }, include: { anime: true } }),
        );
      });
    },

    /**
     * Replaces anime, season, number and title of episodes, each as `edit` does and all or none; omitted parts stay. Unknown ids are
     * ignored.
     */
    async rename(episodes: readonly { id: string; naming: Partial<EpisodeNaming> }[]): Promise<void> {
      await runTransaction(prisma, async (tx) => {
        const animeIds = new Map<string, string>();
        for (const { animeId } of episodes.map(({ naming }) => naming)) {
          if (animeId !== undefined && !animeIds.has(animeId))
            animeIds.set(animeId, await lockCurrentAnime(tx, animeId));
        }
        for (const { id, naming } of episodes) {
          const animeId = naming.animeId === undefined ? undefined : animeIds.get(naming.animeId);
          const data = { ...naming, isEdited: true, ...(animeId !== undefined && { animeId }) };
          await tx.episode.updateMany({ where: { id }, data });
        }
      });
    },

    /** Stores new file facts for unchanged content. */
    async refreshFile(id: string, facts: { sizeBytes: number; modifiedAtMs: number }): Promise<void> {
      await prisma.episode.updateMany({
        where: { id },
        data: { sizeBytes: BigInt(facts.sizeBytes), modifiedAtMs: BigInt(facts.modifiedAtMs) },
      });
    },

    /**
     * Changes the path of an episode to that of a video; omitted parts of the naming stay. A row at the new path is deleted when
     * it was never published and is not claimed; otherwise the call throws PathTakenError.
     */
    async move(id: string, to: FileFacts & Partial<EpisodeNaming>): Promise<void> {
      await runTransaction(prisma, async (tx) => {
        const animeId = to.animeId === undefined ? undefined : await lockCurrentAnime(tx, to.animeId);
        await clearPath(tx, id, to.path);
        const { sizeBytes, modifiedAtMs, animeId: _animeId, ...rest } = to;
        const facts = { sizeBytes: BigInt(sizeBytes), modifiedAtMs: BigInt(modifiedAtMs), packName: null };
        const data = { ...rest, ...facts };
        await tx.episode.updateMany({
          where: { id },
          data: { ...data, ...(animeId !== undefined && { animeId }) },
        });
      }).catch((error: unknown) => {
        // Another transaction took the path after it was cleared.
        throw isUniqueViolation(error) ? new PathTakenError(to.path) : error;
      });
    },

    /**
     * Assigns episodes to another anime (a season that metadata lists as a work of its own), except those
     * that an operator edited.
     */
    async reassign(ids: readonly string[], to: { animeId: string; season: number | null }): Promise<void> {
      await runTransaction(prisma, async (tx) => {
        const animeId = await lockCurrentAnime(tx, to.animeId);
        const where = { id: { in: [...ids] }, isEdited: false };
        await tx.episode.updateMany({ where, data: { animeId, season: to.season } });
      });
    },

    /**
     * Deletes episodes and their descriptors, and stores tombstones for followers. Returns the number of
     * deleted episodes.
     */
    async remove(ids: readonly string[]): Promise<number> {
      return await runTransaction(prisma, async (tx) => {
        const where = { id: { in: [...ids] } };
        const known = await tx.episode.findMany({ where, select: { id: true }, orderBy: { id: "asc" } });
        if (known.length === 0) return 0;
        // A publisher locks the rows first and the counter second too; the same order prevents deadlocks.
        const { count } = await tx.episode.deleteMany({ where });
        const last = await takeChangeSeqs(tx, known.length);
        const first = last - BigInt(known.length - 1);
        await tx.removedEpisode.createMany({
          data: known.map((episode, index) => ({ seq: first + BigInt(index), episodeId: episode.id })),
        });
        return count;
      });
    },

    /** The episode with this id. */
    async find(id: string): Promise<Episode | undefined> {
      const row = await prisma.episode.findUnique({ where: { id } });
      return row === null ? undefined : toEpisode(row);
    },

    /** These episodes with their anime, from a replica, in no particular order; unknown ids are omitted. */
    async findMany(ids: readonly string[]): Promise<EpisodeWithAnime[]> {
      if (ids.length === 0) return [];
      const rows = await read(
        `SELECT ${episodeColumns}, ${animeColumns} FROM "Episode" e JOIN "Anime" a ON a."id" = e."animeId"
         WHERE e."id" = ANY ($1)`,
        [ids],
        (found: JoinedRow[]) => found.length === new Set(ids).size,
      );
      return rows.map((row) => toEpisodeWithAnime(splitRow(row)));
    },

    /** The episode at an absolute path. */
    async findByPath(path: string): Promise<Episode | undefined> {
      const row = await prisma.episode.findUnique({ where: { path } });
      return row === null ? undefined : toEpisode(row);
    },

    /** The episodes at these absolute paths, in no particular order. */
    async findByPaths(paths: readonly string[]): Promise<Episode[]> {
      return (await prisma.episode.findMany({ where: { path: { in: [...paths] } } })).map(toEpisode);
    },

    /** Published episodes with this content. */
    async findByContentHash(contentHash: string): Promise<Episode[]> {
      return (await prisma.episode.findMany({ where: { contentHash }, orderBy: { id: "asc" } })).map(
        toEpisode,
      );
    },

    /**
     * All episodes with their anime, ordered by anime, season, number (2 before 10) and path; with `ids`
     * those that have one of the ids, or whose anime has one.
     */
    async list(
      options: { animeId?: string; isSample?: boolean; ids?: readonly string[] } = {},
    ): Promise<EpisodeWithAnime[]> {
      const { ids, ...equal } = options;
      const named = ids && { in: [...ids] };
      const where = { ...equal, ...(named && { OR: [{ id: named }, { animeId: named }] }) };
      const rows = await prisma.episode.findMany({ where, include: { anime: true } });
      return rows.sort(compareEpisodes).map(toEpisodeWithAnime);
    },
  };
}

/**
 * The id of an anime, or of the one that it was merged into after the caller read the id. The anime is locked
 * against merging until the transaction ends.
 */
async function lockCurrentAnime(tx: Transaction, id: string): Promise<string> {
  return (await lockAnime(tx, [id])).get(id) ?? id;
}

async function clearPath(tx: Transaction, id: string, path: string): Promise<void> {
  const present = await tx.episode.findUnique({ where: { path } });
  if (present === null || present.id === id) return;
  const removed = await tx.$executeRaw`
    DELETE FROM "Episode" e WHERE e."id" = ${present.id}
      AND (e."claimToken" IS NULL OR e."claimExpiresAt" < clock_timestamp())
      AND NOT EXISTS (SELECT 1 FROM "DescriptorSet" s WHERE s."episodeId" = e."id" AND s."seq" IS NOT NULL)`;
  if (removed === 0) throw new PathTakenError(path);
}

import { type Anime, toAnime } from "./anime.ts";
import { createId } from "./create-id.ts";
import { createDescriptors } from "./descriptors.ts";
import { createEpisodeClaims } from "./episode-claims.ts";
import { PathTakenError } from "./errors.ts";
import type { Anime as AnimeRow, Episode as EpisodeRow, PrismaClient } from "./generated/client.ts";
import { takeChangeSeqs } from "./library-changes.ts";
import { runTransaction, type Transaction } from "./run-transaction.ts";

/** `pending`: never indexed; `indexing`: claimed; `ready`: published; `failed`: the last attempt failed. */
export type EpisodeState = "pending" | "indexing" | "ready" | "failed";

/** One film file. Size, time, hash, duration and frames are those of the content that was published last. */
export type Episode = {
  id: string;
  animeId: string;
  season: number | null;
  /** "3", or what is not a number: "13.5", "OVA 2", "1-2". */
  number: string | null;
  title: string | null;
  /** Absolute, unique. */
  path: string;
  fileName: string;
  sizeBytes: number;
  modifiedAtMs: number;
  /** Null until published once. */
  contentHash: string | null;
  state: EpisodeState;
  /** Why the last attempt failed, a plain sentence. */
  problem: string | null;
  durationSeconds: number | null;
  frameCount: number;
  isSample: boolean;
  indexedAt: Date | null;
};

/** What a file name tells about an episode. */
export type EpisodeNaming = {
  animeId: string;
  season: number | null;
  number: string | null;
  title: string | null;
};

/** The facts about a file that tell whether it changed; times in whole milliseconds. */
export type FileFacts = { path: string; fileName: string; sizeBytes: number; modifiedAtMs: number };

/** The episodes, their claims and their descriptors. */
export type EpisodeStore = ReturnType<typeof createEpisodes>;

export function createEpisodes(prisma: PrismaClient) {
  return {
    ...createEpisodeClaims(prisma),
    ...createDescriptors(prisma),

    /**
     * The episode at `file.path`, created as pending when there is none. A known one gets the new naming; its file
     * facts stay those of the published content.
     */
    async upsertPending(
      file: FileFacts & EpisodeNaming & { isSample?: boolean | undefined },
    ): Promise<Episode> {
      const { path, fileName, animeId, season, number, title } = file;
      const row = await prisma.episode.upsert({
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
        },
        update: {
          animeId,
          season,
          number,
          title,
          ...(file.isSample !== undefined && { isSample: file.isSample }),
        },
      });
      return toEpisode(row);
    },

    /** Records new file facts for content that did not change. */
    async refreshFile(id: string, facts: { sizeBytes: number; modifiedAtMs: number }): Promise<void> {
      await prisma.episode.updateMany({
        where: { id },
        data: { sizeBytes: BigInt(facts.sizeBytes), modifiedAtMs: BigInt(facts.modifiedAtMs) },
      });
    },

    /**
     * The file of an episode now stands elsewhere; what is left out of the naming stays. A row at the new path that was
     * never published and is not claimed gives way, any other throws PathTakenError.
     */
    async move(id: string, to: FileFacts & Partial<EpisodeNaming>): Promise<void> {
      await runTransaction(prisma, async (tx) => {
        await clearPath(tx, id, to.path);
        const { sizeBytes, modifiedAtMs, ...rest } = to;
        const data = { ...rest, sizeBytes: BigInt(sizeBytes), modifiedAtMs: BigInt(modifiedAtMs) };
        await tx.episode.updateMany({ where: { id }, data });
      });
    },

    /** Gives episodes to another anime (a season that metadata lists as its own). */
    async reassign(ids: readonly string[], to: { animeId: string; season: number | null }): Promise<void> {
      await prisma.episode.updateMany({ where: { id: { in: [...ids] } }, data: to });
    },

    /** Deletes episodes and their descriptors, leaving tombstones for those who follow the changes. Gives how many existed. */
    async remove(ids: readonly string[]): Promise<number> {
      return await runTransaction(prisma, async (tx) => {
        const where = { id: { in: [...ids] } };
        const known = await tx.episode.findMany({ where, select: { id: true }, orderBy: { id: "asc" } });
        if (known.length === 0) return 0;
        // First the rows, then the counter: a publisher takes its locks in this order too.
        const { count } = await tx.episode.deleteMany({ where });
        const last = await takeChangeSeqs(tx, known.length);
        const first = last - BigInt(known.length - 1);
        await tx.removedEpisode.createMany({
          data: known.map((episode, index) => ({ seq: first + BigInt(index), episodeId: episode.id })),
        });
        return count;
      });
    },

    /** The episode of this id. */
    async find(id: string): Promise<Episode | undefined> {
      const row = await prisma.episode.findUnique({ where: { id } });
      return row === null ? undefined : toEpisode(row);
    },

    /** These episodes with their anime, in no order; unknown ids are left out. */
    async findMany(ids: readonly string[]): Promise<EpisodeWithAnime[]> {
      const rows = await prisma.episode.findMany({
        where: { id: { in: [...ids] } },
        include: { anime: true },
      });
      return rows.map(toEpisodeWithAnime);
    },

    /** The episode at an absolute path. */
    async findByPath(path: string): Promise<Episode | undefined> {
      const row = await prisma.episode.findUnique({ where: { path } });
      return row === null ? undefined : toEpisode(row);
    },

    /** The episodes at these absolute paths, in no order. */
    async findByPaths(paths: readonly string[]): Promise<Episode[]> {
      return (await prisma.episode.findMany({ where: { path: { in: [...paths] } } })).map(toEpisode);
    },

    /** Published episodes of this content. */
    async findByContentHash(contentHash: string): Promise<Episode[]> {
      return (await prisma.episode.findMany({ where: { contentHash }, orderBy: { id: "asc" } })).map(
        toEpisode,
      );
    },

    /** All episodes with their anime, ordered by anime, season, number (2 before 10) and path. */
    async list(where: { animeId?: string; isSample?: boolean } = {}): Promise<EpisodeWithAnime[]> {
      const rows = await prisma.episode.findMany({ where, include: { anime: true } });
      return rows.sort(compareEpisodes).map(toEpisodeWithAnime);
    },
  };
}

/** An episode and the anime it belongs to. */
export type EpisodeWithAnime = Episode & { anime: Anime };

function toEpisode(row: EpisodeRow): Episode {
  const { claimToken: _token, claimOwner: _owner, claimExpiresAt, ...episode } = row;
  // Whoever claimed it was killed: it is what it was before, until somebody claims it again.
  const isLeaseExpired = row.state === "indexing" && (claimExpiresAt === null || claimExpiresAt < new Date());
  const before = row.contentHash === null ? "pending" : "ready";
  return {
    ...episode,
    state: isLeaseExpired ? before : row.state,
    sizeBytes: Number(row.sizeBytes),
    modifiedAtMs: Number(row.modifiedAtMs),
  };
}

/** A row with its anime, as it is told. */
export function toEpisodeWithAnime({ anime, ...row }: EpisodeRow & { anime: AnimeRow }): EpisodeWithAnime {
  return { ...toEpisode(row), anime: toAnime(anime) };
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

const collator = new Intl.Collator("en", { numeric: true });

function compareEpisodes(a: EpisodeRow & { anime: AnimeRow }, b: EpisodeRow & { anime: AnimeRow }): number {
  return (
    collator.compare(a.anime.searchText, b.anime.searchText) ||
    collator.compare(a.animeId, b.animeId) ||
    (a.season ?? 0) - (b.season ?? 0) ||
    collator.compare(a.number ?? "", b.number ?? "") ||
    collator.compare(a.path, b.path)
  );
}

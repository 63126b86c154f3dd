import { type Anime, toAnime } from "./anime.ts";
import { createId } from "./create-id.ts";
import { ClaimLostError, PathTakenError } from "./errors.ts";
import type { Anime as AnimeRow, Episode as EpisodeRow, PrismaClient } from "./generated/client.ts";
import { nextChangeSeq } from "./library-changes.ts";
import { runTransaction } from "./run-transaction.ts";

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

/** The right to index one episode, held until it expires unless renewed. */
export type EpisodeClaim = { episodeId: string; token: string };

/** The episodes, their claims and their descriptors. */
export type EpisodeStore = ReturnType<typeof createEpisodes>;

export function createEpisodes(prisma: PrismaClient) {
  return {
    /** The episode at `file.path`, created as pending when there is none. A known one gets the new naming; its file facts stay those published. */
    async upsertPending(file: FileFacts & EpisodeNaming & { isSample?: boolean }): Promise<Episode> {
      throw new Error("not written");
    },

    /** Takes the right to index an episode for `leaseSeconds`; undefined while another holds it or the episode is gone. */
    async claim(id: string, holder: { owner: string; leaseSeconds: number }): Promise<EpisodeClaim | undefined> {
      throw new Error("not written");
    },

    /** Prolongs a claim; false when it is lost. */
    async renew(claim: EpisodeClaim, leaseSeconds: number): Promise<boolean> {
      throw new Error("not written");
    },

    /** Gives a claim up unused (interrupted): staged descriptors go, the episode is again what it was. */
    async release(claim: EpisodeClaim): Promise<void> {
      throw new Error("not written");
    },

    /** Ends a claim with a problem. Descriptors published earlier stay in service. */
    async fail(claim: EpisodeClaim, problem: string): Promise<void> {
      throw new Error("not written");
    },

    /** Stores descriptors that nobody sees until `publish`; chunks of at most 256 KiB. Throws ClaimLostError. */
    async stageDescriptors(
      claim: EpisodeClaim,
      set: { modelId: string; frameTable: Uint8Array; frameCount: number; chunks: readonly Uint8Array[] },
    ): Promise<string> {
      throw new Error("not written");
    },

    /** In one transaction: the staged set replaces the earlier one, facts are written, the change gets its place in the order, the claim ends. Throws ClaimLostError. */
    async publish(
      claim: EpisodeClaim,
      published: { setId: string; sizeBytes: number; modifiedAtMs: number; contentHash: string; durationSeconds: number },
    ): Promise<void> {
      throw new Error("not written");
    },

    /** Records new file facts for unchanged content. */
    async refreshFile(id: string, facts: { sizeBytes: number; modifiedAtMs: number }): Promise<void> {
      throw new Error("not written");
    },

    /** The file of an episode now stands elsewhere. An unused row at the new path gives way, one in use throws PathTakenError. */
    async moved(id: string, to: FileFacts & Partial<EpisodeNaming>): Promise<void> {
      throw new Error("not written");
    },

    /** Gives episodes to another anime (a season that metadata lists as its own). */
    async reassign(ids: readonly string[], to: { animeId: string; season: number | null }): Promise<void> {
      throw new Error("not written");
    },

    /** Deletes episodes and their descriptors, leaving tombstones for those who follow the changes. Gives how many existed. */
    async remove(ids: readonly string[]): Promise<number> {
      throw new Error("not written");
    },

    async get(id: string): Promise<Episode | undefined> {
      throw new Error("not written");
    },

    /** These episodes with their anime, in no order; unknown ids are left out. */
    async getMany(ids: readonly string[]): Promise<(Episode & { anime: Anime })[]> {
      throw new Error("not written");
    },

    async findByPath(path: string): Promise<Episode | undefined> {
      throw new Error("not written");
    },

    async findByPaths(paths: readonly string[]): Promise<Episode[]> {
      throw new Error("not written");
    },

    /** Published episodes of this content. */
    async findByContentHash(contentHash: string): Promise<Episode[]> {
      throw new Error("not written");
    },

    /** All episodes with their anime, ordered by title of the anime, season, number and path. */
    async list(where?: { animeId?: string; isSample?: boolean }): Promise<(Episode & { anime: Anime })[]> {
      throw new Error("not written");
    },

    /** Ids of the episodes of one anime that are searchable. */
    async listReadyIds(animeId: string): Promise<string[]> {
      throw new Error("not written");
    },

    /** Everything searchable with this model, in the order of publication. */
    async listReady(modelId: string): Promise<{ episodeId: string; seq: bigint }[]> {
      throw new Error("not written");
    },

    /** Episodes that were published with another model only. */
    async listStale(modelId: string): Promise<Episode[]> {
      throw new Error("not written");
    },

    /** Published descriptors; undefined when there are none of this model, or parts are missing. */
    async readDescriptors(
      episodeId: string,
      modelId: string,
    ): Promise<{ frameTable: Uint8Array; chunks: Uint8Array[] } | undefined> {
      throw new Error("not written");
    },

    /** Deletes staged descriptors whose claim ended. */
    async collectGarbage(): Promise<void> {
      throw new Error("not written");
    },
  };
}

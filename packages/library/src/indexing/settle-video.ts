import { randomUUID } from "node:crypto";
import { stat } from "node:fs/promises";
import { hostname } from "node:os";
import { basename } from "node:path";
import {
  ClaimLostError,
  type Episode,
  type EpisodeClaim,
  type EpisodeNaming,
  PathTakenError,
} from "@koma/database";
import {
  asVideoProblem,
  describeVideo,
  type IndexingParts,
  type LocalVideo,
  publishVideo,
  type VideoDescription,
  VideoProblem,
} from "./describe-video.ts";
import type { FoundVideo } from "./discover-videos.ts";
import { hashVideo } from "./hash-video.ts";
import { holdClaim, leaseSeconds } from "./hold-claim.ts";
import type { IndexEvent } from "./index-event.ts";
import { isThere, type PathMapping, samePaths } from "./path-mapping.ts";
import { isNamed, type VideoNaming } from "./video-naming.ts";

export type SettlerParts = IndexingParts & {
  naming: VideoNaming;
  /** Ids of episodes whose descriptors are not those of the current model or version. */
  stale: ReadonlySet<string>;
  /** Undefined keeps what is stored. */
  isSample: boolean | undefined;
  force: boolean;
  /** See IndexOptions. */
  fast: boolean;
  /** Where this machine reads the videos. Default: at their stored paths. */
  mapping?: PathMapping | undefined;
};

/** What a run passes for each of its videos. */
export type Settling = { onEvent: (event: IndexEvent) => void; signal: AbortSignal };
type HashedVideo = LocalVideo & { contentHash: string };

/**
 * Returns a function that synchronises the library with one video, or returns "busy" when another indexer
 * holds it. The process may be killed at every step: the next run finds the video at its old or at its new
 * path.
 */
export function createVideoSettler(parts: SettlerParts) {
  const { database, stills, naming, stale, isSample, force, fast, mapping = samePaths } = parts;
  const owner = `${hostname()} ${process.pid} ${randomUUID()}`;
  const wasBusy = new Set<string>();
  let moving: Promise<unknown> = Promise.resolve();

  return async function settle(found: FoundVideo, o: Settling): Promise<"settled" | "busy"> {
    try {
      return await settleOrThrow(found, o);
    } catch (error) {
      o.signal.throwIfAborted();
      if (!(error instanceof VideoProblem)) throw error;
      const isPermanent = error.isDamaged && (await isUnchanged(found));
      const { message: problem, output } = error;
      o.onEvent({ kind: "failed", file: found.path, problem, isPermanent, ...(output && { output }) });
      return "settled";
    }
  };

  async function settleOrThrow(found: FoundVideo, o: Settling): Promise<"settled" | "busy"> {
    o.signal.throwIfAborted();
    const video = await asVideoProblem(o.signal, () => readFacts(found.path));
    const row = await database.episodes.findByPath(video.path);
    if (row !== undefined && isServed(row) && isPublished(row, video))
      return await settleUnchanged(row, video, o);

    const contentHash = await asVideoProblem(o.signal, () => hashVideo(video.localPath, o.signal));
    const hashed = { ...video, contentHash };
    if (row !== undefined && isServed(row) && row.state === "ready" && row.contentHash === contentHash) {
      await database.episodes.refreshFile(row.id, video);
      return await settleUnchanged(row, video, o);
    }
    const moved = await oneMoveAtATime(() => adoptMoved(hashed, row));
    if (moved !== undefined) {
      o.onEvent({ kind: "moved", file: video.path, from: moved.path, episodeId: moved.id });
      if (isServed(moved)) return "settled";
    }
    return await index(hashed, moved ?? row, o);
  }

  /** True when descriptors of the current model are stored. */
  function isServed(row: Episode): boolean {
    return !force && !stale.has(row.id);
  }

  async function settleUnchanged(row: Episode, video: FoundVideo, o: Settling): Promise<"settled"> {
    if (naming.isExplicit) {
      const named = await naming.resolve(video.path);
      if (!isNamed(row, named)) {
        await database.episodes.upsertPending(toPending(video, named));
        o.onEvent({ kind: "updated", file: video.path, episodeId: row.id });
        return "settled";
      }
    }
    const reason = wasBusy.has(video.path) ? "indexed_elsewhere" : "unchanged";
    o.onEvent({ kind: "skipped", file: video.path, reason });
    return "settled";
  }

  /**
   * Moves the episode with this content whose file no longer exists, or that was imported from a pack, to the new
   * path; undefined without such an episode.
   */
  async function adoptMoved(video: HashedVideo, row: Episode | undefined): Promise<Episode | undefined> {
    const twins = await database.episodes.findByContentHash(video.contentHash);
    for (const twin of twins) {
      if (twin.path === video.path || twin.state !== "ready") continue;
      if (twin.packName === null && (await isThere(twin.path, mapping))) continue;
      // The moved video has overwritten the video at this path.
      if (row !== undefined && row.contentHash !== null) {
        await database.episodes.remove([row.id]);
        await stills.remove([row.id]);
      }
      const to = { ...toFile(video), ...(await movedNaming(twin, video.path)) };
      if (await database.episodes.move(twin.id, to).then(() => true, isPathTaken)) return twin;
    }
    return undefined;
  }

  /**
   * Returns the naming after a move: the parts from the old name are read from the new one, the user's stay.
   */
  async function movedNaming(twin: Episode, path: string): Promise<Partial<EpisodeNaming>> {
    if (naming.isExplicit || (twin.packName === null && isNamed(twin, await naming.resolve(twin.path))))
      return await naming.resolve(path);
    return {};
  }

  function oneMoveAtATime<T>(move: () => Promise<T>): Promise<T> {
    const result = moving.then(move, move);
    moving = result.catch(() => undefined);
    return result;
  }

  function toPending(video: FoundVideo, named: EpisodeNaming) {
    return { ...toFile(video), ...named, isSample, isExplicit: naming.isExplicit };
  }

  async function index(
    video: HashedVideo,
    before: Episode | undefined,
    o: Settling,
  ): Promise<"settled" | "busy"> {
    const startedAtMs = performance.now();
    const named = await naming.resolve(video.path);
    const row = await database.episodes.upsertPending(toPending(video, named));
    const claim = await database.episodes.claim(row.id, { owner, leaseSeconds });
    if (claim === undefined) return busy(video);
    const now = await database.episodes.find(row.id);
    if (now?.indexedAt?.getTime() !== before?.indexedAt?.getTime()) {
      // Another indexer published it between the look-up and the claim: the look-up is repeated.
      await database.episodes.release(claim);
      busy(video);
      return await settleOrThrow(video, o);
    }
    try {
      const known = await parts.findDescription?.(video.contentHash);
      const done = await holdClaim(database, claim, o.signal, async (signal) => {
        const description = known ?? (await describe(video, { ...o, signal }));
        return await publishVideo(parts, claim, video, description, signal);
      });
      const elapsedSeconds = (performance.now() - startedAtMs) / 1000;
      const indexed = {
        kind: "indexed",
        file: video.path,
        episodeId: row.id,
        ...done,
        elapsedSeconds,
      } as const;
      o.onEvent(known === undefined ? indexed : { ...indexed, isLoaded: true });
    } catch (error) {
      if (error instanceof ClaimLostError) {
        if ((await database.episodes.find(row.id)) !== undefined) return busy(video);
        const problem = "The episode was removed while it was indexed.";
        o.onEvent({ kind: "failed", file: video.path, problem, isPermanent: true });
        return "settled";
      }
      await endClaim(claim, error);
      throw error;
    }
    await parts.detectLabels({ animeId: row.animeId, episodeId: row.id, signal: o.signal });
    return "settled";
  }

  async function describe(video: HashedVideo, o: Settling): Promise<VideoDescription> {
    const [engine, tools] = await Promise.all([parts.openEngine(), parts.getTools()]);
    return await describeVideo({ engine, tools }, video, { ...o, fast });
  }

  function busy(video: FoundVideo): "busy" {
    wasBusy.add(video.path);
    return "busy";
  }

  async function readFacts(path: string): Promise<LocalVideo> {
    const localPath = mapping.toLocal(path) ?? path;
    const facts = await stat(localPath);
    return { path, localPath, sizeBytes: facts.size, modifiedAtMs: Math.trunc(facts.mtimeMs) };
  }

  /** False when the file of a damaged video changed since, or cannot be read any more. */
  async function isUnchanged(found: FoundVideo): Promise<boolean> {
    const now = await readFacts(found.path).catch(() => undefined);
    return now?.sizeBytes === found.sizeBytes && now.modifiedAtMs === found.modifiedAtMs;
  }

  /** Stores that an unreadable video failed; after other errors releases the claim without a change. */
  async function endClaim(claim: EpisodeClaim, error: unknown): Promise<void> {
    const ended =
      error instanceof VideoProblem
        ? database.episodes.fail(claim, error.message)
        : database.episodes.release(claim);
    await ended.catch((ending: unknown) => {
      if (error instanceof VideoProblem && !(ending instanceof ClaimLostError)) throw ending;
    });
  }
}

/** True when the video on disk has the size and time of the published content. */
export function isPublished(row: Episode, video: FoundVideo): boolean {
  return (
    row.state === "ready" && row.sizeBytes === video.sizeBytes && row.modifiedAtMs === video.modifiedAtMs
  );
}

function toFile(video: FoundVideo): FoundVideo & { fileName: string } {
  const { path, sizeBytes, modifiedAtMs } = video;
  return { path, sizeBytes, modifiedAtMs, fileName: basename(path) };
}

/** Another indexer holds the episode of that path; this video waits for it as for any other. */
function isPathTaken(error: unknown): false {
  if (error instanceof PathTakenError) return false;
  throw error;
}

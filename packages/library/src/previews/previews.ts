import { createHash } from "node:crypto";
import { access, realpath, writeFile } from "node:fs/promises";
import { join, sep } from "node:path";
import type { Episode } from "@koma/database";
import { unlessAborted } from "@koma/image";
import {
  cutClip,
  extractStill,
  FfmpegMissingError,
  type FfmpegTools,
  UnreadableVideoError,
} from "@koma/media";
import { createPathMapping, type MappedRoot } from "../indexing/path-mapping.ts";
import { type BackFillParts, createBackFill } from "../stills/back-fill.ts";
import { createShotStills } from "../stills/shot-stills.ts";
import type { ShotTimes } from "../stills/still-set.ts";
import { createQueue } from "./create-queue.ts";
import { createFileCache } from "./file-cache.ts";
import { createPackPreviews } from "./pack-previews.ts";
import { PreviewBusyError, PreviewGoneError, PreviewUnavailableError } from "./preview-errors.ts";
import type { PreviewRequest, PreviewSize } from "./preview-requests.ts";

export type PreviewsOptions = {
  /** Folder of the cache; by default `previews` in the data folder. */
  cacheDir?: string | undefined;
  /** Size limit of the cache in bytes; the least recently used files are deleted first. Default 2 GiB. */
  limitBytes?: number | undefined;
  /** Concurrent ffmpeg processes. Default 2. */
  concurrency?: number | undefined;
  /** Stills, and clips, that may wait for a process; more throw PreviewBusyError. Default 32 each. */
  maxQueued?: number | undefined;
  /**
   * Time limit of one preview before PreviewBusyError: an unresponsive disk must not block all others.
   * Default 60 s.
   */
  timeoutMs?: number | undefined;
  /** Where the folders of the stored paths are here; only videos in them are read. Default: all. */
  roots?: readonly MappedRoot[] | undefined;
  /** Obtains previews of videos that this machine does not have. Default: they throw PreviewGoneError. */
  fetchPreview?: FetchPreview | undefined;
};

/**
 * Writes a preview from a machine that has the video at `path` to `outputFile`. Throws
 * PreviewUnavailableError, or PreviewGoneError if such a machine no longer has the video.
 */
export type FetchPreview = (o: {
  request: PreviewRequest;
  path: string;
  outputFile: string;
  signal: AbortSignal;
}) => Promise<void>;

export type StillOptions = {
  /** Default "m". */
  size?: PreviewSize | undefined;
  /**
   * Stops waiting for this caller; the preview is created in any case because other callers may wait for it.
   */
  signal?: AbortSignal | undefined;
};
export type ClipOptions = StillOptions & {
  /** Removes the sound; default false. */
  isMuted?: boolean | undefined;
};

/** Previews that are fetched from other machines at the same time, and that may wait for it. */
const fetchLimits = { concurrency: 16, maxQueued: 64 };

const stillWidths: Record<PreviewSize, number> = { s: 320, m: 640, l: 1280 };
const clipHeights: Record<PreviewSize, number> = { s: 180, m: 360, l: 720 };

/** The previews that are being created or wait, and the cache: bytes of its files, hits and misses so far. */
export type PreviewStatus = {
  running: number;
  waiting: number;
  cache: { bytes: number; hits: number; misses: number };
};

export type PreviewParts = BackFillParts & {
  /** The pack with previews of the sample clips. */
  samplePack: string | undefined;
  cacheDir: string;
};

/**
 * Opens stills and clips of indexed videos, created on demand and cached. Concurrent requests share one
 * preview.
 */
export function openPreviews(parts: PreviewParts, o: PreviewsOptions = {}) {
  const { database, getTools, cacheDir } = parts;
  const cache = createFileCache({
    folder: o.cacheDir ?? cacheDir,
    limitBytes: o.limitBytes ?? 2 * 1024 ** 3,
  });
  const { concurrency = 2, maxQueued = 32, timeoutMs = 60_000, fetchPreview } = o;
  const queue = createQueue({ concurrency, maxQueued, createBusyError: () => new PreviewBusyError() });
  const fetches = createQueue({ ...fetchLimits, createBusyError: () => new PreviewUnavailableError() });
  const findVideo = createVideoFinder(o.roots);
  const closing = new AbortController();
  const backFill = createBackFill(parts);
  const writeFromPack = createPackPreviews({ ...parts, stillWidths });
  const shotStills = createShotStills({ ...parts, onMissing: backFill.add });

  return {
    /** Returns the path of a JPEG of the frame at that time. Throws PreviewGoneError, PreviewBusyError. */
    async still(episodeId: string, atSeconds: number, options: StillOptions = {}): Promise<string> {
      const episode = await getEpisode(episodeId);
      const size = options.size ?? "m";
      const created = cache.get(stillName(episode, atSeconds, size), (path) =>
        create(episode, { kind: "still", episodeId, atSeconds, size }, path),
      );
      return await unlessAborted(created, options.signal);
    },

    /**
     * Returns the stored still of the shot at that time at once: a JPEG of at most 320 pixels, of another
     * frame of the shot. Undefined when none is stored, or when the exact still is in the cache. Throws
     * PreviewGoneError.
     */
    async findShotStill(
      episodeId: string,
      atSeconds: number,
      { size = "m" }: Pick<StillOptions, "size"> = {},
    ): Promise<Buffer | undefined> {
      const episode = await getEpisode(episodeId);
      if (await cache.has(stillName(episode, atSeconds, size))) return undefined;
      return await shotStills.find(episode, atSeconds);
    },

    /** Lists the shots with a stored still that overlap a range, in order. Throws PreviewGoneError. */
    async listShots(episodeId: string, range: ShotTimes): Promise<ShotTimes[]> {
      return await shotStills.list(await getEpisode(episodeId), range);
    },

    /**
     * Creates the missing stills of shots one after another at the lowest priority, and deletes those of
     * removed episodes. Resolves when all are stored; errors are logged.
     */
    backFillStills: (): Promise<void> => backFill.addMissing(),

    /**
     * Returns the path of an MP4 of the video between these times. Throws PreviewGoneError, PreviewBusyError.
     */
    async clip(
      episodeId: string,
      fromSeconds: number,
      toSeconds: number,
      options: ClipOptions = {},
    ): Promise<string> {
      const episode = await getEpisode(episodeId);
      const { size = "m", isMuted = false } = options;
      const name = cacheName(episode, ["clip", fromSeconds, toSeconds, size, isMuted], "mp4");
      const created = cache.get(name, (path) =>
        create(episode, { kind: "clip", episodeId, fromSeconds, toSeconds, size, isMuted }, path),
      );
      return await unlessAborted(created, options.signal);
    },

    /** True if this machine has the video of the episode. */
    async hasVideo(episodeId: string): Promise<boolean> {
      const { path, packName } = await getEpisode(episodeId);
      return packName === null && (await findVideo(path)) !== undefined;
    },

    /** Returns the load of the queue and the use of the cache. */
    status: (): PreviewStatus => ({ ...queue.status(), cache: cache.status() }),

    /** Stops running ffmpeg processes; later calls fail. */
    async close(): Promise<void> {
      closing.abort();
      await backFill.close();
    },
  };

  async function getEpisode(id: string): Promise<Episode> {
    const [episode] = await database.episodes.findMany([id]);
    if (episode === undefined) throw new PreviewGoneError("The episode is no longer in the library.");
    return episode;
  }

  /** Cuts a preview, or takes it from the pack of the samples, or from a machine that has the video. */
  async function create(episode: Episode, request: PreviewRequest, outputFile: string): Promise<void> {
    if (episode.packName !== null)
      throw new PreviewGoneError("This episode was imported from a pack, which contains no video.");
    let obstacle: string | undefined;
    // A still is cut sooner than a clip, and is the part of a result that people look at first.
    const priority = request.kind === "still" ? "first" : "last";
    await queue.run(async () => {
      closing.signal.throwIfAborted();
      const video = await findVideo(episode.path);
      const tools = await getTools().catch(ignoreMissingFfmpeg);
      if (video === undefined) obstacle = "The video of this episode is no longer at its indexed path.";
      else if (tools === undefined) obstacle = "This Koma has no ffmpeg, which cuts stills and clips.";
      else await inTime((signal) => cut(tools, video, request, outputFile, signal));
    }, priority);
    if (obstacle === undefined || (await writeFromPack(episode, request, outputFile))) return;
    if (fetchPreview === undefined) throw new PreviewGoneError(obstacle);
    await fetches.run(
      () => inTime((signal) => fetchPreview({ request, path: episode.path, outputFile, signal })),
      priority,
    );
  }

  async function cut(
    tools: FfmpegTools,
    video: string,
    request: PreviewRequest,
    outputFile: string,
    signal: AbortSignal,
  ): Promise<void> {
    try {
      if (request.kind === "still") {
        const still = { atSeconds: request.atSeconds, width: stillWidths[request.size], signal };
        await writeFile(outputFile, await extractStill(tools, video, still));
      } else {
        await cutClip(tools, video, { ...request, height: clipHeights[request.size], outputFile, signal });
      }
    } catch (error) {
      if (!(error instanceof UnreadableVideoError)) throw error;
      throw new PreviewGoneError("The video of this episode is no longer readable.", { cause: error });
    }
  }

  async function inTime(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    closing.signal.throwIfAborted();
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(new PreviewBusyError()), timeoutMs);
    try {
      await work(AbortSignal.any([closing.signal, deadline.signal]));
    } finally {
      clearTimeout(timer);
    }
  }
}

/** Returns a function that finds the local file of a stored path; undefined when it is not here. */
function createVideoFinder(roots: readonly MappedRoot[] | undefined) {
  const mapping = createPathMapping(roots ?? []);
  return async function findVideo(path: string): Promise<string | undefined> {
    const video = mapping.toLocal(path);
    if (video === undefined) return undefined;
    try {
      await access(video);
      // A link in a root must not make other files of the machine readable.
      return roots === undefined || (await isWithin(video, roots)) ? video : undefined;
    } catch {
      return undefined;
    }
  };
}

async function isWithin(video: string, roots: readonly MappedRoot[]): Promise<boolean> {
  const [file, ...folders] = await Promise.all(
    [video, ...roots.map(({ local }) => local)].map((path) => realpath(path)),
  );
  return folders.some((folder) => file?.startsWith(join(folder, sep)));
}

/** Stills and clips of indexed videos. */
export type Previews = ReturnType<typeof openPreviews>;

/**
 * The name includes everything that determines the preview, also the content of the video: a replaced video
 * has new previews.
 */
function cacheName(
  episode: Episode,
  details: readonly (string | number | boolean)[],
  ending: string,
): string {
  const parts = [episode.id, episode.contentHash, ...details];
  return `${createHash("sha256").update(JSON.stringify(parts)).digest("hex")}.${ending}`;
}

function stillName(episode: Episode, atSeconds: number, size: PreviewSize): string {
  return cacheName(episode, ["still", atSeconds, size], "jpg");
}

function ignoreMissingFfmpeg(error: unknown): undefined {
  if (!(error instanceof FfmpegMissingError)) throw error;
}

import type { Database } from "@koma/database";
import { descriptorVersion, type Engine, ImageError, type Outcome, type SearchTimings } from "@koma/engine";
import { FfmpegMissingError, type FfmpegTools, isVideoFile } from "@koma/media";
import { extractQueryFrame } from "./extract-query-frame.ts";
import type { LibraryMatch } from "./library-match.ts";
import { mapInOrder } from "./map-in-order.ts";
import { createSaveSchedule } from "./save-schedule.ts";
import type { SearchIndex } from "./search-index.ts";
import { toMatches } from "./to-matches.ts";

export type OpenSearchOptions = {
  /** Checks for newly indexed and removed episodes every second. */
  follow: boolean;
  /** Receives the number of episodes read while the index is updated. */
  onProgress?: ((progress: { done: number; total: number }) => void) | undefined;
  /** Time limit of decoding a video. Default 20 s. */
  videoTimeoutMs?: number | undefined;
  signal?: AbortSignal | undefined;
};

export type SearchOptions = {
  /** Maximum number of matches. */
  limit: number;
  /** Limits the search to one anime; an unknown one has no matches. */
  animeId?: string | undefined;
  /** False keeps the borders of the image; they are trimmed by default. */
  trimBorders?: boolean | undefined;
  signal?: AbortSignal | undefined;
};

export type SearchOutcome = {
  matches: LibraryMatch[];
  /** Certainty of the best match: found, uncertain, or most likely not in the library. */
  outcome: Outcome;
  /** The descriptor of the whole image, not of unit length; undefined for an image with hardly any content. */
  descriptor: { modelId: string; vector: Int8Array } | undefined;
  /** Number of searched frames. */
  frameCount: number;
  /** The time of the searched frame of an animation or a video; undefined for an image of one frame. */
  frameAtSeconds: number | undefined;
  /** The searched frame of a video, as JPEG; undefined for an image. */
  videoFrame: Uint8Array | undefined;
  /** Durations of the steps; `databaseMs` is that of the look-ups. */
  timings: SearchTimings & { databaseMs: number };
};

/** The size of the index, and the worker threads with their running and waiting tasks. */
export type SearchStatus = {
  index: { frames: number; episodes: number; memoryBytes: number };
  engine: { workers: number; running: number; waiting: number };
};

/** An image or a video that is read when its search starts. */
export type ImageToSearch = { read(): Promise<Uint8Array> };

export type SearchParts = {
  database: Database;
  engine: Engine;
  getTools: () => Promise<FfmpegTools>;
  /** Closed with the search. */
  index: SearchIndex;
  /** Concurrent images of `searchMany`. */
  imagesAtOnce: number;
  onLog: (message: string) => void;
};

const followGapMs = 1000;

/** Searches the indexed videos with a started index. The caller must close it. */
export async function openSearch(parts: SearchParts, o: OpenSearchOptions) {
  const { database, engine, index, getTools, onLog } = parts;
  // The API holds a credit for 30 s.
  const { videoTimeoutMs: timeoutMs = 20_000 } = o;
  const { model } = engine;
  let stats = { frames: 0, episodes: 0, memoryBytes: 0 };
  let isClosed = false;
  let hasFailed = false;
  const failed = Promise.race([engine.failed, index.failed]);
  try {
    await readStats();
  } catch (error) {
    await index.close();
    throw error;
  }
  const following = o.follow ? startFollowing() : undefined;
  failed.then(() => {
    hasFailed = true;
    return following?.stop();
  });

  return {
    /**
     * Resolves when the search threads exited; then every search throws, and the caller must open the library
     * again.
     */
    failed,

    /**
     * Returns one match per scene of an image, or of the frame of a video (MP4, WebM) with most detail, best
     * first. Throws ImageError, EngineBusyError, AbortError.
     */
    search,

    /**
     * Yields one result per image in order, several images concurrently; the error of an image is its
     * `error`. Throws the signal's reason as soon as it aborts.
     */
    async *searchMany<P extends ImageToSearch>(
      images: Iterable<P> | AsyncIterable<P>,
      options: SearchOptions,
    ): AsyncGenerator<{ image: P; outcome: SearchOutcome } | { image: P; error: unknown }, void, void> {
      const results = mapInOrder(images, parts.imagesAtOnce, async (image) => {
        try {
          return { image, outcome: await search(await image.read(), options) };
        } catch (error) {
          return { image, error };
        }
      });
      for await (const result of results) {
        options.signal?.throwIfAborted();
        yield result;
      }
    },

    /**
     * Similarities of the best scene: below `absentBelow` it is not in the library, from `confidentAt` on it
     * is found.
     */
    thresholds: { absentBelow: model.absentBelow, confidentAt: model.confidentAt },
    /** Returns the current number of frames in the index. */
    frameCount: () => stats.frames,
    /** True when the index contains frames. */
    isReady: () => stats.frames > 0,
    /** Returns the number of episodes that the index contains when it is up to date. */
    countReady: (): Promise<number> => database.episodes.countReady(model.id),
    /** Returns the number of published episodes whose descriptors are of an earlier version or model. */
    countOutdated: (): Promise<number> =>
      database.episodes.countOutdated({ modelId: model.id, version: descriptorVersion }),
    /** Returns the current size of the index and the load of the worker threads. */
    status: (): SearchStatus => ({ index: stats, engine: engine.status() }),

    /** Saves the cache and stops the threads of the index. */
    async close(): Promise<void> {
      if (isClosed) return;
      isClosed = true;
      await following?.stop();
      await save();
      await index.close();
    },
  };

  async function search(
    bytes: Uint8Array,
    { limit, animeId, trimBorders, signal }: SearchOptions,
  ): Promise<SearchOutcome> {
    let databaseMs = 0;
    const timed = async <T>(query: Promise<T>): Promise<T> => {
      const startedMs = performance.now();
      const rows = await query;
      databaseMs += performance.now() - startedMs;
      return rows;
    };
    const episodeKeys =
      animeId === undefined ? undefined : new Set(await timed(database.episodes.listReadyIds(animeId)));
    const startedMs = performance.now();
    const frame = isVideoFile(bytes)
      ? await extractQueryFrame(await getTools().catch(refuseVideo), bytes, { timeoutMs, signal })
      : undefined;
    const frameMs = performance.now() - startedMs;
    const found = await engine.search(frame?.image ?? bytes, {
      index,
      limit,
      episodeKeys,
      trimBorders,
      signal,
    });
    const matches = await timed(toMatches(database, found.scenes));
    const decodeMs = found.timings.decodeMs + frameMs;
    return {
      matches,
      outcome: found.outcome,
      descriptor: found.descriptor && { modelId: model.id, vector: found.descriptor },
      frameCount: stats.frames,
      frameAtSeconds: frame?.atSeconds ?? found.frameAtSeconds,
      videoFrame: frame?.image,
      timings: { ...found.timings, decodeMs, databaseMs },
    };
  }

  async function readStats(): Promise<void> {
    stats = await index.stats();
  }

  /** Returns false when the cache could not be written. */
  async function save(): Promise<boolean> {
    if (hasFailed || !index.isUnsaved()) return true;
    try {
      await index.save();
      return true;
    } catch (error) {
      onLog(
        `The search index could not be saved and will be built again at the next start: ${reasonOf(error)}`,
      );
      return false;
    }
  }

  function startFollowing(): { stop(): Promise<void> } {
    const stopping = new AbortController();
    const schedule = createSaveSchedule(performance.now());
    let isFailing = false;
    let timer: NodeJS.Timeout | undefined;
    let running: Promise<void> = Promise.resolve();
    const tick = async (): Promise<void> => {
      try {
        while (!stopping.signal.aborted && (await index.poll(stopping.signal))) {
          schedule.change(performance.now());
          await readStats();
        }
        isFailing = false;
      } catch (error) {
        if (!isFailing && !isClosed && !hasFailed)
          onLog(`Changes of the library are temporarily not followed: ${reasonOf(error)}`);
        isFailing = true;
      }
      const startedMs = performance.now();
      if (index.isUnsaved() && !isClosed && schedule.isDue(startedMs)) {
        const isGood = await save();
        schedule.save({ startedMs, endedMs: performance.now(), isGood });
      }
      if (!stopping.signal.aborted) scheduleTick();
    };
    const scheduleTick = (): void => {
      timer = setTimeout(() => {
        running = tick();
      }, followGapMs).unref();
    };
    scheduleTick();
    return {
      async stop() {
        stopping.abort();
        clearTimeout(timer);
        await running;
        clearTimeout(timer);
      },
    };
  }
}

/** The indexed videos, open for search. */
export type LibrarySearch = Awaited<ReturnType<typeof openSearch>>;

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function refuseVideo(error: unknown): never {
  if (!(error instanceof FfmpegMissingError)) throw error;
  throw new ImageError(
    "unsupported_image_type",
    "Videos are off: this Koma has no ffmpeg, which reads them. Send an image.",
  );
}

import type { Database } from "@koma/database";
import { type Engine, type Outcome, openFrameIndex } from "@koma/engine";
import { createIndexFollower } from "./index-follower.ts";
import type { LibraryMatch } from "./library-match.ts";
import { mapInOrder } from "./map-in-order.ts";
import { toMatches } from "./to-matches.ts";

export type OpenSearchOptions = {
  /** Looks for newly indexed and removed episodes every second. */
  follow: boolean;
  /** Episodes read so far while the index is brought up to date. */
  onProgress?: ((progress: { done: number; total: number }) => void) | undefined;
  signal?: AbortSignal | undefined;
};

export type SearchOptions = {
  /** Most matches to give. */
  limit: number;
  /** Search in one anime only; without matches when it is unknown. */
  animeId?: string | undefined;
  /** False: borders of the image are not cut off; by default they are. */
  trimBorders?: boolean | undefined;
  signal?: AbortSignal | undefined;
};

export type SearchOutcome = {
  matches: LibraryMatch[];
  /** Whether the best match is the answer, may be it, or is most likely only a look-alike. */
  outcome: Outcome;
  /** Frames that were searched. */
  frameCount: number;
};

/** A picture that is read when its turn comes. */
export type ImageToSearch = { read(): Promise<Uint8Array> };

export type SearchParts = {
  database: Database;
  engine: Engine;
  cacheFolder: string;
  /** Pictures of `searchMany` under way at a time. */
  imagesAtOnce: number;
  onLog: (message: string) => void;
};

const followGapMs = 1000;
// The cache is written when nothing changed for a while, and now and then while much does.
const saveQuietMs = 5000;
const saveLatestMs = 60_000;

/** Opens the indexed films for search: takes the cache and what changed since, or builds it anew. Close it after use. */
export async function openSearch(parts: SearchParts, o: OpenSearchOptions) {
  const { database, engine, onLog } = parts;
  const { model } = engine;
  const index = await openFrameIndex({ model, cacheFolder: parts.cacheFolder });
  const follower = createIndexFollower({ database, index, modelId: model.id, onLog });
  let frameCount = 0;
  let isClosed = false;
  let hasFailed = false;
  const failed = Promise.race([engine.failed, index.failed]);
  try {
    await follower.start(o);
    await countFrames();
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
    /** Resolves when the threads that search have died; then every search throws. What is left is to open the library anew. */
    failed,

    /** Best first, one match per scene. Throws PictureError, EngineBusyError, AbortError. */
    search,

    /**
     * One outcome per picture in the order given, several under way at a time; what a picture throws is its `error`.
     * Throws the signal's reason as soon as that aborts.
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

    /** Similarities of the best scene: below `absentBelow` it is a look-alike, from `confidentAt` on it is the answer. */
    thresholds: { absentBelow: model.absentBelow, confidentAt: model.confidentAt },
    /** Frames in the index now. */
    frameCount: () => frameCount,
    /** True when there is something to search in. */
    isReady: () => frameCount > 0,

    /** Saves the cache and ends the threads of the index. */
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
    const episodeKeys =
      animeId === undefined ? undefined : new Set(await database.episodes.listReadyIds(animeId));
    const { scenes, outcome } = await engine.search(bytes, {
      index,
      limit,
      episodeKeys,
      trimBorders,
      signal,
    });
    return { matches: await toMatches(database, scenes), outcome, frameCount };
  }

  async function countFrames(): Promise<void> {
    frameCount = (await index.stats()).frames;
  }

  /** False when the cache could not be written. */
  async function save(): Promise<boolean> {
    if (hasFailed || !follower.isUnsaved()) return true;
    try {
      await follower.save();
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
    let changedAtMs = performance.now();
    let savedAtMs = changedAtMs;
    let hasFailedToSave = false;
    let isFailing = false;
    let timer: NodeJS.Timeout | undefined;
    let running: Promise<void> = Promise.resolve();
    const tick = async (): Promise<void> => {
      try {
        if (await follower.poll(stopping.signal)) {
          changedAtMs = performance.now();
          await countFrames();
        }
        isFailing = false;
      } catch (error) {
        if (!isFailing && !isClosed && !hasFailed)
          onLog(`Changes of the library cannot be followed at the moment: ${reasonOf(error)}`);
        isFailing = true;
      }
      const nowMs = performance.now();
      // On a full disk every attempt writes the whole index in vain.
      const isQuiet = nowMs - changedAtMs > saveQuietMs && !hasFailedToSave;
      if (follower.isUnsaved() && !isClosed && (isQuiet || nowMs - savedAtMs > saveLatestMs)) {
        hasFailedToSave = !(await save());
        savedAtMs = performance.now();
      }
      if (!stopping.signal.aborted) schedule();
    };
    const schedule = (): void => {
      timer = setTimeout(() => {
        running = tick();
      }, followGapMs).unref();
    };
    schedule();
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

/** The indexed films, open for search. */
export type LibrarySearch = Awaited<ReturnType<typeof openSearch>>;

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

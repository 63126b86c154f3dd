import { createFrameLists, type FrameLists, type LabelRange } from "./frame-lists.ts";
import type { Neighbour } from "./frame-searcher.ts";
import { readSnapshot, writeSnapshot } from "./snapshot.ts";
import type { FrameRef, NearestFrame, VectorIndex, VectorSearchOptions } from "./vector-index.ts";

export type EmbeddedVectorIndexOptions = {
  /** A multiple of 16, at most 1024. */
  dimensions: number;
  /** Orthonormal rows, those of most energy first; see `createFrameLists`. */
  axes?: Float32Array;
  /** Where `save` and `restore` keep the index; without it both do nothing. */
  snapshotFile?: string;
};

/** An episode and the labels of its frames. */
type LabelledEpisode = LabelRange & { key: string };

/** Frees memory and improves lists after a change. */
type Order = () => Promise<void>;

type Attached = { seq: string; episodes: LabelledEpisode[] };

/** An empty index in this thread's memory. Additions give other calls their turn every few milliseconds. */
export function openEmbeddedVectorIndex({ dimensions, axes, snapshotFile }: EmbeddedVectorIndexOptions) {
  let lists = createFrameLists(dimensions, axes);
  // In order of their labels; a frame that is in none of them is not found.
  let episodes: LabelledEpisode[] = [];
  const inTurn = createQueue();

  /** Ends when searches find the new frames and not the old ones; the lists are put in order by what is returned. */
  async function add(episodeKey: string, vectors: Int8Array): Promise<Order> {
    const range = await lists.add(vectors);
    const replaced = episodes.filter(({ key }) => key === episodeKey);
    // Without a pause until the old frames are hidden: a search sees one or the other.
    lists.show(range);
    episodes = [...episodes.filter(({ key }) => key !== episodeKey), { key: episodeKey, ...range }].sort(
      (a, b) => a.first - b.first,
    );
    const freed = replaced.map((old) => lists.remove(old));
    return async () => {
      await Promise.all(freed);
      await lists.refine(range.end - range.first);
    };
  }

  async function remove(episodeKey: string): Promise<Order> {
    const removed = episodes.filter(({ key }) => key === episodeKey);
    episodes = episodes.filter(({ key }) => key !== episodeKey);
    const freed = removed.map((range) => lists.remove(range));
    return async () => void (await Promise.all(freed));
  }

  /** Makes a change, and lets the caller go on before the lists are in order; the next change waits for that. */
  function change(work: () => Promise<Order>): Promise<void> {
    return new Promise((resolve, reject) => {
      const ordered = inTurn(async () => {
        const order = await work();
        resolve();
        await order();
      });
      ordered.catch(reject);
    });
  }

  async function search(
    views: readonly Float32Array[],
    { count, episodeKeys }: VectorSearchOptions,
  ): Promise<NearestFrame[][]> {
    const ranges = episodeKeys && episodes.filter(({ key }) => episodeKeys.has(key));
    const found = lists.search(views, { count, ranges });
    return found.map((neighbours) => neighbours.flatMap((neighbour) => toFrame(neighbour) ?? []));
  }

  function toFrame({ label, cosine }: Neighbour): NearestFrame | undefined {
    const episode = findEpisode(episodes, label);
    return episode && { episodeKey: episode.key, frame: label - episode.first, cosine };
  }

  async function vectorsOf(frames: readonly FrameRef[]): Promise<(Float32Array | undefined)[]> {
    const byKey = new Map(episodes.map((episode) => [episode.key, episode]));
    return frames.map(({ episodeKey, frame }) => {
      const episode = byKey.get(episodeKey);
      const isStored = episode !== undefined && frame >= 0 && episode.first + frame < episode.end;
      return isStored ? lists.vectorOf(episode.first + frame) : undefined;
    });
  }

  async function restore(): Promise<{ seq: string; episodeKeys: string[] } | undefined> {
    const stored = snapshotFile && (await readSnapshot<Attached>(snapshotFile, dimensions));
    if (!stored) return undefined;
    lists = stored.lists;
    episodes = stored.attached.episodes;
    return { seq: stored.attached.seq, episodeKeys: episodes.map(({ key }) => key) };
  }

  return {
    add: (episodeKey: string, vectors: Int8Array) => change(() => add(episodeKey, vectors)),
    remove: (episodeKey: string) => change(() => remove(episodeKey)),
    search,
    vectorsOf,
    stats: async () => ({
      frames: episodes.reduce((sum, { first, end }) => sum + end - first, 0),
      episodes: episodes.length,
      memoryBytes: lists.stats().memoryBytes,
    }),
    /** Takes the content of the snapshot with the change number given to `save`; undefined when there is none to be used. */
    restore: () => inTurn(restore),
    /** Writes the snapshot, as a whole or not at all. */
    save: (seq: string) =>
      inTurn(async () => {
        if (snapshotFile !== undefined) await writeSnapshot(snapshotFile, lists, { seq, episodes });
      }),
    /** What searchers of other threads need; see `createFrameSearcher`. */
    shared: (): Pick<FrameLists, "memory"> => ({ memory: lists.memory }),
    close: () => inTurn(async () => undefined),
  } satisfies VectorIndex & Record<string, unknown>;
}

/** A vector index in this process's memory. */
export type EmbeddedVectorIndex = ReturnType<typeof openEmbeddedVectorIndex>;

function findEpisode(episodes: readonly LabelledEpisode[], label: number): LabelledEpisode | undefined {
  let low = 0;
  let high = episodes.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const episode = episodes[middle];
    if (episode === undefined || label < episode.first) high = middle - 1;
    else if (label >= episode.end) low = middle + 1;
    else return episode;
  }
  return undefined;
}

/** Runs what changes the index one after another; searches do not wait in it. */
function createQueue() {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(work: () => Promise<T>): Promise<T> => {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  };
}

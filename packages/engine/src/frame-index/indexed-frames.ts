import type { EpisodeDescriptors, RegionDescriptors } from "../episode/episode-descriptors.ts";
import type { FrameTable } from "../episode/frame-table.ts";
import type { Model } from "../model/model.ts";
import type { Neighbour } from "../nearest-neighbours/frame-searcher.ts";
import type { FrameVectors } from "../nearest-neighbours/frame-vectors.ts";
import type { LabelRange } from "../nearest-neighbours/label-ranges.ts";
import { frameThumbnailSize } from "../pixels/frame-thumbnail.ts";
import type { FrameView, FrameViews, NearestOptions } from "./frame-view.ts";
import type { Hit } from "./hit.ts";
import type { StripFile, StripTable } from "./strip-file.ts";
import type { ThumbnailFile } from "./thumbnail-file.ts";

/** An episode in the index: consecutive labels from `firstLabel`, one per stored frame, in order. */
export type IndexedEpisode = {
  key: string;
  firstLabel: number;
  table: FrameTable;
  /** Missing where the episode was stored without strips, and for regions. */
  strips?: StripTable | undefined;
};

/** The parts of an index. `episodes` are in order of their labels. */
export type IndexContent<V extends FrameVectors = FrameVectors> = {
  vectors: V;
  thumbnails: ThumbnailFile;
  strips: StripFile;
  episodes: IndexedEpisode[];
};

/** Work that remains after a change is visible: it frees memory and improves searches. */
export type CleanUp = () => Promise<void>;

/** The frames of the episodes that were stored when it was opened. */
type IndexedView = FrameView & {
  /** Returns the nearest frames of each vector, best first; the view of a hit is the index of its vector. */
  findNearest(queries: readonly Float32Array[], options: Omit<NearestOptions, "views">): Hit[][];
  episodeOf(key: string): IndexedEpisode | undefined;
};

/**
 * The frames of all episodes, or regions of frames. A change resolves when it is visible, and the caller
 * awaits its clean-up before the next change. Searches may run at any time and read whole episodes only.
 */
export function createIndexedFrames<V extends FrameVectors>(model: Model, content: IndexContent<V>) {
  const { vectors, thumbnails, strips } = content;
  let { episodes } = content;

  /** Adds or replaces an episode. Throws RangeError for descriptors of another model. */
  async function add(
    key: string,
    descriptors: RegionDescriptors & Pick<EpisodeDescriptors, "strips">,
  ): Promise<CleanUp> {
    const { modelId, aspect, count, atSeconds, shotOf, shots } = descriptors;
    if (
      modelId !== model.id ||
      descriptors.vectors.length !== count * model.dimensions ||
      descriptors.thumbnails.length !== count * frameThumbnailSize.bytes
    ) {
      throw new RangeError(`The descriptors of ${key} do not belong to the model ${model.id}.`);
    }
    const range = await vectors.add(descriptors.vectors);
    let stored: StripTable | undefined;
    try {
      thumbnails.write(range.first, descriptors.thumbnails);
      if (descriptors.strips !== undefined) stored = strips.add(descriptors.strips);
    } catch (error) {
      await vectors.remove(range);
      throw error;
    }
    // There is no await before the old frames are hidden: a search reads one version of the episode.
    vectors.show(range);
    const removed = hide(key);
    const table = { aspect, count, atSeconds, shotOf, shots };
    episodes = [...episodes, { key, firstLabel: range.first, table, strips: stored }].sort(
      (a, b) => a.firstLabel - b.firstLabel,
    );
    return async () => {
      await removed;
      await vectors.refine(count);
    };
  }

  /** Removes an episode if it is stored. */
  async function remove(key: string): Promise<CleanUp> {
    const removed = hide(key);
    return () => removed;
  }

  function hide(key: string): Promise<void> {
    const replaced = episodes.filter((episode) => episode.key === key);
    episodes = episodes.filter((episode) => episode.key !== key);
    const removed = Promise.all(replaced.map((episode) => vectors.remove(rangeOf(episode))));
    // The clean-up reports the error; this handler prevents an unhandled rejection before it.
    removed.catch(() => undefined);
    return removed.then(() => undefined);
  }

  /** Returns the current episodes for one search. */
  function openView(): IndexedView {
    const current = episodes;

    function toHit({ label, cosine }: Neighbour, view: number): Hit | undefined {
      const episode = findEpisode(current, label);
      return episode && { episode, frame: label - episode.firstLabel, view, cosine };
    }

    function findNearest(
      queries: readonly Float32Array[],
      { count, episodeKeys }: Omit<NearestOptions, "views">,
    ): Hit[][] {
      const ranges = episodeKeys && current.filter(({ key }) => episodeKeys.has(key)).map(rangeOf);
      return vectors
        .search(queries, { count, ranges })
        .map((neighbours, view) => neighbours.flatMap((neighbour) => toHit(neighbour, view) ?? []));
    }

    /** Thumbnails by label that `load` has read. */
    const loaded = new Map<number, Uint8Array>();

    /**
     * Reads the thumbnails of a shot around a frame that were not read, at once: a call of the system costs
     * more than their bytes.
     */
    function loadAround({ episode, frame }: Hit, reach: number): void {
      const { firstLabel, table } = episode;
      const isInShot = (number: number) => table.shotOf[number] === table.shotOf[frame];
      let [first, end] = [firstLabel + frame, firstLabel + frame + 1];
      while (first > firstLabel + Math.max(0, frame - reach) && isInShot(first - 1 - firstLabel)) first--;
      while (end < firstLabel + Math.min(table.count, frame + reach + 1) && isInShot(end - firstLabel)) end++;
      while (first < end && loaded.has(first)) first++;
      while (first < end && loaded.has(end - 1)) end--;
      const records = first < end ? thumbnails.read(first, end - first) : undefined;
      if (records === undefined) return;
      for (let label = first; label < end; label++) {
        const at = (label - first) * frameThumbnailSize.bytes;
        loaded.set(label, records.subarray(at, at + frameThumbnailSize.bytes));
      }
    }

    const vectorOf = ({ episode, frame }: Hit) => vectors.vectorOf(episode.firstLabel + frame);
    return {
      findNearest,
      findHits(image, options) {
        const views = options.views ?? [...image.views.keys()];
        const queries = views.flatMap((view) => image.views[view]?.vector ?? []);
        return findNearest(queries, options).flatMap((hits, at) =>
          hits.map((hit) => ({ ...hit, view: views[at] ?? 0 })),
        );
      },
      hasMore: (count) => count < countFrames(),
      findSimilar(hit, { leastCosine, ...options }) {
        const vector = vectorOf(hit);
        if (vector === undefined) return [];
        return findNearest([vector], options)[0]?.filter(({ cosine }) => cosine >= leastCosine) ?? [];
      },
      load(hits, reach = 0) {
        if (reach > 0) for (const hit of hits) loadAround(hit, reach);
        return undefined;
      },
      vectorOf,
      thumbnailOf(hit) {
        loadAround(hit, 0);
        return loaded.get(hit.episode.firstLabel + hit.frame);
      },
      // A local file needs no reading ahead.
      loadStrips: () => undefined,
      stripsOf({ episode, frame }) {
        const own = findEpisode(current, episode.firstLabel)?.strips;
        return own === undefined ? [] : strips.read(own, episode.table.shotOf[frame] ?? 0);
      },
      episodeOf: (key) => current.find((episode) => episode.key === key),
    };
  }

  const countFrames = () => episodes.reduce((sum, { table }) => sum + table.count, 0);

  return {
    add,
    remove,
    openView,
    stats: () => ({
      frames: countFrames(),
      episodes: episodes.length,
      memoryBytes:
        vectors.stats().memoryBytes + episodes.reduce((sum, { table }) => sum + tableBytes(table), 0),
    }),
    /** The content that a cache stores. */
    content: (): IndexContent<V> => ({ vectors, thumbnails, strips, episodes }),
    close: () => {
      vectors.close?.();
      thumbnails.close();
      strips.close();
    },
  };
}

/** Frames of all episodes, or regions of frames. */
export type IndexedFrames = ReturnType<typeof createIndexedFrames>;

/** Opens the frames of an index and their regions for one search. */
export function openViews(index: Record<"frames" | "regions", Pick<IndexedFrames, "openView">>): FrameViews {
  const frames = index.frames.openView();
  return {
    frames,
    regions: index.regions.openView(),
    frameOf(region) {
      const episode = frames.episodeOf(region.episode.key);
      const atSeconds = region.episode.table.atSeconds[region.frame] ?? -1;
      const frame = episode?.table.atSeconds.indexOf(atSeconds) ?? -1;
      return episode && frame >= 0 ? { ...region, episode, frame } : undefined;
    },
  };
}

/** Returns the labels of an episode. */
export function rangeOf({ firstLabel, table }: IndexedEpisode): LabelRange {
  return { first: firstLabel, end: firstLabel + table.count };
}

function findEpisode(episodes: readonly IndexedEpisode[], label: number): IndexedEpisode | undefined {
  let low = 0;
  let high = episodes.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const episode = episodes[middle];
    if (episode === undefined || label < episode.firstLabel) high = middle - 1;
    else if (label >= episode.firstLabel + episode.table.count) low = middle + 1;
    else return episode;
  }
  return undefined;
}

function tableBytes({ atSeconds, shotOf, shots }: FrameTable): number {
  return atSeconds.byteLength + shotOf.byteLength + shots.length * 40;
}

import type { Shot } from "../episode/episode-descriptors.ts";
import { type Model, readPrincipalAxes } from "../model/model.ts";
import type { FrameStore, StoredRange, StoredShot, VectorKind } from "./frame-store.ts";
import type { FrameView, FrameViews } from "./frame-view.ts";
import type { FrameLocations, Hit } from "./hit.ts";
import {
  type PackedFrame,
  type PackedFrames,
  type StoredEpisodeHead,
  unpackFrames,
  unpackPairs,
} from "./packed-frames.ts";

/** Distance of the first labels of two episodes: more frames than an episode has. */
const LABELS_PER_EPISODE = 2 ** 24;
/** Most frames have fewer similar ones, and a search for more takes several times as long. */
const FIRST_SIMILAR = 128;

/** Converts vectors between the order of a model's outputs and that of its principal axes. */
export type Axes = {
  toAxes(vector: ArrayLike<number>): Float32Array;
  fromAxes(vector: Float32Array): Float32Array;
};

/** Reads the principal axes of a model. Without axes, vectors are only copied. */
export function createAxes(model: Model): Axes {
  const axes = readPrincipalAxes(model);
  const { dimensions } = model;
  if (axes === undefined)
    return { toAxes: (vector) => Float32Array.from(vector), fromAxes: (vector) => vector };
  return {
    toAxes(vector) {
      const rotated = new Float32Array(dimensions);
      for (let row = 0, at = 0; row < dimensions; row++) {
        let sum = 0;
        for (let column = 0; column < dimensions; column++, at++)
          sum += (axes[at] ?? 0) * (vector[column] ?? 0);
        rotated[row] = sum;
      }
      return rotated;
    },
    fromAxes(vector) {
      const rotated = new Float32Array(dimensions);
      for (let row = 0, at = 0; row < dimensions; row++) {
        const factor = vector[row] ?? 0;
        for (let column = 0; column < dimensions; column++, at++)
          rotated[column] = (rotated[column] ?? 0) + factor * (axes[at] ?? 0);
      }
      return rotated;
    },
  };
}

/**
 * Opens the frames of a database for one search. The views know the frames that the search has read; memory
 * is free after the search.
 */
export function openStoredViews(store: FrameStore, axes: Axes): FrameViews {
  const frames = openStoredView(store, axes, "frames");
  const regions = openStoredView(store, axes, "regions");
  return {
    frames: frames.view,
    regions: regions.view,
    frameOf(region) {
      const packed = regions.find(region);
      return packed && { ...region, ...frames.frameOf(region, packed) };
    },
  };
}

/** An episode of which only the entries of known frames are set. */
type StoredLocations = FrameLocations & { atSeconds: number[]; shotOf: number[]; shots: Shot[] };
type Known = { packed: PackedFrame; thumbnail?: Uint8Array; vector?: Float32Array };

function openStoredView(store: FrameStore, axes: Axes, kind: VectorKind) {
  const episodes = new Map<number, Hit["episode"] & { table: StoredLocations }>();
  const known = new Map<number, Known>();
  /** The strips that `loadStrips` has read, by shot. */
  const strips = new Map<number, Uint8Array[]>();
  /** An episode has fewer shots than labels. */
  const shotLabelOf = ({ episode, frame }: Hit) => episode.firstLabel + (episode.table.shotOf[frame] ?? 0);
  const labelOf = ({ episode, frame }: Hit) => episode.firstLabel + frame;
  let isExhausted = false;

  function episodeOf({ id, key, aspect, frameCount }: StoredEpisodeHead) {
    const table: StoredLocations = { aspect, count: frameCount, atSeconds: [], shotOf: [], shots: [] };
    const episode = episodes.get(id) ?? { key, firstLabel: id * LABELS_PER_EPISODE, table };
    episodes.set(id, episode);
    return episode;
  }

  /** Makes frames known. */
  function add(frames: PackedFrames, { withThumbnails = false } = {}): void {
    frames.episodes.forEach(episodeOf);
    for (const packed of unpackFrames(frames)) {
      const { episodeId, number, shot, atSeconds, nextAtSeconds, fromSeconds, toSeconds } = packed;
      const table = episodes.get(episodeId)?.table;
      if (table === undefined) continue;
      table.atSeconds[number] = atSeconds;
      table.shotOf[number] = shot;
      table.shots[shot] = { fromSeconds, toSeconds };
      if (nextAtSeconds !== undefined) {
        table.atSeconds[number + 1] = nextAtSeconds;
        table.shotOf[number + 1] = shot;
      }
      const label = episodeId * LABELS_PER_EPISODE + number;
      const one: Known = known.get(label) ?? { packed };
      if (withThumbnails) one.thumbnail = packed.readThumbnail();
      known.set(label, one);
    }
  }

  async function findNearest(
    vectors: readonly Float32Array[],
    o: { count: number; leastCosine?: number; episodeKeys?: ReadonlySet<string> | undefined },
  ): Promise<Hit[]> {
    const { count, leastCosine = -1, episodeKeys } = o;
    const found = await store.findNearest({
      kind,
      vectors,
      count,
      leastCosine,
      episodeKeys: episodeKeys === undefined ? null : [...episodeKeys],
    });
    add(found);
    const hits = unpackPairs(found.pairs).flatMap(({ episodeId, number, vector, cosine }): Hit[] => {
      const episode = episodes.get(episodeId);
      // The frame was removed while it was found.
      if (episode === undefined || !known.has(episode.firstLabel + number)) return [];
      return [{ episode, frame: number, view: vector, cosine }];
    });
    isExhausted = hits.length < count * vectors.length;
    return hits.sort((a, b) => a.view - b.view || b.cosine - a.cosine || labelOf(a) - labelOf(b));
  }

  const view: FrameView = {
    async findHits(image, { views = [...image.views.keys()], ...options }) {
      const searched = views.flatMap((at) => {
        const vector = image.views[at]?.vector;
        return vector === undefined ? [] : [{ at, vector: axes.toAxes(vector) }];
      });
      if (searched.length === 0) return [];
      const hits = await findNearest(
        searched.map(({ vector }) => vector),
        options,
      );
      return hits.map((hit) => ({ ...hit, view: searched[hit.view]?.at ?? 0 }));
    },
    hasMore: () => !isExhausted,
    async findSimilar(hit, { count, ...options }) {
      const vector = known.get(labelOf(hit))?.packed.readVector();
      if (vector === undefined) return [];
      const first = Math.min(count, FIRST_SIMILAR);
      const found = await findNearest([vector], { ...options, count: first });
      const isLastSimilar = found.length === first && first < count;
      return isLastSimilar ? await findNearest([vector], { ...options, count }) : found;
    },
    async load(hits, reach = 0) {
      const missing = hits.filter((hit) => reach > 0 || known.get(labelOf(hit))?.thumbnail === undefined);
      if (missing.length === 0) return;
      const ranges = missing.map(({ episode, frame }): StoredRange => {
        const episodeId = episode.firstLabel / LABELS_PER_EPISODE;
        const shot = episode.table.shotOf[frame] ?? 0;
        return { episodeId, shot, first: Math.max(0, frame - reach), last: frame + reach };
      });
      add(await store.readFrames(kind, ranges), { withThumbnails: true });
    },
    vectorOf(hit) {
      const frame = known.get(labelOf(hit));
      if (frame !== undefined) frame.vector ??= axes.fromAxes(frame.packed.readVector());
      return frame?.vector;
    },
    thumbnailOf: (hit) => known.get(labelOf(hit))?.thumbnail,
    async loadStrips(hits) {
      const shots = new Map<number, StoredShot>();
      for (const hit of hits) {
        const key = shotLabelOf(hit);
        const episodeId = hit.episode.firstLabel / LABELS_PER_EPISODE;
        const shot = hit.episode.table.shotOf[hit.frame];
        if (shot !== undefined && !strips.has(key)) shots.set(key, { episodeId, shot });
      }
      if (shots.size === 0) return;
      for (const key of shots.keys()) strips.set(key, []);
      for (const { episodeId, shot, bytes } of await store.readStrips([...shots.values()]))
        strips.get(episodeId * LABELS_PER_EPISODE + shot)?.push(bytes);
    },
    stripsOf: (hit) => strips.get(shotLabelOf(hit)) ?? [],
  };
  return {
    view,
    find: (hit: Hit) => known.get(labelOf(hit))?.packed,
    /** Returns the frame of a region of the other view; `load` reads it. */
    frameOf({ episode: { key, table } }: Hit, { episodeId, frame, shot }: PackedFrame) {
      const episode = episodeOf({ id: episodeId, key, aspect: table.aspect, frameCount: table.count });
      episode.table.shotOf[frame] = shot;
      return { episode, frame };
    },
  };
}

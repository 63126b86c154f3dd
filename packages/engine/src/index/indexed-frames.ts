import { setImmediate as nextTurn } from "node:timers/promises";
import type { EpisodeDescriptors } from "../episode/episode-descriptors.ts";
import type { FrameTable } from "../episode/frame-table.ts";
import { frameThumbnailSize } from "../episode/frame-thumbnail.ts";
import { dequantise } from "../episode/quantise.ts";
import type { ImageDescription } from "../image/image-description.ts";
import type { Model } from "../model.ts";
import { findRecurrences } from "./find-recurrences.ts";
import { dot, type Neighbour, type Neighbours } from "./neighbours.ts";
import type { Scene } from "./scene.ts";
import { groupScenes, type Hit } from "./scene-grouping.ts";
import type { ThumbnailFile } from "./thumbnail-file.ts";
import { verifyHits } from "./verify-hits.ts";
import { verifyRegions } from "./verify-regions.ts";

/** Longest time at a stretch before other calls get their turn. */
const SLICE_MS = 4;
const NEIGHBOUR_COUNTS = [64, 256, 1024];
const RECURRENCE_NEIGHBOURS = 512;
const REGION_NEIGHBOURS = 48;
const REBUILD_REMOVED_SHARE = 0.3;
const REBUILD_REMOVED_LEAST = 1000;

/** An episode among the frames: its own stretch of labels, one per kept frame, in order. */
export type IndexedEpisode = { key: string; firstLabel: number; table: FrameTable };

type IndexedFramesOptions<N extends Neighbours> = {
  model: Model;
  createNeighbours: () => N;
  /** What there is already; taken over. */
  openThumbnails: () => ThumbnailFile;
  initial?: { neighbours: N; episodes: IndexedEpisode[]; nextLabel: number; thumbnails: ThumbnailFile };
  /** The regions of the same episodes, searched where whole frames find nothing certain. */
  regions?: RegionSource | undefined;
};

/** Indexed regions, each stored as a frame of its own. */
type RegionSource = Pick<IndexedFrames, "findHits" | "thumbnailOf">;

/** Frames of all episodes, or regions of frames. */
export type IndexedFrames = ReturnType<typeof createIndexedFrames>;

/**
 * The frames of all episodes in this thread. Calls that change something must not overlap (the worker queues them); `search` may run while
 * one of them awaits its next turn, and sees an episode whole or not at all.
 */
export function createIndexedFrames<N extends Neighbours>(options: IndexedFramesOptions<N>) {
  const { model, createNeighbours, openThumbnails } = options;
  let neighbours = options.initial?.neighbours ?? createNeighbours();
  let thumbnails = options.initial?.thumbnails ?? openThumbnails();
  let nextLabel = options.initial?.nextLabel ?? 0;
  // In order of their labels; what is not in here is not found.
  let episodes = options.initial?.episodes ?? [];

  async function add(key: string, descriptors: EpisodeDescriptors): Promise<void> {
    if (
      descriptors.modelId !== model.id ||
      descriptors.vectors.length !== descriptors.count * model.dimensions ||
      descriptors.thumbnails.length !== descriptors.count * frameThumbnailSize.bytes
    ) {
      throw new RangeError(`The descriptors of ${key} are not of the model ${model.id}.`);
    }
    const { aspect, count, atSeconds, shotOf, shots, vectors } = descriptors;
    const episode = { key, firstLabel: nextLabel, table: { aspect, count, atSeconds, shotOf, shots } };
    nextLabel += count;
    thumbnails.write(episode.firstLabel, descriptors.thumbnails);
    const turn = createTurns();
    for (let frame = 0; frame < count; frame++) {
      const stored = vectors.subarray(frame * model.dimensions, (frame + 1) * model.dimensions);
      neighbours.add(episode.firstLabel + frame, dequantise(stored));
      await turn();
    }
    const replaced = episodes.filter((other) => other.key === key);
    episodes = [...episodes.filter((other) => other.key !== key), episode];
    await forget(replaced);
  }

  async function remove(key: string): Promise<void> {
    const removed = episodes.filter((episode) => episode.key === key);
    episodes = episodes.filter((episode) => episode.key !== key);
    await forget(removed);
  }

  async function forget(removed: readonly IndexedEpisode[]): Promise<void> {
    for (const { firstLabel, table } of removed) {
      for (let frame = 0; frame < table.count; frame++) neighbours.remove(firstLabel + frame);
    }
    const size = neighbours.size();
    if (size.removed > Math.max(REBUILD_REMOVED_LEAST, size.stored * REBUILD_REMOVED_SHARE)) await rebuild();
  }

  /** Copies what is left into a new index; searches use the old one until it is done. */
  async function rebuild(): Promise<void> {
    const next = createNeighbours();
    const nextThumbnails = openThumbnails();
    const turn = createTurns();
    let label = 0;
    const moved: IndexedEpisode[] = [];
    for (const episode of episodes) {
      moved.push({ ...episode, firstLabel: label });
      for (let frame = 0; frame < episode.table.count; frame++) {
        const thumbnail = thumbnails.read(episode.firstLabel + frame);
        if (thumbnail !== undefined) nextThumbnails.write(label, thumbnail);
        const vector = neighbours.vectorOf(episode.firstLabel + frame);
        if (vector !== undefined) next.add(label, Float32Array.from(vector));
        label++;
        await turn();
      }
    }
    neighbours.close?.();
    neighbours = next;
    thumbnails.close();
    thumbnails = nextThumbnails;
    nextLabel = label;
    episodes = moved;
  }

  async function search(
    image: ImageDescription,
    { limit, episodeKeys }: { limit: number; episodeKeys?: ReadonlySet<string> },
  ): Promise<Scene[]> {
    if (image.modelId !== model.id) throw new RangeError(`The picture is not described by ${model.id}.`);
    // As they are now: an index that is built anew meanwhile has other labels.
    const [among, thumbnailsAmong, episodesAmong] = [neighbours, thumbnails, episodes];
    const labelOf = ({ episode, frame }: Hit) => episode.firstLabel + frame;
    const vectorOf = (hit: Hit) => among.vectorOf(labelOf(hit)) ?? [];
    const thumbnailOf = (hit: Hit) => thumbnailsAmong.read(labelOf(hit));
    const compare = (a: Hit, b: Hit) => dot(vectorOf(a), vectorOf(b));
    const toHit = ({ label, cosine }: Neighbour, view = 0): Hit | undefined => {
      const episode = findEpisode(episodesAmong, label);
      return episode && { episode, frame: label - episode.firstLabel, view, cosine };
    };
    const recurrencesOf = (hit: Hit) =>
      findRecurrences(hit, {
        neighboursOf: (of) => {
          const vector = vectorOf(of);
          // Its episode was taken away while this search waited for its turn.
          return vector.length === 0 ? [] : among.search(Float32Array.from(vector), RECURRENCE_NEIGHBOURS);
        },
        toHit: (neighbour) => {
          const other = toHit(neighbour);
          return other && episodeKeys?.has(other.episode.key) === false ? undefined : other;
        },
        thumbnailOf,
      });
    const finish = async (hits: readonly Hit[]) => {
      const verified = await verifyHits(hits, {
        scoreWeights: model.scoreWeights,
        image,
        thumbnailOf,
        cosineOf: (hit) => dot(vectorOf(hit), image.views[hit.view]?.vector ?? []),
        turn: createTurns(),
      });
      const group = (all: readonly Hit[]) =>
        groupScenes(all, { model, image, limit, compare, recurrencesOf });
      const scenes = group(verified);
      if (options.regions === undefined || image.isFlat || scenes[0]?.isConfident) return scenes;
      const found = await searchRegions(options.regions);
      return found.length === 0 ? scenes : group([...verified, ...found]);
    };
    const searchRegions = async (regions: RegionSource) =>
      verifyRegions(await regions.findHits(image, REGION_NEIGHBOURS, episodeKeys), {
        scoreWeights: model.regionScoreWeights,
        image,
        regionThumbnailOf: regions.thumbnailOf,
        thumbnailOf,
        frameOf: (hit) => {
          const episode = episodesAmong.find(({ key }) => key === hit.episode.key);
          const frame = episode?.table.atSeconds.indexOf(hit.episode.table.atSeconds[hit.frame] ?? -1) ?? -1;
          return episode && frame >= 0 ? { ...hit, episode, frame } : undefined;
        },
        turn: createTurns(),
      });
    if (episodeKeys !== undefined) {
      const selected = episodes.filter(({ key }) => episodeKeys.has(key));
      return finish(await scan(selected, image, among));
    }
    let hits: Hit[] = [];
    for (const count of NEIGHBOUR_COUNTS) {
      hits = image.views.flatMap(({ vector }, view) =>
        among.search(vector, count).flatMap((neighbour) => toHit(neighbour, view) ?? []),
      );
      const isEnough = groupScenes(hits, { model, image, limit, compare }).length >= limit;
      if (isEnough || count >= among.size().stored) break;
    }
    return finish(hits);
  }

  /** What is similar to the views of a picture that may show a part of a scene, of some episodes or of all. */
  async function findHits(
    image: ImageDescription,
    count: number,
    episodeKeys?: ReadonlySet<string>,
  ): Promise<Hit[]> {
    const isPart = (view: number) => image.views[view]?.isPart !== false;
    if (episodeKeys !== undefined) {
      const selected = episodes.filter(({ key }) => episodeKeys.has(key));
      return (await scan(selected, image, neighbours)).filter(({ view }) => isPart(view));
    }
    return image.views.flatMap(({ vector }, view) => {
      if (!isPart(view)) return [];
      return neighbours.search(vector, count).flatMap(({ label, cosine }) => {
        const episode = findEpisode(episodes, label);
        return episode === undefined ? [] : { episode, frame: label - episode.firstLabel, view, cosine };
      });
    });
  }

  return {
    add,
    remove,
    search,
    findHits,
    thumbnailOf: ({ episode, frame }: Hit) => thumbnails.read(episode.firstLabel + frame),
    stats: () => ({
      frames: episodes.reduce((sum, { table }) => sum + table.count, 0),
      episodes: episodes.length,
      memoryBytes: neighbours.memoryBytes() + episodes.reduce((sum, { table }) => sum + tableBytes(table), 0),
    }),
    /** What a cache must hold. */
    content: () => ({ neighbours, episodes, nextLabel, thumbnails }),
    close: () => {
      neighbours.close?.();
      thumbnails.close();
    },
  };
}

/** Compares the picture with every frame of some episodes: exact, and faster than the graph for few of them. Best of each shot and view. */
async function scan(
  episodes: readonly IndexedEpisode[],
  image: ImageDescription,
  neighbours: Neighbours,
): Promise<Hit[]> {
  const hits: Hit[] = [];
  const turn = createTurns();
  for (const episode of episodes) {
    const best = new Map<number, Hit>();
    for (let frame = 0; frame < episode.table.count; frame++) {
      const stored = neighbours.vectorOf(episode.firstLabel + frame) ?? [];
      const shot = episode.table.shotOf[frame] ?? 0;
      for (const [view, { vector }] of image.views.entries()) {
        const cosine = dot(stored, vector);
        const index = shot * image.views.length + view;
        if (cosine > (best.get(index)?.cosine ?? 0)) best.set(index, { episode, frame, view, cosine });
      }
      await turn();
    }
    hits.push(...best.values());
  }
  return hits;
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

/** To be awaited after each small piece of work: lets waiting messages in when the thread was busy for a while. */
function createTurns() {
  let since = performance.now();
  return (): Promise<void> | undefined => {
    if (performance.now() - since < SLICE_MS) return undefined;
    return nextTurn().then(() => {
      since = performance.now();
    });
  };
}

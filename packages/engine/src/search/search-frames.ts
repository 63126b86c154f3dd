import { type Cancellation, throwIfCancelled } from "../cancellation.ts";
import type { FrameViews } from "../frame-index/frame-view.ts";
import { type Hit, shotKeyOf } from "../frame-index/hit.ts";
import type { ImageDescription } from "../image/image-description.ts";
import type { Model } from "../model/model.ts";
import { dot } from "../nearest-neighbours/frame-vectors.ts";
import { pinpointHits } from "../pinpoint/pinpoint.ts";
import type { VerifiedHit } from "../pinpoint/verified-hit.ts";
import { createVerifier } from "../verification/verifier.ts";
import { createYield } from "../yield.ts";
import { doubtHits } from "./doubt-hits.ts";
import { findRecurrences, LEAST_RECURRENCE_COSINE } from "./find-recurrences.ts";
import type { Scene } from "./scene.ts";
import { groupScenes } from "./scene-grouping.ts";
import { verifyHits } from "./verify-hits.ts";
import { verifyRegions } from "./verify-regions.ts";

const NEIGHBOUR_COUNTS = [64, 256, 1024];
const RECURRENCE_NEIGHBOURS = 512;
const REGION_NEIGHBOURS = 48;
/**
 * An image that shows a frame exactly. Its cosine is at least this, and only frames that are nearly as similar are
 * verified. It differs by at most `mostCost` levels: strips lose fine textures. A cover or a wide border costs more.
 */
const EXACT = { leastCosine: 0.85, cosineGap: 0.03, mostCost: 13 };

export type FrameSearch = { model: Model; openViews(): FrameViews };

/** Scenes of a search; `verificationMs` is the part of its duration in which hits were verified. */
export type FoundScenes = { scenes: Scene[]; verificationMs: number };

export type SceneSearchOptions = {
  limit: number;
  episodeKeys?: ReadonlySet<string> | undefined;
  /** Finds only a confident scene of which the whole image shows a frame exactly, and what resembles that. */
  isExact?: boolean;
  /** The search throws after another thread has set it. */
  cancelled?: Cancellation | undefined;
};

/** A search of one image that another thread requests. */
export type SearchRequest = { image: ImageDescription; options: SceneSearchOptions };

/**
 * Returns the scenes that resemble the image, best first. It yields to other calls every few milliseconds.
 * Throws when the search is cancelled.
 */
export async function searchFrames(
  { model, openViews }: FrameSearch,
  image: ImageDescription,
  { limit, episodeKeys, isExact = false, cancelled }: SceneSearchOptions,
): Promise<FoundScenes> {
  if (image.modelId !== model.id) throw new RangeError(`The image was not described by ${model.id}.`);
  const { frames: view, regions: regionView, frameOf } = openViews();
  const { thumbnailOf, load } = view;
  const vectorOf = (hit: Hit) => view.vectorOf(hit) ?? [];
  const compare = (a: Hit, b: Hit) => dot(vectorOf(a), vectorOf(b));
  /** By label: those of the best hit are needed when it is pinpointed, and again when it is the first scene. */
  const recurrences = new Map<number, Promise<Hit[]>>();
  const recurrencesOf = (hit: Hit): Promise<Hit[]> => {
    const label = hit.episode.firstLabel + hit.frame;
    const found = recurrences.get(label) ?? findRecurrences(hit, { neighboursOf, load, thumbnailOf });
    recurrences.set(label, found);
    return found;
  };
  const neighboursOf = async (hit: Hit) => {
    throwIfCancelled(cancelled);
    return view.findSimilar(hit, {
      count: RECURRENCE_NEIGHBOURS,
      leastCosine: LEAST_RECURRENCE_COSINE,
      episodeKeys,
    });
  };
  const group = async (hits: readonly VerifiedHit[]) => {
    const pinpointed = await pinpointHits(hits, {
      image,
      load,
      thumbnailOf,
      loadStrips: view.loadStrips,
      stripsOf: view.stripsOf,
      recurrencesOf,
      yieldNow: createYield(cancelled),
    });
    await load(pinpointed);
    const shots = new Set(pinpointed.map(shotKeyOf));
    const others = shots.size === 0 ? hits : hits.filter((hit) => !shots.has(shotKeyOf(hit)));
    const believed = doubtHits([...pinpointed, ...others], { image, thumbnailOf });
    const scenes = await groupScenes(believed, { model, image, limit, compare, recurrencesOf });
    return { scenes, cost: pinpointed[0]?.pinpoint?.cost ?? Number.POSITIVE_INFINITY };
  };

  let verificationMs = 0;
  const candidates = await findCandidates();
  if (candidates.length === 0 && isExact) return { scenes: [], verificationMs };
  using verifier = image.grey === null ? null : createVerifier(image.grey, image.cover);
  if (verifier === null) return { scenes: (await group(candidates)).scenes, verificationMs };
  let startedMs = performance.now();
  const best = bestCosineOf(candidates);
  const isLikely = ({ cosine }: Hit) => !isExact || cosine >= best - EXACT.cosineGap;
  const verified = await verifyHits(candidates.filter(isLikely), {
    verifier,
    scoreWeights: model.scoreWeights,
    image,
    thumbnailOf,
    load,
    cosineOf: (hit) => dot(vectorOf(hit), image.views[hit.view]?.vector ?? []),
    yieldNow: createYield(cancelled),
  });
  verificationMs += performance.now() - startedMs;
  const { scenes, cost } = await group([...verified, ...candidates.filter((hit) => !isLikely(hit))]);
  if (isExact)
    return { scenes: scenes[0]?.isConfident && cost <= EXACT.mostCost ? scenes : [], verificationMs };
  if (image.isFlat || scenes[0]?.isConfident) return { scenes, verificationMs };
  const regionCandidates = await findRegions();
  startedMs = performance.now();
  const found = await verifyRegions(regionCandidates, {
    verifier,
    scoreWeights: model.regionScoreWeights,
    image,
    regionThumbnailOf: regionView.thumbnailOf,
    loadRegions: regionView.load,
    frameOf,
    thumbnailOf,
    loadFrames: load,
    yieldNow: createYield(cancelled),
  });
  verificationMs += performance.now() - startedMs;
  return {
    scenes: found.length === 0 ? scenes : (await group([...verified, ...found])).scenes,
    verificationMs,
  };

  /**
   * Requests more neighbours when all of the nearest ones belong to few scenes. Returns none where the image shows no
   * frame exactly and only that is searched.
   */
  async function findCandidates(): Promise<Hit[]> {
    let hits: Hit[] = [];
    for (const count of NEIGHBOUR_COUNTS) {
      throwIfCancelled(cancelled);
      hits = await view.findHits(image, { count, episodeKeys });
      if (isExact && bestCosineOf(hits) < EXACT.leastCosine) return [];
      const isEnough = (await groupScenes(hits, { model, image, limit, compare })).length >= limit;
      if (isEnough || !view.hasMore(count)) break;
    }
    return hits;
  }

  function findRegions(): Hit[] | Promise<Hit[]> {
    const views = [...image.views.keys()].filter((at) => image.views[at]?.isPart !== false);
    return regionView.findHits(image, { count: REGION_NEIGHBOURS, views, episodeKeys });
  }
}

function bestCosineOf(hits: readonly Hit[]): number {
  return hits.reduce((best, { cosine }) => Math.max(best, cosine), -1);
}

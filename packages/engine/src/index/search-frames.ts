import { type Cancellation, throwIfCancelled } from "../cancellation.ts";
import type { ImageDescription } from "../image/image-description.ts";
import type { Model } from "../model.ts";
import { createTurns } from "../turns.ts";
import { findRecurrences } from "./find-recurrences.ts";
import { dot } from "./frame-vectors.ts";
import type { IndexedFrames } from "./indexed-frames.ts";
import type { Scene } from "./scene.ts";
import { groupScenes, type Hit } from "./scene-grouping.ts";
import { verifyHits } from "./verify-hits.ts";
import { verifyRegions } from "./verify-regions.ts";

const NEIGHBOUR_COUNTS = [64, 256, 1024];
const RECURRENCE_NEIGHBOURS = 512;
const REGION_NEIGHBOURS = 48;

export type FrameSearch = {
  model: Model;
  frames: Pick<IndexedFrames, "openView" | "stats">;
  /** The regions of the same episodes, searched when whole frames find no certain match. */
  regions: Pick<IndexedFrames, "openView">;
};

/** Scenes of a search; `verificationMs` is the part of its duration in which hits were verified. */
export type FoundScenes = { scenes: Scene[]; verificationMs: number };

export type SceneSearchOptions = {
  limit: number;
  episodeKeys?: ReadonlySet<string> | undefined;
  /** The search throws after another thread has set it. */
  cancelled?: Cancellation | undefined;
};

/**
 * Returns the scenes that resemble the image, best first. It yields to other calls every few milliseconds.
 * Throws when the search is cancelled.
 */
export async function searchFrames(
  { model, frames, regions }: FrameSearch,
  image: ImageDescription,
  { limit, episodeKeys, cancelled }: SceneSearchOptions,
): Promise<FoundScenes> {
  if (image.modelId !== model.id) throw new RangeError(`The image was not described by ${model.id}.`);
  const view = frames.openView();
  const regionView = regions.openView();
  const { thumbnailOf } = view;
  const vectorOf = (hit: Hit) => view.vectorOf(hit) ?? [];
  const compare = (a: Hit, b: Hit) => dot(vectorOf(a), vectorOf(b));
  const recurrencesOf = (hit: Hit) =>
    findRecurrences(hit, {
      neighboursOf: (of) => {
        throwIfCancelled(cancelled);
        const vector = view.vectorOf(of);
        // The episode was removed while this search was suspended.
        if (vector === undefined) return [];
        return view.findNearest([vector], { count: RECURRENCE_NEIGHBOURS, episodeKeys })[0] ?? [];
      },
      thumbnailOf,
    });
  const group = (hits: readonly Hit[]) => groupScenes(hits, { model, image, limit, compare, recurrencesOf });

  let verificationMs = 0;
  const candidates = findCandidates();
  let startedMs = performance.now();
  const verified = await verifyHits(candidates, {
    scoreWeights: model.scoreWeights,
    image,
    thumbnailOf,
    cosineOf: (hit) => dot(vectorOf(hit), image.views[hit.view]?.vector ?? []),
    turn: createTurns(cancelled),
  });
  verificationMs += performance.now() - startedMs;
  const scenes = group(verified);
  if (image.isFlat || scenes[0]?.isConfident) return { scenes, verificationMs };
  const regionCandidates = findRegions();
  startedMs = performance.now();
  const found = await verifyRegions(regionCandidates, {
    scoreWeights: model.regionScoreWeights,
    image,
    regionThumbnailOf: regionView.thumbnailOf,
    thumbnailOf,
    frameOf,
    turn: createTurns(cancelled),
  });
  verificationMs += performance.now() - startedMs;
  return { scenes: found.length === 0 ? scenes : group([...verified, ...found]), verificationMs };

  /** Requests more neighbours when all of the nearest ones belong to few scenes. */
  function findCandidates(): Hit[] {
    const { frames: frameCount } = frames.stats();
    let hits: Hit[] = [];
    for (const count of NEIGHBOUR_COUNTS) {
      throwIfCancelled(cancelled);
      hits = view.findHits(image, { count, episodeKeys });
      const isEnough = groupScenes(hits, { model, image, limit, compare }).length >= limit;
      if (isEnough || count >= frameCount) break;
    }
    return hits;
  }

  function findRegions(): Hit[] {
    const views = [...image.views.keys()].filter((at) => image.views[at]?.isPart !== false);
    return regionView.findHits(image, { count: REGION_NEIGHBOURS, views, episodeKeys });
  }

  /** Returns the frame of a region; undefined when it was removed. */
  function frameOf(hit: Hit): Hit | undefined {
    const episode = view.episodeOf(hit.episode.key);
    const frame = episode?.table.atSeconds.indexOf(hit.episode.table.atSeconds[hit.frame] ?? -1) ?? -1;
    return episode && frame >= 0 ? { ...hit, episode, frame } : undefined;
  }
}

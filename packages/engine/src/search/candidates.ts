import { frameKeyOf, type Hit, shotKeyOf } from "../frame-index/hit.ts";

/** A stored frame that may match, and the views of the image that are similar to it, best first. */
export type Candidate = { hit: Hit; views: { view: number; cosine: number }[] };

const PER_SHOT = 2;
/** The best locations of each view are also candidates, at most this many per view. */
const LOCATIONS_PER_VIEW = 3;
const LOCATION_SECONDS = 3;
const VIEWS_PER_FRAME = 2;
/** A second view is tried when its cosine is at most this much lower. */
const VIEW_GAP = 0.08;
/** Ranks of the most similar shots of a view that estimate its similarity to unrelated shots. */
const BACKGROUND = { from: 4, to: 20 };

/**
 * Chooses at most `limit` frames for verification, most promising first: in turns the frames most similar to
 * any view, those that exceed the background of their view most, and the best of each view. A blank view is
 * similar to every blank frame, and no frame exceeds its background. A view of a small part of the scene has
 * low similarities, but its own frame may have the highest of them.
 */
export function pickCandidates(hits: readonly Hit[], limit: number): Candidate[] {
  const byCosine = orderBy(hits, ({ cosine }) => cosine);
  const backgrounds = findBackgrounds(byCosine);
  const standOut = ({ view, cosine }: Pick<Hit, "view" | "cosine">) => cosine - (backgrounds[view] ?? 0);
  const byStandOut = orderBy(hits, standOut);
  const chosen = new Map<number, Candidate>();
  const inShot = new Map<string, number>();
  const take = (hit: Hit, perShot: number): boolean => {
    const frame = frameKeyOf(hit);
    if (chosen.has(frame)) return false;
    const shot = shotKeyOf(hit);
    const taken = inShot.get(shot) ?? 0;
    if (taken >= perShot) return false;
    inShot.set(shot, taken + 1);
    chosen.set(frame, { hit, views: [] });
    return true;
  };
  const sources = [
    { hits: byCosine.values(), perShot: PER_SHOT },
    { hits: byStandOut.values(), perShot: PER_SHOT },
    { hits: bestOfViews(byCosine, standOut).values(), perShot: Number.POSITIVE_INFINITY },
  ];
  for (let isMore = true; isMore && chosen.size < limit; ) {
    isMore = false;
    for (const { hits, perShot } of sources) {
      for (const hit of hits) {
        isMore = true;
        if (take(hit, perShot)) break;
      }
      if (chosen.size >= limit) break;
    }
  }
  for (const hit of byStandOut) {
    const views = chosen.get(frameKeyOf(hit))?.views;
    if (views === undefined || views.some(({ view }) => view === hit.view)) continue;
    views.push({ view: hit.view, cosine: hit.cosine });
  }
  for (const { views } of chosen.values()) {
    const best = Math.max(...views.map(standOut));
    const near = views.filter((one) => standOut(one) >= best - VIEW_GAP);
    views.splice(0, views.length, ...near.slice(0, VIEWS_PER_FRAME));
  }
  return [...chosen.values()];
}

/**
 * Returns the best location of each view, ordered by their margin over the background; then the second of
 * each, and so on.
 */
function bestOfViews(byCosine: readonly Hit[], standOut: (hit: Hit) => number): Hit[] {
  const byView = new Map<number, Hit[]>();
  for (const hit of byCosine) {
    const locations = byView.get(hit.view) ?? [];
    byView.set(hit.view, locations);
    if (locations.length < LOCATIONS_PER_VIEW && !locations.some((location) => isNear(location, hit)))
      locations.push(hit);
  }
  return Array.from({ length: LOCATIONS_PER_VIEW }, (_, rank) =>
    [...byView.values()]
      .flatMap((locations) => locations[rank] ?? [])
      .sort((a, b) => standOut(b) - standOut(a)),
  ).flat();
}

function isNear(a: Hit, b: Hit): boolean {
  const secondsOf = ({ episode, frame }: Hit) => episode.table.atSeconds[frame] ?? 0;
  return a.episode === b.episode && Math.abs(secondsOf(a) - secondsOf(b)) < LOCATION_SECONDS;
}

/**
 * Returns the mean cosine of similar, but not the most similar, shots of each view, by its number. The first hit of a
 * shot and a view is the most similar one.
 */
function findBackgrounds(byCosine: readonly Hit[]): number[] {
  const found: { shots: Set<string>; cosines: number[] }[] = [];
  for (const hit of byCosine) {
    found[hit.view] ??= { shots: new Set(), cosines: [] };
    const { shots, cosines } = found[hit.view] ?? { shots: new Set(), cosines: [] };
    if (cosines.length === BACKGROUND.to) continue;
    const shot = shotKeyOf(hit);
    if (shots.has(shot)) continue;
    shots.add(shot);
    cosines.push(hit.cosine);
  }
  return found.map(({ cosines }) => {
    const some = cosines.length > BACKGROUND.from ? cosines.slice(BACKGROUND.from) : cosines.slice(-1);
    return some.reduce((sum, cosine) => sum + cosine, 0) / some.length;
  });
}

/** More hits than a search has. */
const MOST_HITS = 2 ** 17;

/**
 * Returns the hits by falling value (-2..2, to 2^-32); hits of equal value keep their order. Numbers are sorted without
 * a function that compares them: a search of an image in no video sorts 4,600 hits several times.
 */
function orderBy(hits: readonly Hit[], measure: (hit: Hit) => number): Hit[] {
  const keys = new Float64Array(hits.length);
  let at = 0;
  for (const hit of hits) {
    keys[at] = Math.round((2 - measure(hit)) * 2 ** 32) * MOST_HITS + at;
    at++;
  }
  const ordered: Hit[] = [];
  for (const key of keys.sort()) {
    const hit = hits[key % MOST_HITS];
    if (hit !== undefined) ordered.push(hit);
  }
  return ordered;
}

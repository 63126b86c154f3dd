import type { Hit } from "../frame-index/hit.ts";

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
  const backgrounds = findBackgrounds(hits);
  const standOut = (hit: Hit) => hit.cosine - (backgrounds.get(hit.view) ?? 0);
  const byCosine = [...hits].sort((a, b) => b.cosine - a.cosine);
  const byStandOut = [...hits].sort((a, b) => standOut(b) - standOut(a));
  const chosen = new Map<string, Candidate>();
  const inShot = new Map<string, number>();
  const take = (hit: Hit, perShot: number): boolean => {
    const frame = frameKey(hit);
    if (chosen.has(frame)) return false;
    const shot = shotKey(hit);
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
    const views = chosen.get(frameKey(hit))?.views;
    if (views === undefined || views.some(({ view }) => view === hit.view)) continue;
    views.push({ view: hit.view, cosine: hit.cosine });
  }
  for (const { views } of chosen.values()) {
    const gap = ({ view, cosine }: { view: number; cosine: number }) => cosine - (backgrounds.get(view) ?? 0);
    const best = Math.max(...views.map(gap));
    views.splice(
      0,
      views.length,
      ...views.filter((one) => gap(one) >= best - VIEW_GAP).slice(0, VIEWS_PER_FRAME),
    );
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

/** Returns the mean cosine of similar, but not the most similar, shots of each view. */
function findBackgrounds(hits: readonly Hit[]): Map<number, number> {
  const byView = new Map<number, Map<string, number>>();
  for (const hit of hits) {
    const shots = byView.get(hit.view) ?? new Map<string, number>();
    byView.set(hit.view, shots);
    const shot = shotKey(hit);
    shots.set(shot, Math.max(shots.get(shot) ?? -1, hit.cosine));
  }
  const backgrounds = new Map<number, number>();
  for (const [view, shots] of byView) {
    const cosines = [...shots.values()].sort((a, b) => b - a);
    const some = cosines.slice(BACKGROUND.from, BACKGROUND.to);
    const used = some.length > 0 ? some : cosines.slice(-1);
    backgrounds.set(view, used.reduce((sum, cosine) => sum + cosine, 0) / used.length);
  }
  return backgrounds;
}

function frameKey({ episode, frame }: Hit): string {
  return `${episode.firstLabel}:${frame}`;
}

function shotKey({ episode, frame }: Hit): string {
  return `${episode.firstLabel}/${episode.table.shotOf[frame] ?? 0}`;
}

import type { Hit } from "./scene-grouping.ts";

/** A stored frame that may be the one, and the views of the picture that it looks like, best first. */
export type Candidate = { hit: Hit; views: { view: number; cosine: number }[] };

const PER_SHOT = 2;
const VIEWS_PER_FRAME = 2;
/** A second view is only worth trying when it fits about as well. */
const VIEW_GAP = 0.08;
/** Which of a view's most similar shots tell how similar others are to it by chance. */
const BACKGROUND = { from: 4, to: 20 };

/**
 * Chooses the frames that are worth a closer look, at most `limit`, most promising first: in turns those most similar to any view, and those that
 * stand out most among what is similar to their view. A view of something blank is similar to every blank frame, and none stands out.
 */
export function pickCandidates(hits: readonly Hit[], limit: number): Candidate[] {
  const backgrounds = findBackgrounds(hits);
  const standOut = (hit: Hit) => hit.cosine - (backgrounds.get(hit.view) ?? 0);
  const byCosine = [...hits].sort((a, b) => b.cosine - a.cosine);
  const byStandOut = [...hits].sort((a, b) => standOut(b) - standOut(a));
  const chosen = new Map<string, Candidate>();
  const inShot = new Map<string, number>();
  const take = (hit: Hit): boolean => {
    const frame = frameKey(hit);
    if (chosen.has(frame)) return false;
    const shot = shotKey(hit);
    const taken = inShot.get(shot) ?? 0;
    if (taken >= PER_SHOT) return false;
    inShot.set(shot, taken + 1);
    chosen.set(frame, { hit, views: [] });
    return true;
  };
  const lists = [byCosine, byStandOut].map((list) => list.values());
  for (let isMore = true; isMore && chosen.size < limit; ) {
    isMore = false;
    for (const list of lists) {
      for (const hit of list) {
        isMore = true;
        if (take(hit)) break;
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

/** For each view: mean cosine of shots that are similar to it, but not the most similar ones. */
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

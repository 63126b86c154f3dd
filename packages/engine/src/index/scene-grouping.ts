import type { FrameTable } from "../episode/frame-table.ts";
import type { Model } from "../model.ts";
import type { PictureDescription } from "../picture/picture-description.ts";
import { calibrate } from "./calibration.ts";
import type { Scene } from "./scene.ts";

/** Shots of an episode that are this close in time and alike are one scene: the film cut away and came back. */
const SAME_SCENE_SECONDS = 5;
const SAME_SCENE_COSINE = 0.9;
/** What being mirrored costs, so that the plain view wins where both fit equally. */
const MIRRORED_PENALTY = 0.01;
/** What a flat picture's similarity is multiplied with: everything flat looks like everything flat. */
const FLAT_FACTOR = 0.5;

/** A frame that looks like one of the picture's views. */
export type Hit = {
  episode: { key: string; table: FrameTable; firstLabel: number };
  /** Index into the episode's table. */
  frame: number;
  /** Index into the picture's views. */
  view: number;
  cosine: number;
};

type Grouping = {
  model: Model;
  picture: PictureDescription;
  limit: number;
  /** Cosine of two stored frames. */
  compare: (a: Hit, b: Hit) => number;
};

/**
 * Turns similar frames into scenes, best first: one per shot, at the time of its best frame; shots that are the same scene are named once.
 * At most `limit`.
 */
export function groupScenes(hits: readonly Hit[], options: Grouping): Scene[] {
  const { picture, model, limit } = options;
  const chosen: (Hit & { score: number })[] = [];
  for (const hit of bestOfEachShot(hits, picture)) {
    if (chosen.length >= limit) break;
    if (!chosen.some((other) => isSameScene(hit, other, options))) chosen.push(hit);
  }
  return chosen.map(({ episode, frame, view, score }) => {
    const shot = shotOf({ episode, frame });
    const { region, isMirrored } = picture.views[view] ?? { region: null, isMirrored: false };
    const similarity = calibrate(model.calibration, score) * (picture.isFlat ? FLAT_FACTOR : 1);
    return {
      episodeKey: episode.key,
      atSeconds: episode.table.atSeconds[frame] ?? 0,
      fromSeconds: shot.fromSeconds,
      toSeconds: shot.toSeconds,
      similarity,
      isConfident: !picture.isFlat && similarity >= model.confidentAt,
      isMirrored,
      region,
    };
  });
}

function bestOfEachShot(hits: readonly Hit[], picture: PictureDescription) {
  const best = new Map<string, Hit & { score: number }>();
  for (const hit of hits) {
    const score = hit.cosine - (picture.views[hit.view]?.isMirrored ? MIRRORED_PENALTY : 0);
    const shot = `${hit.episode.firstLabel}:${hit.episode.table.shotOf[hit.frame]}`;
    const other = best.get(shot);
    if (other === undefined || score > other.score) best.set(shot, { ...hit, score });
  }
  const inOrder = (hit: Hit) => hit.episode.firstLabel + hit.frame;
  return [...best.values()].sort((a, b) => b.score - a.score || inOrder(a) - inOrder(b));
}

function isSameScene(a: Hit, b: Hit, { compare }: Grouping): boolean {
  if (a.episode !== b.episode) return false;
  const [one, other] = [shotOf(a), shotOf(b)];
  const gapSeconds = Math.max(one.fromSeconds, other.fromSeconds) - Math.min(one.toSeconds, other.toSeconds);
  return gapSeconds <= SAME_SCENE_SECONDS && compare(a, b) >= SAME_SCENE_COSINE;
}

function shotOf({ episode, frame }: Pick<Hit, "episode" | "frame">) {
  const { shots, shotOf: shotOfFrame } = episode.table;
  return shots[shotOfFrame[frame] ?? 0] ?? { fromSeconds: 0, toSeconds: 0 };
}

import type { ImageDescription, Region } from "../image/image-description.ts";
import type { Model } from "../model/model.ts";
import { areAlike } from "../pinpoint/shot-frames.ts";
import type { VerifiedHit } from "../pinpoint/verified-hit.ts";
import { calibrate } from "./calibration.ts";
import type { Scene, SceneLocation } from "./scene.ts";
import { weighRivals } from "./weigh-rivals.ts";

/** Similar shots of an episode within this time are one scene: the video cuts away and returns. */
const SAME_SCENE_SECONDS = 5;
const SAME_SCENE_COSINE = 0.9;
/** Penalty of mirrored views and of partial views: the plain view wins when others do not fit better. */
const VIEW_PENALTY = 0.01;
/** Factor of the score of a flat image, which resembles all flat frames. */
const FLAT_FACTOR = 0.5;

/** Largest number of other occurrences of a scene. */
const MOST_OCCURRENCES = 20;
/** Recurrences are searched for scenes of at least this score. */
const LEAST_RECURRING = 0.2;
/** Shots of two episodes are not cut at exactly the same frames. */
const RECURRENCE_SLACK_SECONDS = 1;
/** Factor of the score of candidates that were not verified. */
const UNVERIFIED_FACTOR = 0.05;
/** A cost that no frame exceeds. */
const LARGEST_COST = 1000;
/** A region that omits at most this fraction on each side is the whole image. */
const WHOLE_MARGIN = 0.02;

type Grouping = {
  model: Model;
  image: ImageDescription;
  limit: number;
  /** Returns the cosine of two stored frames. */
  compare: (a: VerifiedHit, b: VerifiedHit) => number;
  /** Returns the same content in other shots; without it recurrences are not searched. */
  recurrencesOf?: (hit: VerifiedHit) => Promise<readonly VerifiedHit[]>;
};

/**
 * Groups similar frames into scenes, best first: one per shot, at the time of its best frame. Shots of the
 * same scene are returned once. At most `limit` scenes.
 */
export async function groupScenes(hits: readonly VerifiedHit[], options: Grouping): Promise<Scene[]> {
  const { image, model, limit, recurrencesOf } = options;
  const chosen: (VerifiedHit & { score: number; recurring: readonly VerifiedHit[] })[] = [];
  for (const hit of bestOfEachShot(hits, options)) {
    if (chosen.length >= limit) break;
    if (chosen.some((other) => isSameScene(hit, other, options) || isRecurrence(hit, other))) continue;
    const recurring = hit.score >= LEAST_RECURRING ? ((await recurrencesOf?.(hit)) ?? []) : [];
    chosen.push({ ...hit, recurring });
  }
  const location = (hit: VerifiedHit) => locationOf(hit, model.minGapSeconds);
  const toLocations = (hits: readonly VerifiedHit[]) => (hits.length > 0 ? hits.map(location) : null);
  const scenes = chosen.map((hit) => {
    const { view, score, verification, recurring } = hit;
    const { region, isMirrored } = verification ?? image.views[view] ?? { region: null, isMirrored: false };
    return {
      ...location(hit),
      score: score * (image.isFlat ? FLAT_FACTOR : 1),
      isMirrored,
      region: region !== null && isWhole(region) ? null : region,
      recurring: toLocations(
        firstOfOtherEpisodes(hit, hit.pinpoint === undefined ? recurring : lookalikesOf(hit, hits)),
      ),
      otherOccurrences: recurring.slice(0, MOST_OCCURRENCES).map(location),
      features: verification?.features ?? null,
    };
  });
  return weighRivals(scenes, model, image.isFlat);
}

/**
 * A stored frame represents the nearly equal frames after it, up to the next stored one. The middle of them
 * is at most half as far from the true time as either end, which reduces the mean error of the time by a
 * tenth.
 */
function locationOf({ episode, frame, pinpoint }: VerifiedHit, minGapSeconds: number): SceneLocation {
  const { fromSeconds, toSeconds } = shotOf({ episode, frame });
  if (pinpoint !== undefined) {
    const { atSeconds, looksSameFrom, looksSameTo } = pinpoint;
    return { episodeKey: episode.key, atSeconds, fromSeconds, toSeconds, looksSameFrom, looksSameTo };
  }
  const { atSeconds, shotOf: shots } = episode.table;
  const at = atSeconds[frame] ?? 0;
  const next = shots[frame + 1] === shots[frame] ? atSeconds[frame + 1] : undefined;
  const until = next === undefined ? toSeconds : next - minGapSeconds;
  return {
    episodeKey: episode.key,
    atSeconds: (at + Math.max(at, until)) / 2,
    fromSeconds,
    toSeconds,
    looksSameFrom: null,
    looksSameTo: null,
  };
}

/** True when the other scene, of another episode, is a recurrence of this one. */
function isRecurrence(
  hit: VerifiedHit,
  { recurring, episode }: VerifiedHit & { recurring: readonly VerifiedHit[] },
): boolean {
  const ownKey = episode.key;
  const atSeconds = hit.episode.table.atSeconds[hit.frame] ?? 0;
  return recurring.some((location) => {
    const { fromSeconds, toSeconds } = shotOf(location);
    return (
      location.episode.key !== ownKey &&
      location.episode.key === hit.episode.key &&
      atSeconds >= fromSeconds - RECURRENCE_SLACK_SECONDS &&
      atSeconds <= toSeconds + RECURRENCE_SLACK_SECONDS
    );
  });
}

/** Returns the best frames of other shots that look like the frame of a hit. */
function lookalikesOf({ pinpoint }: VerifiedHit, hits: readonly VerifiedHit[]): VerifiedHit[] {
  if (pinpoint === undefined) return [];
  return hits.filter(
    (other) => other.pinpoint !== undefined && areAlike(other.pinpoint.parts, pinpoint.parts),
  );
}

/** Returns the first location of each episode other than the episode of the hit. */
function firstOfOtherEpisodes(hit: VerifiedHit, locations: readonly VerifiedHit[]): VerifiedHit[] {
  const byKey = new Map<string, VerifiedHit>();
  for (const location of locations) {
    const { key } = location.episode;
    if (key !== hit.episode.key && !byKey.has(key)) byKey.set(key, location);
  }
  return [...byKey.values()];
}

function bestOfEachShot(hits: readonly VerifiedHit[], { image, model }: Grouping) {
  const isVerified = hits.some(({ verification }) => verification !== undefined);
  // Thousands of hits are in a few hundred shots: the keys are numbers.
  const best = new Map<number, Map<number, Scored>>();
  for (const hit of hits) {
    const { episode, frame, cosine, verification } = hit;
    const view = image.views[hit.view];
    const penalties = Number(view?.isMirrored ?? false) + Number(Boolean(view?.region));
    const plain = calibrate(model.calibration, cosine - penalties * VIEW_PENALTY);
    const score = verification?.similarity ?? (isVerified ? plain * UNVERIFIED_FACTOR : plain);
    const shots = best.get(episode.firstLabel) ?? new Map<number, Scored>();
    best.set(episode.firstLabel, shots);
    const shot = episode.table.shotOf[frame] ?? -1;
    const other = shots.get(shot);
    const scored = { hit, score };
    if (other === undefined || compareScored(scored, other) < 0) shots.set(shot, scored);
  }
  return [...best.values()]
    .flatMap((shots) => [...shots.values()])
    .sort(compareScored)
    .map(({ hit, score }) => ({ ...hit, score }));
}

type Scored = { hit: VerifiedHit; score: number };

/**
 * Orders best first: of equal scores the one that differs least from the image; equal hits keep their order.
 */
function compareScored(a: Scored, b: Scored): number {
  const costOf = ({ hit: { pinpoint } }: Scored) => pinpoint?.cost ?? LARGEST_COST;
  const labelOf = ({ hit: { episode, frame } }: Scored) => episode.firstLabel + frame;
  return b.score - a.score || costOf(a) - costOf(b) || b.hit.cosine - a.hit.cosine || labelOf(a) - labelOf(b);
}

function isSameScene(a: VerifiedHit, b: VerifiedHit, { compare }: Grouping): boolean {
  if (a.episode !== b.episode) return false;
  const [one, other] = [shotOf(a), shotOf(b)];
  const gapSeconds = Math.max(one.fromSeconds, other.fromSeconds) - Math.min(one.toSeconds, other.toSeconds);
  return gapSeconds <= SAME_SCENE_SECONDS && compare(a, b) >= SAME_SCENE_COSINE;
}

function isWhole({ x, y, width, height }: Region): boolean {
  return Math.max(x, y, 1 - x - width, 1 - y - height) <= WHOLE_MARGIN;
}

function shotOf({ episode, frame }: Pick<VerifiedHit, "episode" | "frame">) {
  const { shots, shotOf: shotOfFrame } = episode.table;
  return shots[shotOfFrame[frame] ?? 0] ?? { fromSeconds: 0, toSeconds: 0 };
}

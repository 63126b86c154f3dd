import type { Region } from "../image/image-description.ts";
import type { RivalWeights } from "../model/score-weights.ts";
import type { Scene } from "./scene.ts";

/** A scene whose similarity is not known yet. */
export type ScoredScene = Omit<Scene, "isConfident" | "similarity">;

/** A search finds at least this many scenes, so that one of another episode is usually among them. */
export const LEAST_SCENES = 5;

const MOST_ODDS = 9;
/** Unlikely rivals are all alike. A certain one does not make a certain scene uncertain: a collage shows both. */
const RIVAL_ODDS = { least: -5, most: 2 };
/** The log odds of the rival where no scene of another episode is known. */
const USUAL_RIVAL_ODDS = -4;

/** Two scenes of which the smaller one has at least this share of its area in common with the other show one part. */
const SAME_PART = 0.5;

/**
 * Sets the similarity of scenes, best first by their scores. The rival of a scene is the best one of another
 * episode: several works that resemble an image about equally are most likely all wrong, and a scene without
 * a rival is most likely right. Recurrences of a scene are not its rivals, because they are no scenes.
 * Scenes of one part of the image exclude each other, and only scenes of different parts are confident
 * together, those before the others. A flat image has no confident scene.
 */
export function weighRivals(
  scenes: readonly ScoredScene[],
  { rivalWeights, confidentAt }: { rivalWeights: RivalWeights; confidentAt: number },
  isFlat: boolean,
): Scene[] {
  let least = 1;
  const weighed = scenes.map((scene): Scene => {
    const rival = scenes.find(({ episodeKey }) => episodeKey !== scene.episodeKey);
    const [ofScene, ofRival] = rivalTermsOf(scene.score, rival?.score);
    const odds = rivalWeights.bias + rivalWeights.score * ofScene + rivalWeights.rival * ofRival;
    least = Math.min(least, 1 / (1 + Math.exp(-odds)));
    return { ...scene, similarity: least, isConfident: !isFlat && least >= confidentAt };
  });
  const confident: Scene[] = [];
  const others: Scene[] = [];
  for (const scene of weighed) {
    const excluding = confident.find((other) => isSamePart(scene.region, other.region));
    if (scene.isConfident && excluding === undefined) confident.push(scene);
    else if (excluding === undefined) others.push(scene);
    else {
      const similarity = Math.min(scene.similarity, 1 - excluding.similarity);
      others.push({ ...scene, similarity, isConfident: false });
    }
  }
  const ordered = [...confident, ...others];
  let most = 1;
  return ordered.map((scene) => {
    most = Math.min(most, scene.similarity);
    return { ...scene, similarity: most };
  });
}

function isSamePart(one: Region | null, other: Region | null): boolean {
  if (one === null || other === null) return true;
  const width = Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x);
  const height = Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y);
  const smaller = Math.min(one.width * one.height, other.width * other.height);
  return width > 0 && height > 0 && width * height >= SAME_PART * smaller;
}

/** Returns the terms of the weights `score` and `rival`: the log odds of the scores, within bounds. */
export function rivalTermsOf(score: number, rivalScore: number | undefined): [number, number] {
  const ofRival = rivalScore === undefined ? USUAL_RIVAL_ODDS : oddsOf(rivalScore);
  return [oddsOf(score), Math.max(RIVAL_ODDS.least, Math.min(RIVAL_ODDS.most, ofRival))];
}

function oddsOf(probability: number): number {
  return Math.max(-MOST_ODDS, Math.min(MOST_ODDS, Math.log(probability / (1 - probability))));
}

import type { Model } from "../model/model.ts";
import type { Scene, SceneLocation } from "./scene.ts";
import { weighRivals } from "./weigh-rivals.ts";

/**
 * Merges the scenes of two passes over one image that is not flat, best first, each once with its higher score.
 * A later pass considers other views and may miss a scene of the first one, and its scenes are rivals of
 * those of the first one.
 */
export function mergeScenes(first: readonly Scene[], second: readonly Scene[], model: Model): Scene[] {
  const chosen: Scene[] = [];
  for (const scene of [...second, ...first].sort((a, b) => b.score - a.score)) {
    if (!chosen.some((other) => isSameLocation(scene, other))) chosen.push(scene);
  }
  return weighRivals(chosen, model, false);
}

function isSameLocation(one: Scene, other: Scene): boolean {
  const isShot = (a: SceneLocation, b: SceneLocation) =>
    a.episodeKey === b.episodeKey && a.fromSeconds === b.fromSeconds && a.toSeconds === b.toSeconds;
  return [other, ...(other.recurring ?? [])].some((location) => isShot(one, location));
}

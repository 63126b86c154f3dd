import type { Scene, SceneLocation } from "./scene.ts";

/**
 * Merges the scenes of two passes over one image, best first, each once with its higher similarity, at most
 * `limit`. The second pass considers more views and may miss a scene of the first one.
 */
export function mergeScenes(first: readonly Scene[], second: readonly Scene[], limit: number): Scene[] {
  const chosen: Scene[] = [];
  for (const scene of [...second, ...first].sort((a, b) => b.similarity - a.similarity)) {
    if (!chosen.some((other) => isSameLocation(scene, other))) chosen.push(scene);
  }
  return chosen.slice(0, limit);
}

function isSameLocation(one: Scene, other: Scene): boolean {
  const isShot = (a: SceneLocation, b: SceneLocation) =>
    a.episodeKey === b.episodeKey && a.fromSeconds === b.fromSeconds && a.toSeconds === b.toSeconds;
  return [other, ...(other.recurring ?? [])].some((location) => isShot(one, location));
}

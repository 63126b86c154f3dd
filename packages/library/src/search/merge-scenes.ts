import type { Scene, SceneLocation } from "@koma/engine";

/**
 * The scenes of two looks at one picture, best first, each once with the better of its similarities, at most `limit`: the second look considers
 * more and may lose sight of what the first one saw.
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

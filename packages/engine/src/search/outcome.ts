import type { Model } from "../model/model.ts";
import type { Scene } from "./scene.ts";

/**
 * The outcome of a search: `found` when the best scene is confident, `not_in_library` when the best one is
 * most likely an unrelated similar scene, `uncertain` between the two.
 */
export type Outcome = "found" | "not_in_library" | "uncertain";

/** Returns the outcome of a search with these scenes, best first. It is `not_in_library` without scenes. */
export function outcomeOf(scenes: readonly Scene[], model: Pick<Model, "absentBelow">): Outcome {
  const best = scenes[0];
  if (best === undefined) return "not_in_library";
  if (best.isConfident) return "found";
  return best.similarity < model.absentBelow ? "not_in_library" : "uncertain";
}

import type { Model } from "../model.ts";
import type { Scene } from "./scene.ts";

/**
 * What a search comes to: `found` when the best scene is presented as the answer, `not_in_library` when the best one is
 * most likely a look-alike, `uncertain` between the two.
 */
export type Outcome = "found" | "not_in_library" | "uncertain";

/** The outcome of a search with these scenes, best first. A library without scenes does not hold the picture. */
export function outcomeOf(scenes: readonly Scene[], model: Pick<Model, "absentBelow">): Outcome {
  const best = scenes[0];
  if (best === undefined) return "not_in_library";
  if (best.isConfident) return "found";
  return best.similarity < model.absentBelow ? "not_in_library" : "uncertain";
}

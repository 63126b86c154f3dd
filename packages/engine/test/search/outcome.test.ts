import { loadModel, type Model, outcomeOf, type Scene } from "@koma/engine";
import { beforeAll, expect, it } from "vitest";

let model: Model;
beforeAll(async () => {
  model = await loadModel();
});

function sceneOf(similarity: number): Scene {
  const location = { episodeKey: "one", atSeconds: 1, fromSeconds: 0, toSeconds: 2 };
  const isConfident = similarity >= model.confidentAt;
  return {
    ...location,
    score: similarity,
    similarity,
    isConfident,
    isMirrored: false,
    region: null,
    looksSameFrom: null,
    looksSameTo: null,
    recurring: null,
    otherOccurrences: [],
    features: null,
  };
}

it("distinguishes found, uncertain and absent images by the best scene", () => {
  const outcomes = [
    model.confidentAt,
    model.confidentAt - 0.01,
    model.absentBelow,
    model.absentBelow - 1e-6,
  ].map((similarity) => outcomeOf([sceneOf(similarity), sceneOf(0)], model));
  expect(outcomes).toEqual(["found", "uncertain", "uncertain", "not_in_library"]);
  expect(outcomeOf([], model)).toBe("not_in_library");
});

it("is never `found` without confidence, as for an image of one colour", () => {
  expect(outcomeOf([{ ...sceneOf(0.9), isConfident: false }], model)).toBe("uncertain");
});

import { loadModel, outcomeOf } from "@koma/engine";
import { expect, it } from "vitest";
import { mergeScenes } from "../../src/search/merge-scenes.ts";
import { type ScoredScene, weighRivals } from "../../src/search/weigh-rivals.ts";

const model = await loadModel();

function scene(episodeKey: string, score: number, fromSeconds = 0): ScoredScene {
  return {
    episodeKey,
    atSeconds: fromSeconds + 1,
    fromSeconds,
    toSeconds: fromSeconds + 2,
    score,
    isMirrored: false,
    region: null,
    looksSameFrom: null,
    looksSameTo: null,
    recurring: null,
    otherOccurrences: [],
    features: null,
  };
}

const similarityOf = (...scenes: ScoredScene[]) => weighRivals(scenes, model, false)[0]?.similarity ?? 0;

it("lowers the similarity of a scene with a rival in another episode, not in its own", () => {
  const alone = similarityOf(scene("a", 0.6), scene("b", 0.01));
  expect(similarityOf(scene("a", 0.6), scene("b", 0.5))).toBeLessThan(alone / 2);
  expect(similarityOf(scene("a", 0.6), scene("a", 0.5, 9), scene("b", 0.01))).toBe(alone);
});

it("is confident of a clear scene even beside a clear rival in another part: a collage shows two", () => {
  const [left, right] = [0, 0.5].map((x) => ({ x, y: 0, width: 0.5, height: 1 }));
  const both = [
    { ...scene("a", 0.999), region: left ?? null },
    { ...scene("b", 0.998), region: left ?? null },
    { ...scene("c", 0.997), region: right ?? null },
  ];
  const weighed = weighRivals(both, model, false);
  expect(weighed.map(({ episodeKey }) => episodeKey)).toEqual(["a", "c", "b"]);
  expect(weighed.map(({ isConfident }) => isConfident)).toEqual([true, true, false]);
});

it("is confident of one of two scenes that the whole image shows", () => {
  const [best, other] = weighRivals([scene("a", 0.999), scene("b", 0.998)], model, false);
  expect(best?.isConfident).toBe(true);
  expect(other?.isConfident).toBe(false);
  expect((best?.similarity ?? 1) + (other?.similarity ?? 1)).toBeLessThanOrEqual(1);
});

it("never increases the similarity with the rank, and has bounds for certain and impossible scenes", () => {
  const scores = [1, 0.9, 0.9, 0.4, 0.3, 0];
  const weighed = weighRivals(
    scores.map((score, at) => scene(at % 2 ? "a" : "b", score, 9 * at)),
    model,
    false,
  );
  const similarities = weighed.map(({ similarity }) => similarity);
  expect(similarities).toEqual([...similarities].sort((a, b) => b - a));
  for (const similarity of similarities) {
    expect(similarity).toBeGreaterThan(0);
    expect(similarity).toBeLessThan(1);
  }
});

it("treats a library of one episode as one without a close rival", () => {
  expect(similarityOf(scene("a", 0.02))).toBeLessThan(model.absentBelow);
  expect(similarityOf(scene("a", 0.9))).toBeGreaterThanOrEqual(model.confidentAt);
});

it("has no confident scene for a flat image", () => {
  expect(weighRivals([scene("a", 0.999)], model, true)[0]?.isConfident).toBe(false);
});

it("weighs the scenes of the second pass as rivals of those of the first", () => {
  const first = weighRivals([scene("a", 0.7)], model, false);
  const second = weighRivals([scene("b", 0.6)], model, false);
  const merged = mergeScenes(first, second, model);
  expect(merged.map(({ episodeKey }) => episodeKey)).toEqual(["a", "b"]);
  expect(merged[0]?.similarity).toBeLessThan(first[0]?.similarity ?? 0);
});

it("distinguishes found, uncertain and absent images by the best scene", () => {
  const { confidentAt, absentBelow } = model;
  const outcomes = [confidentAt, confidentAt - 0.01, absentBelow, absentBelow - 1e-6].map((similarity) => {
    const isConfident = similarity >= confidentAt;
    return outcomeOf([{ ...scene("a", 1), similarity, isConfident }], model);
  });
  expect(outcomes).toEqual(["found", "uncertain", "uncertain", "not_in_library"]);
  expect(outcomeOf([], model)).toBe("not_in_library");
  // As for an image of one colour.
  const flat = { ...scene("a", 1), similarity: confidentAt, isConfident: false };
  expect(outcomeOf([flat], model)).toBe("uncertain");
});

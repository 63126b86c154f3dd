import { type ImageDescription, loadModel, type Model } from "@koma/engine";
import { beforeAll, describe, expect, it } from "vitest";
import type { VerifiedHit } from "../../src/pinpoint/verified-hit.ts";
import { calibrate } from "../../src/search/calibration.ts";
import { groupScenes } from "../../src/search/scene-grouping.ts";

let model: Model;
let image: ImageDescription;

beforeAll(async () => {
  model = await loadModel();
  const vector = new Float32Array(model.dimensions);
  const region = { x: 0, y: 0.2, width: 1, height: 0.6 };
  image = {
    modelId: model.id,
    width: 16,
    height: 9,
    isFlat: false,
    grey: null,
    views: [
      { vector, region: null, isMirrored: false },
      { vector, region: null, isMirrored: true },
      { vector, region, isMirrored: false },
    ],
  };
});

/** Creates shots of 4 s, each with frames at 0, 1, 2 and 3 s. */
function createTable(key: string, firstLabel: number, starts: readonly number[]): VerifiedHit["episode"] {
  const atSeconds = Float64Array.from(starts.flatMap((start) => [0, 1, 2, 3].map((at) => start + at)));
  const shotOf = Uint32Array.from(starts.flatMap((_, shot) => [shot, shot, shot, shot]));
  const shots = starts.map((start) => ({ fromSeconds: start, toSeconds: start + 3.9 }));
  return { key, firstLabel, table: { aspect: 16 / 9, count: atSeconds.length, atSeconds, shotOf, shots } };
}

const a = createTable("a", 0, [0, 4, 8, 60]);
const b = createTable("b", 100, [0, 4]);

function group(hits: VerifiedHit[], o: { limit?: number; alike?: number; isFlat?: boolean } = {}) {
  return groupScenes(hits, {
    model,
    image: { ...image, isFlat: o.isFlat ?? false },
    limit: o.limit ?? 10,
    compare: () => o.alike ?? 0,
  });
}

/** Returns the middle of the time that a frame represents, for frames that are not the last of their shot. */
const middle = (at: number) => (at + (at + 1 - model.minGapSeconds)) / 2;

const hit = (episode: VerifiedHit["episode"], frame: number, cosine: number, view = 0): VerifiedHit => ({
  episode,
  frame,
  view,
  cosine,
});

describe("groupScenes", () => {
  it("returns one scene per shot, at its best frame, with the times of the shot", async () => {
    const scenes = await group([hit(a, 4, 0.9), hit(a, 6, 0.95), hit(a, 5, 0.93), hit(b, 0, 0.7)]);
    expect(scenes).toMatchObject([
      {
        episodeKey: "a",
        atSeconds: middle(6),
        fromSeconds: 4,
        toSeconds: 7.9,
        region: null,
        isMirrored: false,
      },
      { episodeKey: "b", atSeconds: middle(0), fromSeconds: 0, toSeconds: 3.9 },
    ]);
  });

  it("returns the middle of the time from a frame to the next stored one or to the end of the shot", async () => {
    const next = { ...a, table: { ...a.table, atSeconds: Array.from(a.table.atSeconds, (at) => at / 12) } };
    const timeOf = async (episode: VerifiedHit["episode"], frame: number) =>
      (await group([hit(episode, frame, 0.9)]))[0]?.atSeconds;
    expect(await timeOf(a, 3)).toBeCloseTo((3 + 3.9) / 2, 9);
    expect(await timeOf(a, 5)).toBe(middle(5));
    // Consecutive stored frames represent only themselves.
    expect(await timeOf(next, 5)).toBeCloseTo(5 / 12, 2);
  });

  it("merges only similar shots of an episode within 5 s into one scene", async () => {
    const hits = [hit(a, 0, 0.99), hit(a, 8, 0.98), hit(a, 12, 0.97), hit(b, 4, 0.96)];
    const merged = await group(hits, { alike: 0.95 });
    expect(merged.map(({ atSeconds, episodeKey }) => [episodeKey, atSeconds])).toEqual([
      ["a", middle(0)],
      ["a", middle(60)],
      ["b", middle(4)],
    ]);
    expect(await group(hits, { alike: 0.5 })).toHaveLength(4);
  });

  it("returns at most the requested scenes, best first, and never increases the similarity", async () => {
    const hits = [0.6, 0.95, 0.7, 0.8].map((cosine, shot) => hit(a, shot * 4, cosine));
    const scenes = await group(hits, { limit: 3 });
    expect(scenes.map(({ atSeconds }) => atSeconds)).toEqual([4, 60, 8].map(middle));
    const similarities = scenes.map(({ similarity }) => similarity);
    expect(similarities).toEqual([...similarities].sort((x, y) => y - x));
  });

  it("prefers the plain view to the mirrored one when both fit equally and returns the view", async () => {
    expect(await group([hit(a, 0, 0.95, 1), hit(a, 0, 0.95, 0)])).toMatchObject([{ isMirrored: false }]);
    expect(await group([hit(a, 0, 0.955, 2), hit(a, 0, 0.95, 0)])).toMatchObject([{ region: null }]);
    expect(await group([hit(a, 0, 0.95, 1), hit(a, 0, 0.8, 0)])).toMatchObject([{ isMirrored: true }]);
    expect(await group([hit(a, 0, 0.8, 0), hit(a, 0, 0.9, 2)])).toMatchObject([
      { region: { y: 0.2, height: 0.6 } },
    ]);
  });

  it("is confident of good matches and never of a flat image", async () => {
    expect(await group([hit(a, 0, 0.95)])).toMatchObject([{ isConfident: true }]);
    expect(await group([hit(a, 0, 0.7)])).toMatchObject([{ isConfident: false }]);
    const [flat] = await group([hit(a, 0, 1)], { isFlat: true });
    expect(flat?.isConfident).toBe(false);
    expect(flat?.similarity).toBeLessThan(model.confidentAt);
  });
});

describe("calibration", () => {
  it("is linear between its points, constant outside, and monotone", () => {
    const points: [number, number][] = [
      [0.5, 0.1],
      [0.7, 0.5],
      [0.9, 1],
    ];
    expect(calibrate(points, 0.2)).toBe(0.1);
    expect(calibrate(points, 0.6)).toBeCloseTo(0.3);
    expect(calibrate(points, 0.8)).toBeCloseTo(0.75);
    expect(calibrate(points, 0.95)).toBe(1);
    let last = 0;
    for (let cosine = -1; cosine <= 1; cosine += 0.01) {
      const similarity = calibrate(model.calibration, cosine);
      expect(similarity).toBeGreaterThanOrEqual(last);
      last = similarity;
    }
  });
});

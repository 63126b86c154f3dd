import { createRandom } from "@koma/testing/drawing";
import { describe, expect, it } from "vitest";
import { measureInlierArea } from "../../src/verification/inlier-area.ts";
import type { Patch } from "../../src/verification/patch.ts";

function createPatch(width: number, height: number): Patch {
  const count = width * height;
  return { width, height, values: new Float32Array(count), valid: new Float32Array(count) };
}

function noise(seed: number): Patch {
  const random = createRandom(seed).next;
  const patch = createPatch(40, 24);
  patch.values.set(patch.values.map(() => random() * 2 - 1));
  patch.valid.fill(1);
  return patch;
}

describe("inlier area", () => {
  it("is the visible part of a frame under an overlay", () => {
    const [frame, covered] = [noise(1), noise(1)];
    const other = noise(2);
    covered.values.set(other.values.subarray(0, 40 * 8));
    const { inliers, outliers } = measureInlierArea(frame, covered);
    expect(inliers).toBeCloseTo(2 / 3, 1);
    expect(outliers).toBeCloseTo(1 / 3, 1);
  });

  it("is zero for unrelated frames and does not count blank tiles", () => {
    expect(measureInlierArea(noise(1), noise(2)).inliers).toBeLessThan(0.1);
    const blank = createPatch(40, 24);
    blank.valid.fill(1);
    expect(measureInlierArea(blank, blank)).toEqual({ inliers: 0, outliers: 0 });
  });
});

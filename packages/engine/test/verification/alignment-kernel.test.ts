import { createRandom } from "@koma/testing/drawing";
import { describe, expect, it } from "vitest";
import { openAlignmentKernel } from "../../src/verification/alignment-kernel.ts";
import { areaFactorsOf } from "../../src/verification/find-alignments.ts";
import { createGreyPyramid } from "../../src/verification/grey-pyramid.ts";
import type { Patch } from "../../src/verification/patch.ts";

const kernel = openAlignmentKernel();
const random = createRandom("alignment kernel").next;

/** Fills a patch with brightness of which about a tenth is not valid. */
function fill({ values, valid }: Patch): Patch {
  for (let at = 0; at < values.length; at++) {
    valid[at] = random() < 0.9 ? 1 : 0;
    values[at] = valid[at] === 1 ? random() * 255 : 0;
  }
  return { width: 0, height: 0, values: values.slice(), valid: valid.slice() };
}

describe("alignment kernel", () => {
  const pyramid = createGreyPyramid({
    values: Float32Array.from({ length: 96 * 54 }, () => random() * 255),
    width: 96,
    height: 54,
  });

  it.each<[string, number, number, number, number[]]>([
    ["an affine projection", 40, 24, 0, [60, 9, 50, -7, 40, 25, 0, 0, 1]],
    ["one that is partly outside", 20, 12, 1, [150, 20, 80, 10, 90, 50, 0, 0, 1]],
    ["one with perspective", 33, 21, 0, [70, 5, 45, 3, 60, 30, 0.4, -0.3, 1]],
    ["one that crosses the horizon", 9, 7, 2, [90, 0, 40, 0, 60, 20, 2.5, 0.5, 1]],
    ["the whole image", 40, 24, 0, [96, 0, 48, 0, 54, 27, 0, 0, 1]],
    ["the whole image from its last pixel on", 20, 12, 0, [2, 0, 96, 0, 2, 54, 0, 0, 1]],
  ])("samples %s like a plain loop", (_name, width, height, level, projection) => {
    const patch = kernel.patchOf("image", width, height);
    kernel.sample(pyramid, Float64Array.from(projection), level, "image", patch);
    const image = pyramid.levels[level];
    if (image === undefined) throw new Error("The pyramid has too few levels.");
    const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0, i = 0] = projection;
    const isAffine = g === 0 && h === 0 && i === 1;
    const { fround } = Math;
    for (let at = 0; at < width * height; at++) {
      const x = (at % width) + 0.5 - 0.5 * width;
      const y = (Math.floor(at / width) + 0.5) / height - 0.5;
      const depth = (g / width) * x + (h * y + i);
      const scale = isAffine ? 1 / 2 ** level : 1 / 2 ** level / depth;
      const [sx, sy] = [
        ((a / width) * x + (b * y + c)) * scale - 0.5,
        ((d / width) * x + (e * y + f)) * scale - 0.5,
      ];
      const [lastX, lastY] = [image.width - 1, image.height - 1];
      const isValid = depth > 0 && sx >= -0.75 && sy >= -0.75 && sx <= lastX + 0.75 && sy <= lastY + 0.75;
      const [inX, inY] = [Math.min(lastX, Math.max(0, sx)), Math.min(lastY, Math.max(0, sy))];
      const [left, top] = [Math.floor(inX), Math.floor(inY)];
      const of = (column: number, row: number) =>
        image.values[Math.min(lastY, row) * image.width + Math.min(lastX, column)] ?? 0;
      const mix = (from: number, to: number, share: number) =>
        fround(from + fround(fround(to - from) * fround(share)));
      const above = mix(of(left, top), of(left + 1, top), inX - left);
      const below = mix(of(left, top + 1), of(left + 1, top + 1), inX - left);
      expect(patch.valid[at]).toBe(isValid ? 1 : 0);
      expect(patch.values[at]).toBe(isValid ? mix(above, below, inY - top) : 0);
    }
  });

  it.each([
    [40, 24, 3],
    [20, 12, 2],
    [11, 9, 2],
    [37, 48, 2],
  ])("normalises a patch of %i x %i by windows of radius %i", (width, height, reach) => {
    const patch = kernel.patchOf("view", width, height);
    const { values, valid } = fill(patch);
    kernel.normalise("view", patch, reach, 4);
    for (let at = 0; at < values.length; at++) {
      const [x, y] = [at % width, Math.floor(at / width)];
      const window = [...values].filter(
        (_, other) =>
          valid[other] === 1 &&
          Math.abs((other % width) - x) <= reach &&
          Math.abs(Math.floor(other / width) - y) <= reach,
      );
      const mean = window.reduce((sum, value) => sum + value, 0) / window.length;
      const variance = window.reduce((sum, value) => sum + (value - mean) ** 2, 0) / window.length;
      const expected = valid[at] === 1 ? ((values[at] ?? 0) - mean) / (Math.sqrt(variance) + 4) : 0;
      expect(patch.values[at]).toBeCloseTo(expected, 3);
    }
  });

  it("finds the position of a part of a frame", () => {
    const frame = kernel.patchOf("coarseFrame", 20, 12);
    frame.values.forEach((_, at) => {
      frame.values[at] = random() - 0.5;
    });
    kernel.setAreaFactors(areaFactorsOf(240));
    kernel.measureFrame();
    for (const [dx, dy] of [
      [2, 1],
      [7, 4],
      [-2, 3],
    ] as const) {
      const [width, height] = [13, 8];
      const values = Float32Array.from({ length: width * height }, (_, at) => {
        const [x, y] = [(at % width) + dx, Math.floor(at / width) + dy];
        return x >= 0 && x < 20 && y < 12 ? (frame.values[y * 20 + x] ?? 0) : 0;
      });
      const view = { width, height, values };
      expect(kernel.slide(view)).toMatchObject({ dx, dy });
    }
  });

  it.each([6, 8])("sums the normal equations of %i parameters", (parameters) => {
    const [width, height, gain] = [40, 24, 0.8];
    const frame = kernel.patchOf("frame", width, height);
    const image = kernel.patchOf("image", width, height);
    for (const patch of [frame, image]) fill(patch);
    for (const { values } of [frame, image])
      values.forEach((value, at) => {
        values[at] = value / 128;
      });
    const expected = equations(frame, image, parameters, gain);
    const { matrix, vector } = kernel.findStep("frame", "image", image, parameters, gain);
    for (let i = 0; i < parameters; i++) {
      const scale = Math.abs(expected.matrix[i * parameters + i] ?? 1);
      expect((vector[i] ?? 0) / scale).toBeCloseTo((expected.vector[i] ?? 0) / scale, 4);
      for (let j = 0; j <= i; j++) {
        const at = i * parameters + j;
        expect((matrix[at] ?? 0) / scale).toBeCloseTo((expected.matrix[at] ?? 0) / scale, 4);
      }
    }
  });
});

/** The normal equations, pixel by pixel in double precision. */
function equations(frame: Patch, image: Patch, count: number, gain: number) {
  const { width, height, values, valid } = image;
  const matrix = new Float64Array(count * count);
  const vector = new Float64Array(count);
  for (let row = 1; row < height - 1; row++) {
    for (let column = 1; column < width - 1; column++) {
      const at = row * width + column;
      if ([0, -1, 1, -width, width].some((step) => valid[at + step] !== 1)) continue;
      const of = (step: number) => values[at + step] ?? 0;
      const [x, y] = [(column + 0.5) / width - 0.5, (row + 0.5) / height - 0.5];
      const difference = (frame.values[at] ?? 0) - gain * of(0);
      const weight = 1 / (1 + (difference / 0.9) ** 2);
      const across = (gain * width * (of(1) - of(-1))) / 2;
      const down = (gain * height * (of(width) - of(-width))) / 2;
      const outward = across * x + down * y;
      const affine = [across * x, across * y, across, down * x, down * y, down];
      const slopes = [...affine, -x * outward, -y * outward];
      for (let i = 0; i < count; i++) {
        vector[i] = (vector[i] ?? 0) + weight * (slopes[i] ?? 0) * difference;
        for (let j = 0; j <= i; j++) {
          const product = weight * (slopes[i] ?? 0) * (slopes[j] ?? 0);
          matrix[i * count + j] = (matrix[i * count + j] ?? 0) + product;
        }
      }
    }
  }
  return { matrix, vector };
}

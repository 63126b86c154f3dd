import { expect, it } from "vitest";
import { type Quad, quadOfBox, rotatedBox, rotateQuad } from "../../src/image/quad.ts";
import { createViewSampler } from "../../src/image/sample-view.ts";
import type { Raster } from "../../src/pixels/raster.ts";

const raster = ramp(200, 120);

it("samples a box by area", () => {
  const pixels = createViewSampler(raster, 10, 10)(quadOfBox({ left: 50, top: 20, width: 100, height: 60 }));
  // The means are 54.5, 22.5, 144.5 and 76.5.
  for (const [[x, y], mean] of [
    [at(pixels, 0, 0), [54.5, 22.5]],
    [at(pixels, 9, 9), [144.5, 76.5]],
  ] as const) {
    expect(Math.abs((x ?? 0) - mean[0])).toBe(0.5);
    expect(Math.abs((y ?? 0) - mean[1])).toBe(0.5);
  }
});

it("returns a quarter rotation with the left side on top", () => {
  const box = quadOfBox({ left: 50, top: 20, width: 100, height: 60 });
  const pixels = createViewSampler(raster, 10, 10)(rotateQuad(box, true));
  const [leftOfTop, rightOfTop] = [at(pixels, 0, 0), at(pixels, 9, 0)];
  expect(leftOfTop[0]).toBeLessThan(62);
  expect(leftOfTop[1]).toBeGreaterThan(70);
  expect(rightOfTop[0]).toBeLessThan(62);
  expect(rightOfTop[1]).toBeLessThan(30);
});

it("rectifies a view in perspective: lines stay straight and the diagonals meet in the middle", () => {
  const quad: Quad = [
    [20, 20],
    [180, 40],
    [180, 80],
    [20, 100],
  ];
  const pixels = createViewSampler(raster, 101, 101)(quad);
  const [x, y] = at(pixels, 50, 50);
  // The diagonals of this trapezium meet at 4/6 of its width, measured from its longer side.
  expect(x).toBeCloseTo(20 + (160 * 4) / 6, -0.5);
  expect(y).toBeCloseTo(60, -0.5);
});

it("repeats the border outside of the image", () => {
  const pixels = createViewSampler(
    raster,
    20,
    20,
  )(rotatedBox([100, 60], { width: 260, height: 150 }, Math.PI / 18));
  for (const value of [...at(pixels, 0, 0), ...at(pixels, 19, 19)]) expect(value).toBeGreaterThanOrEqual(0);
  expect(at(pixels, 0, 0)[0]).toBeLessThan(25);
  expect(at(pixels, 19, 19)[0]).toBeGreaterThan(175);
});

/** Red encodes the column, green the row. */
function ramp(width: number, height: number): Raster {
  const pixels = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) pixels.set([x, y, 0], (y * width + x) * 3);
  return { pixels, width, height };
}

function at(pixels: Uint8Array, x: number, y: number): [number, number] {
  const side = Math.sqrt(pixels.length / 3);
  const from = (y * side + x) * 3;
  return [pixels[from] ?? 0, pixels[from + 1] ?? 0];
}

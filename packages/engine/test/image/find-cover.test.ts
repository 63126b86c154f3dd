import { describe, expect, it } from "vitest";
import { createEdgeMaps } from "../../src/image/edge-maps.ts";
import { findCover } from "../../src/image/find-cover.ts";
import { overlapOf } from "../../src/image/quad.ts";
import type { Box, Raster } from "../../src/pixels/raster.ts";
import { drawScene } from "../fixtures/drawn-scenes.ts";

const [width, height] = [320, 180];

/** Draws a scene with grain, so that its own areas of one colour are not still. */
function drawGrainyScene(seed: number): Raster {
  const pixels = drawScene(seed, width, height);
  let state = seed;
  for (let at = 0; at < pixels.length; at++) {
    state = (state * 1664525 + 1013904223) % 2 ** 32;
    pixels[at] = Math.max(0, Math.min(255, (pixels[at] ?? 0) + Math.floor(state / 2 ** 26) - 32));
  }
  return { pixels, width, height };
}

/** Replaces the pixels of a box. */
function paint(raster: Raster, box: Box, colourAt: (x: number, y: number) => number): Raster {
  const pixels = raster.pixels.slice();
  for (let y = box.top; y < box.top + box.height; y++) {
    for (let x = box.left; x < box.left + box.width; x++) {
      const at = (y * width + x) * 3;
      pixels.fill(colourAt(x - box.left, y - box.top), at, at + 3);
    }
  }
  return { ...raster, pixels };
}

const find = (raster: Raster, within = { left: 0, top: 0, width, height }) =>
  findCover(createEdgeMaps(raster), within);

describe("the cover of an image", () => {
  const box = { left: 90, top: 40, width: 160, height: 96 };

  it.each([0, 128, 255])("is a box of brightness %s", (level) => {
    const found = find(paint(drawGrainyScene(1), box, () => level));
    expect(found && overlapOf(found, box)).toBeGreaterThan(0.95);
  });

  it("is a mosaic", () => {
    const block = 16;
    const mosaic = paint(drawGrainyScene(2), box, (x, y) => {
      const [column, row] = [Math.floor(x / block), Math.floor(y / block)];
      return (column * 97 + row * 151) % 256;
    });
    const found = find(mosaic);
    expect(found && overlapOf(found, box)).toBeGreaterThan(0.9);
  });

  /** Writes letters that are bars with an outline, at these heights. */
  const write = (seed: number, heights: readonly number[]) =>
    heights.reduce((raster, height, at) => {
      const letter = { left: 30 + at * 56, top: 60, width: 40, height };
      const isOutline = (x: number, y: number) => x < 3 || y < 3 || x >= 37 || y >= height - 3;
      return paint(raster, letter, (x, y) => (isOutline(x, y) ? 0 : 255));
    }, drawGrainyScene(seed));

  it("is a word in large letters", () => {
    const found = find(write(5, [50, 50, 50, 50, 50]));
    expect(found && overlapOf(found, { left: 30, top: 60, width: 264, height: 50 })).toBeGreaterThan(0.9);
  });

  it("is neither a short word, nor one in small letters, nor areas of several heights", () => {
    expect(find(write(5, [50, 50]))).toBeUndefined();
    expect(find(write(5, [16, 16, 16, 16, 16]))).toBeUndefined();
    expect(find(write(5, [50, 30, 62, 20, 40]))).toBeUndefined();
  });

  it("does not exist in a scene or where bars are beside it", () => {
    const bar = { left: 0, top: 0, width, height: 40 };
    expect(find(drawGrainyScene(3))).toBeUndefined();
    expect(find(paint(drawGrainyScene(3), bar, () => 0))).toBeUndefined();
  });

  it("is not a small box", () => {
    expect(find(paint(drawGrainyScene(4), { ...box, width: 40, height: 40 }, () => 0))).toBeUndefined();
  });
});

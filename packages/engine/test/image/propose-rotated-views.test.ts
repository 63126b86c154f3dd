import { describe, expect, it } from "vitest";
import { findRotatedFrame } from "../../src/image/propose-rotated-views.ts";
import { type Quad, rotatedBox } from "../../src/image/quad.ts";
import type { Raster } from "../../src/pixels/raster.ts";
import { drawScene } from "../fixtures/drawn-scenes.ts";

const frame: Raster = { pixels: drawScene(31, 320, 180), width: 320, height: 180 };

/**
 * Rotates the frame clockwise on the smallest background that contains it; returns the image and the corners of
 * the frame.
 */
function rotate(degrees: number, fill: number): { raster: Raster; corners: Quad } {
  const radians = (degrees * Math.PI) / 180;
  const [sin, cos] = [Math.sin(radians), Math.cos(radians)];
  const width = Math.round(frame.width * cos + frame.height * Math.abs(sin));
  const height = Math.round(frame.width * Math.abs(sin) + frame.height * cos);
  const pixels = new Uint8Array(width * height * 3).fill(fill);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [dx, dy] = [x + 0.5 - width / 2, y + 0.5 - height / 2];
      const fromX = Math.floor(dx * cos + dy * sin + frame.width / 2);
      const fromY = Math.floor(dy * cos - dx * sin + frame.height / 2);
      if (fromX < 0 || fromY < 0 || fromX >= frame.width || fromY >= frame.height) continue;
      const from = (fromY * frame.width + fromX) * 3;
      pixels.set(frame.pixels.subarray(from, from + 3), (y * width + x) * 3);
    }
  }
  return { raster: { pixels, width, height }, corners: rotatedBox([width / 2, height / 2], frame, radians) };
}

describe("findRotatedFrame", () => {
  it.each([18, 31, 40, -18, -27, -40])("finds the frame at %d degrees", (degrees) => {
    const { raster, corners } = rotate(degrees, 255);
    const found = findRotatedFrame(raster);
    for (const [at, [x, y]] of corners.entries()) {
      expect(Math.hypot((found?.[at]?.[0] ?? 0) - x, (found?.[at]?.[1] ?? 0) - y)).toBeLessThan(8);
    }
  });

  it("finds no frame in a plain image and in an image of one colour", () => {
    expect(findRotatedFrame(frame)).toBeUndefined();
    expect(findRotatedFrame({ pixels: new Uint8Array(60 * 40 * 3), width: 60, height: 40 })).toBeUndefined();
  });
});

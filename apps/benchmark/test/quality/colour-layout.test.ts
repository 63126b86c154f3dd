import { expect, test } from "vitest";
import { crop, surround } from "../../src/quality/raster/geometry.ts";
import { createRaster, type Raster } from "../../src/quality/raster/raster.ts";
import {
  describeColourLayout,
  layoutDistance,
  layoutLength,
} from "../../src/quality/systems/colour-layout.ts";
import { cutBlackBorders } from "../../src/quality/systems/cut-black-borders.ts";
import { difference, sampleFrame } from "./images.ts";

/** Returns a descriptor with the given first coefficients; all others are 16 (zero). */
function layout(luma: number[], blue: number[], red: number[]): number[] {
  const filled = (values: number[], length: number) => [...values, ...Array(length - values.length).fill(16)];
  return [...filled(luma, 21), ...filled(blue, 6), ...filled(red, 6)];
}

const halves = (left: number, right: number): Raster => {
  const raster = createRaster(64, 64, [right, right, right]);
  for (let y = 0; y < 64; y++) raster.pixels.fill(left, y * 64 * 3, (y * 64 + 32) * 3);
  return raster;
};

// By hand: Y = 219 (0.299 R + 0.587 G + 0.114 B)/256 + 16.5, integer part; DC of the transform is eight times
// the mean.
test("one colour has only means", () => {
  // Y 16 -> 16/4/2; Cb and Cr 128 -> 16 + (128 - 112).
  expect([...describeColourLayout(createRaster(40, 30))]).toEqual(layout([2], [32], [32]));
  // Y 234 -> (112 + (234 - 192)/4)/2.
  expect([...describeColourLayout(createRaster(40, 30, [255, 255, 255]))]).toEqual(layout([61], [32], [32]));
  // Y 81 -> (16 + (81 - 64)/2)/2; Cb 90 -> (90 - 64)/4; Cr 240 -> 63.
  expect([...describeColourLayout(createRaster(40, 30, [255, 0, 0]))]).toEqual(layout([12], [6], [63]));
});

test("two halves have only odd horizontal frequencies, the first at its limit", () => {
  // Means 234 and 16 yield Y 125 -> (32 + (125 - 96))/2. First horizontal frequency 790: halved 395, clamped
  // to 255 -> 31, or to -256 -> 0.
  const [white, black] = [describeColourLayout(halves(255, 0)), describeColourLayout(halves(0, 255))];
  expect([white[0], white[1], white[2]]).toEqual([30, 31, 16]);
  expect([black[0], black[1], black[2]]).toEqual([30, 0, 16]);
  // Third horizontal frequency -277.5, the seventh position of the zigzag: halved -139 -> 128 - (64 + 139/4)
  // = 30 -> 3.
  expect(white[6]).toBe(3);
});

test("the distance adds the roots of the weighted squares of each channel", () => {
  const one = new Uint8Array(layoutLength);
  const other = new Uint8Array(layoutLength);
  expect(layoutDistance(one, other)).toBe(0);
  other[0] = 3; // weight 2
  other[20] = 4; // weight 1
  other[21] = 2; // Cb, weight 2
  other[27] = 5; // Cr, weight 4
  expect(layoutDistance(one, other)).toBeCloseTo(Math.sqrt(18 + 16) + Math.sqrt(8) + 10, 9);
  const both = Uint8Array.from([...one, ...other]);
  expect(layoutDistance(other, both, 0, layoutLength)).toBe(0);
});

test("descriptors of one image at two sizes are nearly equal, those of two images differ", () => {
  const [frame, other] = [sampleFrame("a"), sampleFrame("b")];
  const close = layoutDistance(
    describeColourLayout(frame),
    describeColourLayout(crop(frame, { x: 0, y: 0, width: frame.width - 2, height: frame.height - 1 })),
  );
  expect(close).toBeLessThan(8);
  expect(layoutDistance(describeColourLayout(frame), describeColourLayout(other))).toBeGreaterThan(close * 3);
});

test("black borders with stray pixels are removed; a black image stays unchanged", () => {
  const frame = sampleFrame("a");
  const barred = surround(frame, { top: 40, bottom: 30, left: 10, right: 12 });
  barred.pixels.set([255, 255, 255], (5 * barred.width + 50) * 3);
  const cut = cutBlackBorders(barred);
  expect([cut.width, cut.height]).toEqual([frame.width, frame.height]);
  expect(difference(cut, frame)).toBe(0);
  const black = createRaster(60, 40);
  expect(cutBlackBorders(black)).toEqual(black);
});

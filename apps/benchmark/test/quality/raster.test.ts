import { createRandom } from "@koma/testing/drawing";
import { describe, expect, test } from "vitest";
import { crop, lay, surround } from "../../src/quality/raster/geometry.ts";
import { createRaster, type Raster } from "../../src/quality/raster/raster.ts";
import { changeTone } from "../../src/quality/raster/tone.ts";
import { findHomography, turnedCorners, warpOnto } from "../../src/quality/raster/warp.ts";
import { turnQuarter } from "../../src/quality/transformations/framing.ts";
import { colourAt, difference, sampleFrame } from "./images.ts";

describe("random numbers", () => {
  test("equal seeds produce equal numbers, other seeds others, spread evenly", () => {
    const draw = (seed: string) => Array.from({ length: 2000 }, createRandom(seed).next);
    expect(draw("a/1")).toEqual(draw("a/1"));
    expect(draw("a/1")[0]).not.toBe(draw("a/2")[0]);
    const firsts = Array.from({ length: 2000 }, (_, i) => createRandom(`seed/${i}`).next());
    for (const numbers of [draw("spread"), firsts]) {
      const tenths = Array.from(
        { length: 10 },
        (_, i) => numbers.filter((n) => Math.floor(n * 10) === i).length,
      );
      expect(Math.min(...tenths)).toBeGreaterThan(140);
      expect(Math.max(...tenths)).toBeLessThan(260);
    }
  });

  test("shuffling keeps every item", () => {
    const items = Array.from({ length: 50 }, (_, i) => i);
    const shuffled = createRandom("deck").shuffle(items);
    expect(shuffled).not.toEqual(items);
    expect(shuffled.toSorted((a, b) => a - b)).toEqual(items);
  });
});

describe("warping", () => {
  test("a homography maps the four corners to their targets", () => {
    const from = [
      [0, 0],
      [10, 0],
      [10, 6],
      [0, 6],
    ] as const;
    const to = [
      [3, 1],
      [14, 2],
      [12, 9],
      [1, 8],
    ] as const;
    const [a, b, c, d, e, f, g, h] = findHomography(from, to);
    for (const [i, [x, y]] of from.entries()) {
      const w = g * x + h * y + 1;
      expect((a * x + b * y + c) / w).toBeCloseTo(to[i]?.[0] ?? Number.NaN, 9);
      expect((d * x + e * y + f) / w).toBeCloseTo(to[i]?.[1] ?? Number.NaN, 9);
    }
  });

  test("warping an image onto its own corners hardly changes it; the ground outside stays", () => {
    const frame = sampleFrame("warp");
    const { width, height } = frame;
    const same = warpOnto(createRaster(width, height), frame, [
      [0, 0],
      [width, 0],
      [width, height],
      [0, height],
    ]);
    expect(difference(same, frame)).toBeLessThan(3);
    const ground = createRaster(width * 2, height, [9, 8, 7]);
    const half = warpOnto(ground, frame, [
      [0, 0],
      [width, 0],
      [width, height],
      [0, height],
    ]);
    expect(colourAt(half, width + 5, 10)).toEqual([9, 8, 7]);
  });

  test("a turned image returns to its place when it is turned back", () => {
    const frame = sampleFrame("turn");
    const { width, height } = frame;
    const middle = [width / 2, height / 2] as const;
    const black = createRaster(width, height);
    const there = warpOnto(black, frame, turnedCorners(middle, frame, 7));
    const back = warpOnto(black, there, turnedCorners(middle, frame, -7));
    const inside = { x: width / 4, y: height / 4, width: width / 2, height: height / 2 };
    expect(difference(crop(there, inside), crop(frame, inside))).toBeGreaterThan(8);
    expect(difference(crop(back, inside), crop(frame, inside))).toBeLessThan(6);
  });

  test("a quarter turn moves the upper left corner to the upper right, or the lower left", () => {
    const two: Raster = { width: 2, height: 1, pixels: Uint8Array.of(1, 2, 3, 4, 5, 6) };
    expect(turnQuarter(two, true)).toEqual({ width: 1, height: 2, pixels: Uint8Array.of(1, 2, 3, 4, 5, 6) });
    expect(turnQuarter(two, false)).toEqual({ width: 1, height: 2, pixels: Uint8Array.of(4, 5, 6, 1, 2, 3) });
  });
});

describe("placing, surrounding, toning", () => {
  test("an image partly outside of the ground is cropped; round corners show the ground", () => {
    const ground = createRaster(20, 20, [0, 0, 0]);
    const white = createRaster(10, 10, [255, 255, 255]);
    const laid = lay(ground, white, -5, 15);
    expect(colourAt(laid, 4, 15)).toEqual([255, 255, 255]);
    expect(colourAt(laid, 5, 15)).toEqual([0, 0, 0]);
    const round = lay(ground, white, 5, 5, 4);
    expect(colourAt(round, 5, 5)).toEqual([0, 0, 0]);
    expect(colourAt(round, 10, 5)).toEqual([255, 255, 255]);
    expect(colourAt(round, 14, 14)).toEqual([0, 0, 0]);
  });

  test("bars have the requested width and the image inside is unchanged", () => {
    const frame = sampleFrame("bars");
    const barred = surround(frame, { top: 12, left: 5 }, [1, 2, 3]);
    expect([barred.width, barred.height]).toEqual([frame.width + 5, frame.height + 12]);
    expect(crop(barred, { x: 5, y: 12, width: frame.width, height: frame.height }).pixels).toEqual(
      frame.pixels,
    );
    expect(colourAt(barred, 4, 100)).toEqual([1, 2, 3]);
  });

  test("tone changes contrast around middle grey, then brightness and saturation", () => {
    const one = createRaster(1, 1, [228, 128, 48]);
    const tone = { brightness: 1, contrast: 1, saturation: 1 };
    expect(colourAt(changeTone(one, { ...tone, contrast: 0.5 }), 0, 0)).toEqual([178, 128, 88]);
    expect(colourAt(changeTone(one, { ...tone, brightness: 0.5 }), 0, 0)).toEqual([114, 64, 24]);
    expect(colourAt(changeTone(one, { ...tone, saturation: 0 }), 0, 0)).toEqual([149, 149, 149]);
  });
});

import { createPainter } from "@koma/testing/drawing";
import { expect, test } from "vitest";
import { refinePlacement } from "../../src/pinpoint/refine-placement.ts";
import { compareDrawing, findAlikeFrames, searchShot } from "../../src/pinpoint/search-shot.ts";
import { decodeShot, pixelsOf, type Shot } from "../../src/pinpoint/shot-frames.ts";
import { type Placement, type ShownImage, sampleShownImage } from "../../src/pinpoint/shown-image.ts";
import type { GreyRaster } from "../../src/pixels/grey-raster.ts";
import { createStripBuilder } from "../../src/strips/strip-builder.ts";
import { createGreyPyramid } from "../../src/verification/grey-pyramid.ts";
import { projectionTo } from "../../src/verification/projection.ts";

const mouths = [0.01, 0.01, 0.05, 0.05, 0.03, 0.01, 0.01, 0.01];

/** A face with its mouth open by `mouth`, at any size. */
function drawFace(mouth: number, width: number, height: number): Uint8Array {
  const painter = createPainter(width, height);
  painter.gradient(0, 1, [90, 120, 200], [210, 200, 160]);
  for (let at = 0; at < 6; at++) painter.rectangle(at * 0.18, 0.2, 0.06, 0.5, [120, 80, 60]);
  painter.ellipse(0.55, 0.55, 0.2, 0.32, [240, 205, 180]);
  painter.ellipse(0.48, 0.45, 0.03, 0.06, [40, 30, 60]);
  painter.ellipse(0.62, 0.45, 0.03, 0.06, [40, 30, 60]);
  painter.ellipse(0.55, 0.72, 0.06, mouth, [120, 40, 40]);
  return painter.raster.pixels;
}

function greyOf(pixels: Uint8Array, width: number, height: number): GreyRaster {
  const values = Float32Array.from({ length: width * height }, (_, at) => {
    const of = (channel: number) => pixels[at * 3 + channel] ?? 0;
    return 0.299 * of(0) + 0.587 * of(1) + 0.114 * of(2);
  });
  return { values, width, height };
}

/** Eight frames, a twelfth of a second apart. */
function openShot() {
  const size = { width: 112, height: 112 };
  const builder = createStripBuilder(size);
  for (const [number, mouth] of mouths.entries()) builder.take(number / 12, 0, drawFace(mouth, 112, 112));
  return decodeShot(builder.finish().bytes, 0);
}

function findBest(shot: Shot, shown: ShownImage) {
  return searchShot(shot, shown, compareDrawing(shot, shown, 0));
}

const corners = (left: number, top: number, right: number, bottom: number) =>
  projectionTo([
    [left, top],
    [right, top],
    [right, bottom],
    [left, bottom],
  ]);
const [width, height] = [192, 108];
const placement: Placement = {
  projection: corners(0, 0, width, height),
  isMirrored: false,
  isInverted: false,
};

test("the frame with the mouth of the image is found, and the run of frames that look like it", () => {
  const shot = openShot();
  const image = createGreyPyramid(greyOf(drawFace(0.03, width, height), width, height));
  const best = findBest(shot, sampleShownImage(image, placement, undefined));
  expect(best.atSeconds).toBeCloseTo(4 / 12, 2);
  const run = findAlikeFrames(shot, shot.drawingOf[6] ?? 0);
  expect(run.looksSameFrom).toBeCloseTo(5 / 12, 2);
  expect(run.looksSameTo).toBeCloseTo(7 / 12, 2);
});

test("a caption and another tone do not change the frame", () => {
  const shot = openShot();
  const grey = greyOf(drawFace(0.05, width, height), width, height);
  const values = grey.values.map((value, at) => {
    const [x, y] = [at % width, Math.floor(at / width)];
    return x > 30 && x < 160 && y > 90 && y < 102 && x % 9 < 5 ? 255 : value * 0.7 + 20;
  });
  const shown = sampleShownImage(createGreyPyramid({ ...grey, values }), placement, undefined);
  expect([2, 3].map((number) => number / 12)).toContainEqual(
    expect.closeTo(findBest(shot, shown).atSeconds, 2),
  );
});

test("mirrored and inverted images are compared as the view shows them", () => {
  const shot = openShot();
  const { values } = greyOf(drawFace(0.03, width, height), width, height);
  const inverted = values.map((_, at) => 255 - (values[at - (at % width) + width - 1 - (at % width)] ?? 0));
  const image = createGreyPyramid({ values: inverted, width, height });
  const shown = sampleShownImage(image, { ...placement, isMirrored: true, isInverted: true }, undefined);
  expect(findBest(shot, shown).atSeconds).toBeCloseTo(4 / 12, 2);
});

test("an inexact placement is refined to that of the frame", () => {
  const image = createGreyPyramid(greyOf(drawFace(0.01, width, height), width, height));
  const show = (of: Placement) => sampleShownImage(image, of, undefined);
  const start = { ...placement, projection: corners(3, -2, width + 2, height - 3) };
  const pixels = pixelsOf(openShot(), 0);
  const refined = refinePlacement(pixels, start, show);
  const before = findBest(openShot(), show(start)).cost;
  expect(refined.residual).toBeLessThan(before / 2);
  for (const [at, value] of placement.projection.entries())
    expect(Math.abs((refined.placement.projection[at] ?? 0) - value)).toBeLessThan(3);
});

test("the cover of an image is not compared", () => {
  const shot = openShot();
  const { values } = greyOf(drawFace(0.03, width, height), width, height);
  const covered = values.map((value, at) => (at % width < 60 ? 255 : value));
  const image = createGreyPyramid({ values: covered, width, height });
  const cover = { x: 0, y: 0, width: 60 / width, height: 1 };
  const shown = sampleShownImage(image, placement, cover);
  expect(findBest(shot, shown).atSeconds).toBeCloseTo(4 / 12, 2);
  expect(findBest(shot, shown).cost).toBeLessThan(6);
});

test("decodes the strips of a long shot around a time, and skips invalid ones", () => {
  const frame = drawFace(0.01, 112, 112);
  const builder = createStripBuilder({ width: 112, height: 112 });
  for (let number = 0; number < 64 * 30; number++) builder.take(number / 12, 0, frame);
  const { bytes } = builder.finish();
  const hostile = [new Uint8Array(), Uint8Array.of(16, 255, 127, 0, 0), Uint8Array.of(16, 3)];
  for (const [near, first, last] of [
    [0, 0, 16],
    [80, 7, 23],
    [160, 14, 30],
  ] as const) {
    const { atSeconds } = decodeShot([...hostile, ...bytes], near);
    expect([atSeconds[0], atSeconds.at(-1)]).toEqual([
      expect.closeTo((first * 64) / 12, 2),
      expect.closeTo((last * 64 - 1) / 12, 2),
    ]);
  }
});

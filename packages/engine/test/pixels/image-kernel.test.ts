import { createRandom } from "@koma/testing/drawing";
import { describe, expect, it } from "vitest";
import { type Quad, quadOfBox, rotatedBox } from "../../src/image/quad.ts";
import { createViewSampler } from "../../src/image/sample-view.ts";
import { squareToQuad } from "../../src/image/square-to-quad.ts";
import type { Box, Raster } from "../../src/pixels/raster.ts";
import { stretch } from "../../src/pixels/stretch.ts";

const random = createRandom("image kernel");
const SIDE = 112;

describe("the kernel of images computes what plain loops in double precision do, but for rounding", () => {
  it.each<[string, Raster, Box, number, number]>([
    ["a reduced image", noise(317, 211), { left: 0, top: 0, width: 317, height: 211 }, SIDE, SIDE],
    ["a part", noise(317, 211), { left: 13, top: 50, width: 250, height: 161 }, SIDE, SIDE],
    ["an enlarged part", noise(60, 50), { left: 7, top: 3, width: 31, height: 17 }, SIDE, SIDE],
    ["the same size", noise(64, 40), { left: 0, top: 0, width: 64, height: 40 }, 64, 40],
    ["one pixel", noise(1, 1), { left: 0, top: 0, width: 1, height: 1 }, 7, 5],
    ["a wide image", noise(512, 3), { left: 0, top: 0, width: 512, height: 3 }, 320, 2],
  ])("for %s", (_name, raster, box, width, height) => {
    expectRounded(stretch(raster, box, width, height), plainStretch(raster, box, width, height));
  });

  it.each<[string, number, number, Quad]>([
    ["a rotated box", 200, 120, rotatedBox([100, 60], { width: 150, height: 80 }, 0.3)],
    ["a box beyond the border", 200, 120, quadOfBox({ left: -30, top: 5, width: 280, height: 90 })],
    ["a box that is halved", 512, 301, rotatedBox([250, 150], { width: 480, height: 290 }, -0.2)],
    ["a box that is halved twice", 1023, 601, rotatedBox([500, 300], { width: 900, height: 590 }, 0.1)],
    [
      "a mirrored half rotation",
      90,
      70,
      [
        [80, 60],
        [10, 60],
        [10, 10],
        [80, 10],
      ],
    ],
    [
      "perspective",
      200,
      120,
      [
        [20, 20],
        [180, 40],
        [180, 80],
        [20, 100],
      ],
    ],
    ["a single line", 300, 1, rotatedBox([150, 0.5], { width: 280, height: 1 }, 0.01)],
  ])("for %s", (_name, width, height, quad) => {
    const raster = noise(width, height);
    const sample = createViewSampler(raster, SIDE, SIDE);
    // Another image in between replaces the loaded one.
    const before = sample(quad);
    createViewSampler(noise(50, 30), SIDE, SIDE)(rotatedBox([20, 15], { width: 30, height: 20 }, 0.1));
    expect(sample(quad)).toEqual(before);
    expectRounded(before, plainSample(raster, quad, SIDE, SIDE));
  });
});

it("rejects more lines than the kernel has room for", () => {
  const raster = noise(4, 4);
  expect(() => stretch(raster, { left: 0, top: 0, width: 4, height: 4 }, 1025, 4)).toThrow(RangeError);
});

/** Accepts another rounding of a byte in a thousand. */
function expectRounded(actual: Uint8Array, expected: Uint8Array): void {
  expect(actual.length).toBe(expected.length);
  const differences = [...actual].map((value, at) => Math.abs(value - (expected[at] ?? 0)));
  expect(Math.max(...differences)).toBeLessThanOrEqual(1);
  expect(differences.filter((difference) => difference > 0).length).toBeLessThan(actual.length / 1000);
}

function noise(width: number, height: number): Raster {
  const pixels = Uint8Array.from({ length: width * height * 3 }, () => Math.floor(random.next() * 256));
  return { pixels, width, height };
}

function plainStretch(
  { pixels, width: stride }: Raster,
  box: Box,
  width: number,
  height: number,
): Uint8Array {
  const columns = sections(box.left, box.width, width);
  const rows = sections(box.top, box.height, height);
  const out = new Uint8Array(width * height * 3);
  for (const [y, row] of rows.entries()) {
    for (const [x, column] of columns.entries()) {
      for (let colour = 0; colour < 3; colour++) {
        let sum = 0;
        for (const [line, down] of row) {
          let narrow = 0;
          for (const [at, across] of column)
            narrow += across * (pixels[(line * stride + at) * 3 + colour] ?? 0);
          sum = Math.fround(sum + down * Math.fround(narrow));
        }
        out[(y * width + x) * 3 + colour] = sum + 0.5;
      }
    }
  }
  return out;
}

/** Returns the covered lines of each section and their weights. */
function sections(from: number, length: number, count: number): [line: number, weight: number][][] {
  return Array.from({ length: count }, (_, at) => {
    const [left, right] = [from + (at * length) / count, from + ((at + 1) * length) / count];
    const first = Math.floor(left);
    const end = Math.max(first + 1, Math.min(Math.ceil(right), from + length));
    return Array.from({ length: end - first }, (_, step): [number, number] => {
      const line = first + step;
      const covered = Math.min(right, line + 1) - Math.max(left, line);
      return [line, Math.fround(covered / (right - left))];
    });
  });
}

function plainSample(raster: Raster, quad: Quad, width: number, height: number): Uint8Array {
  const [[ax, ay], [bx, by], [cx, cy], [dx, dy]] = quad;
  const across = Math.max(Math.hypot(ax - bx, ay - by), Math.hypot(dx - cx, dy - cy));
  const down = Math.max(Math.hypot(ax - dx, ay - dy), Math.hypot(bx - cx, by - cy));
  const shrink = Math.max(across / width, down / height);
  let image = raster;
  for (let reach = 2; shrink > reach; reach *= 2) image = plainHalve(image);
  const [scaleX, scaleY] = [image.width / raster.width, image.height / raster.height];
  const [a, b, c, d, e, f, g, h] = squareToQuad([
    [ax * scaleX, ay * scaleY],
    [bx * scaleX, by * scaleY],
    [cx * scaleX, cy * scaleY],
    [dx * scaleX, dy * scaleY],
  ]);
  const out = new Uint8Array(width * height * 3);
  for (let at = 0; at < out.length; at++) {
    const [x, y, colour] = [Math.floor(at / 3) % width, Math.floor(at / 3 / width), at % 3];
    let sum = 0;
    for (const v of [(y + 0.25) / height, (y + 0.75) / height]) {
      for (const u of [(x + 0.25) / width, (x + 0.75) / width]) {
        const depth = g * u + h * v + 1;
        const px = Math.min(image.width - 1, Math.max(0, (a * u + b * v + c) / depth - 0.5));
        const py = Math.min(image.height - 1, Math.max(0, (d * u + e * v + f) / depth - 0.5));
        const [left, top] = [Math.floor(px), Math.floor(py)];
        const [right, below] = [Math.min(left + 1, image.width - 1), Math.min(top + 1, image.height - 1)];
        const of = (column: number, line: number) =>
          image.pixels[(line * image.width + column) * 3 + colour] ?? 0;
        const [fx, fy] = [px - left, py - top];
        sum += (1 - fx) * (1 - fy) * of(left, top) + fx * (1 - fy) * of(right, top);
        sum += (1 - fx) * fy * of(left, below) + fx * fy * of(right, below);
      }
    }
    out[at] = sum / 4 + 0.5;
  }
  return out;
}

function plainHalve({ pixels, width, height }: Raster): Raster {
  const half = { width: Math.max(1, width >> 1), height: Math.max(1, height >> 1) };
  const of = (x: number, y: number, colour: number) =>
    pixels[(Math.min(y, height - 1) * width + Math.min(x, width - 1)) * 3 + colour] ?? 0;
  const means = Uint8Array.from({ length: half.width * half.height * 3 }, (_, at) => {
    const [x, y, colour] = [Math.floor(at / 3) % half.width, Math.floor(at / 3 / half.width), at % 3];
    const upper = of(2 * x, 2 * y, colour) + of(2 * x + 1, 2 * y, colour);
    return (upper + of(2 * x, 2 * y + 1, colour) + of(2 * x + 1, 2 * y + 1, colour) + 2) >> 2;
  });
  return { ...half, pixels: means };
}

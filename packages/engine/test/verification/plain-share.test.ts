import { expect, it } from "vitest";
import { plainShareOf } from "../../src/verification/plain-share.ts";

it("returns the share of the most frequent brightness in a part of an image", () => {
  const [width, height] = [40, 20];
  // The left half is a page with a line of text in every fourth row, the right half a ramp.
  const values = Float32Array.from({ length: width * height }, (_, at) => {
    const [x, y] = [at % width, Math.floor(at / width)];
    return x >= width / 2 ? (x - width / 2) * 12 : y % 4 === 2 ? 20 : 250 + (at % 3);
  });
  const image = { values, width, height };
  expect(plainShareOf(image, { x: 0, y: 0, width: 0.5, height: 1 })).toBeCloseTo(0.5, 1);
  expect(plainShareOf(image, { x: 0.5, y: 0, width: 0.5, height: 1 })).toBeLessThan(0.2);
  expect(plainShareOf(image, { x: 0.5, y: 0, width: 0, height: 0 })).toBe(0);
});

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

it("does not count the ground around a disc", () => {
  const side = 40;
  const values = Float32Array.from({ length: side * side }, (_, at) =>
    Math.hypot((at % side) - 19.5, Math.floor(at / side) - 19.5) > 10 ? 255 : (at * 37) % 256,
  );
  const image = { values, width: side, height: side };
  const whole = { x: 0, y: 0, width: 1, height: 1 };
  const disc = { x: 0.25, y: 0.25, width: 0.5, height: 0.5, isRound: true };
  expect(plainShareOf(image, whole)).toBeGreaterThan(0.7);
  expect(plainShareOf(image, whole, disc)).toBeLessThan(0.2);
});

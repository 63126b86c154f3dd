import { expect, test } from "vitest";
import { readHalves, writeHalves } from "../src/frame-index/halves.ts";

const headerBytes = 20;

/** Writes a vector and reads it again. */
function round(...values: number[]): number[] {
  const written = writeHalves([Float32Array.from(values)], 0);
  return [...readHalves(written.subarray(headerBytes + 4))];
}

test("half-precision numbers are written exactly", () => {
  // All positive numbers: subnormal ones, then each exponent.
  const all = Array.from({ length: 0x7c00 }, (_, bits) => {
    const bytes = Buffer.from([0, 1, 0, 0, bits >> 8, bits & 255]);
    return readHalves(bytes)[0] ?? Number.NaN;
  });
  expect(round(...all)).toEqual(all);
  expect(round(...all.map((value) => -value))).toEqual(all.map((value) => -value));
});

test("other numbers are rounded to the nearest one, ties to even", () => {
  expect(round(1 + 1 / 4096, 1 + 3 / 4096, 1 + 1 / 2048, 1 + 3 / 2048)).toEqual([
    1,
    1 + 1 / 1024,
    1,
    1 + 2 / 1024,
  ]);
  // The fraction carries into the exponent, and a subnormal number becomes a normal one.
  expect(round(0.99999, 2 ** -14 - 2 ** -26, 1e-9)).toEqual([1, 2 ** -14, 0]);
});

test("an array has the type, the number of its vectors and their lengths", () => {
  const written = writeHalves([new Float32Array(3), new Float32Array(2)], 16_400);
  const numbers = Array.from({ length: 6 }, (_, at) => written.readInt32BE(at * 4));
  expect(numbers).toEqual([1, 0, 16_400, 2, 1, 4 + 3 * 2]);
  expect(written).toHaveLength(headerBytes + 4 + 10 + 4 + 8);
});

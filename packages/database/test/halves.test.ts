import { expect, test } from "vitest";
import { writeHalves } from "../src/frame-index/halves.ts";

test("an array has the type, the number of its vectors, their lengths and half-precision numbers", () => {
  const written = writeHalves([Float32Array.of(1, -2, 0.1), Float32Array.of(0, 2 ** -24)], 16_400);
  const numbers = Array.from({ length: 5 }, (_, at) => written.readInt32BE(at * 4));
  expect(numbers).toEqual([1, 0, 16_400, 2, 1]);
  // 0.1 is rounded to 1638 / 16384.
  const first = [0, 0, 0, 10, 0, 3, 0, 0, 0x3c, 0, 0xc0, 0, 0x2e, 0x66];
  const second = [0, 0, 0, 8, 0, 2, 0, 0, 0, 0, 0, 1];
  expect([...written.subarray(20)]).toEqual([...first, ...second]);
});

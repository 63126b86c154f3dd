import { expect, it } from "vitest";
import { measureRepetition, measureShiftedAgreement } from "../../src/verification/repetition.ts";

const [width, height] = [40, 24];
const draw = (valueAt: (x: number, y: number) => number) =>
  Float32Array.from({ length: width * height }, (_, at) => valueAt(at % width, Math.floor(at / width)));
const bars = draw((x) => (x % 8 < 4 ? 20 : 150));
const checks = draw((x, y) => (((x >> 2) + (y >> 2)) % 2 === 0 ? 20 : 150));
const rays = draw((x, y) => (Math.sin(6 * Math.atan2(y - 11.5, x - 19.5)) > 0 ? 20 : 150));
const scene = draw((x, y) => {
  const isHead = Math.hypot(x - 14, y - 9) < 5;
  const isGround = y > 17 + 2 * Math.sin(x / 5);
  return isHead ? 220 - 4 * x : isGround ? 60 + x : 140 - 3 * y;
});
const isValid = new Uint8Array(width * height).fill(1);

it.each([
  ["bars", bars],
  ["checks", checks],
  ["rays", rays],
])("finds that %s repeat", (_, pattern) => {
  expect(measureRepetition(pattern)).toBeGreaterThan(0.85);
});

it("finds that a scene does not repeat", () => {
  expect(measureRepetition(scene)).toBeLessThan(0.6);
  const { agreement, shiftedAgreement } = measureShiftedAgreement({ frame: scene, image: scene, isValid });
  expect(agreement).toBeGreaterThan(0.95);
  expect(shiftedAgreement).toBeLessThan(0.6);
});

it("finds that bars over a scene agree with bars at other shifts as well", () => {
  const image = bars.map((value, at) => (value === 20 ? 20 : (scene[at] ?? 0)));
  const compared = measureShiftedAgreement({ frame: bars, image, isValid });
  expect(compared.agreement).toBeGreaterThan(0.45);
  expect(compared.shiftedAgreement).toBeGreaterThan(0.95 * compared.agreement);
  expect(compared.repetition).toBeGreaterThan(0.85);
});

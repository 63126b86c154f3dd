import { expect, it } from "vitest";
import { boxInView, fillCover } from "../../src/image/fill-cover.ts";
import { quadOfBox } from "../../src/image/quad.ts";

const size = { width: 8, height: 6 };

it("fills a box with colours between those beside it", () => {
  const ramp = Uint8Array.from({ length: 8 * 6 * 3 }, (_, at) => (Math.floor(at / 3) % 8) * 20);
  const covered = ramp.slice();
  const box = { left: 2, top: 0, width: 3, height: 4 };
  for (let y = 0; y < 4; y++) covered.fill(255, (y * 8 + 2) * 3, (y * 8 + 5) * 3);
  fillCover(covered, size, box);
  for (const [at, value] of covered.entries()) expect(Math.abs(value - (ramp[at] ?? 0))).toBeLessThan(25);
  expect(covered.subarray(5 * 3, 8 * 3)).toEqual(ramp.subarray(5 * 3, 8 * 3));
});

it("finds a box of the image in a view", () => {
  const view = quadOfBox({ left: 100, top: 0, width: 80, height: 60 });
  const box = { left: 90, top: 10, width: 50, height: 20 };
  expect(boxInView(box, view, size)).toEqual({ left: 0, top: 1, width: 4, height: 2 });
});

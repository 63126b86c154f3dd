import { expect, it } from "vitest";
import { boxInView, fillAround, fillCover } from "../../src/image/fill-cover.ts";

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
  const view = { left: 100, top: 0, width: 80, height: 60 };
  const box = { left: 90, top: 10, width: 50, height: 20 };
  expect(boxInView(box, view, size)).toEqual({ left: -1, top: 1, width: 5, height: 2 });
});

it("fills what is around a disc with its colours", () => {
  const side = 112;
  const isInside = (at: number) => Math.hypot((at % side) + 0.5 - 56, Math.floor(at / side) + 0.5 - 56) <= 56;
  const levelOf = (at: number) => 40 + (at % side);
  const pixels = Uint8Array.from({ length: side * side * 3 }, (_, channel) => {
    const at = Math.floor(channel / 3);
    return isInside(at) ? levelOf(at) : 255;
  });
  fillAround(pixels, { width: side, height: side }, { left: 0, top: 0, width: side, height: side });
  for (let at = 0; at < side * side; at++) {
    const difference = Math.abs((pixels[at * 3] ?? 0) - levelOf(at));
    // A corner shows what is as far inside of the edge.
    expect(difference).toBeLessThanOrEqual(isInside(at) ? 0 : 40);
  }
});

import { describe, expect, it } from "vitest";
import { type BrightestImage, countBlackLines, isNegligible, noBorders, toBorders } from "../src/borders.ts";

const [width, height] = [480, 270];
const none = { left: 0, top: 0, right: 0, bottom: 0 };

/** The brightest values of many frames, black outside of a box in shares of the frame. */
function show(
  box: { left: number; top: number; right: number; bottom: number },
  valueAt: (x: number, y: number) => number = () => 160,
): BrightestImage {
  const values = Uint8Array.from({ length: width * height }, (_, at) => {
    const [x, y] = [((at % width) + 0.5) / width, (Math.floor(at / width) + 0.5) / height];
    const isInside = x > box.left && x < 1 - box.right && y > box.top && y < 1 - box.bottom;
    return isInside ? valueAt(x, y) : 16;
  });
  return { width, height, values };
}

function find(image: BrightestImage) {
  const black = countBlackLines(image);
  return black === undefined || isNegligible(black, image) ? noBorders : toBorders(black, image, 12);
}

describe("borders", () => {
  it.each([
    ["at the sides", { ...none, left: 1 / 8, right: 1 / 8 }],
    ["above and below", { ...none, top: 0.12, bottom: 0.13 }],
    ["on all sides", { left: 0.19, top: 0.17, right: 0.06, bottom: 0.09 }],
  ])("are bars %s", (_, bars) => {
    for (const [side, share] of Object.entries(find(show(bars))))
      expect(Math.abs(share - bars[side as keyof typeof bars]), side).toBeLessThan(0.005);
  });

  it.each([
    ["a full frame", show(none)],
    ["bars of a hundredth", show({ ...none, left: 0.0125, right: 0.0125 })],
    ["black", show(none, () => 16)],
    [
      "the dark around a lamp",
      show(none, (x, y) => 16 + 200 * Math.exp(-(((x - 0.5) * 320) ** 2 + ((y - 0.5) * 180) ** 2) / 900)),
    ],
    ["a small drawing on black", show({ left: 0.4, top: 0.4, right: 0.4, bottom: 0.4 })],
  ])("are none in %s", (_, image) => {
    expect(find(image)).toEqual(none);
  });
});

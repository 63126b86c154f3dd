import { describe, expect, it } from "vitest";
import { hasTwoTones, soften } from "../../src/image/soften.ts";

/** Draws a grey image; `toneAt` returns the brightness of a pixel. */
function draw(width: number, height: number, toneAt: (x: number, y: number) => number) {
  const pixels = new Uint8Array(width * height * 3);
  for (let at = 0; at < width * height; at++)
    pixels.fill(toneAt(at % width, Math.floor(at / width)), at * 3, at * 3 + 3);
  return { pixels, width, height };
}

const halves = draw(320, 180, (x) => (x < 160 ? 0 : 255));

describe("an image of two tones", () => {
  it.each([
    ["black and white areas", halves, true],
    ["a gradient", draw(320, 180, (x) => (x * 255) / 320), false],
    ["two greys", draw(320, 180, (x) => (x < 160 ? 60 : 200)), false],
    ["a page of text", draw(320, 180, (x, y) => (x % 8 < 3 && y % 16 < 4 ? 0 : 255)), false],
  ])("is recognised: %s", (_name, raster, expected) => {
    expect(hasTwoTones(raster)).toBe(expected);
  });

  it("gets tones between at its edges, and retains its large areas", () => {
    const { pixels, width } = soften(halves);
    const row = Array.from({ length: width }, (_, x) => pixels[(90 * width + x) * 3] ?? 0);
    expect(row[4]).toBe(0);
    expect(row[width - 4]).toBe(255);
    expect(Math.abs((row[width / 2] ?? 0) - 128)).toBeLessThan(32);
    expect(row).toEqual(row.toSorted((a, b) => a - b));
    expect(row.filter((tone) => tone > 25 && tone < 230).length).toBeGreaterThan(5);
  });
});

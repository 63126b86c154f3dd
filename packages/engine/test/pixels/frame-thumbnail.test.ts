import { describe, expect, it } from "vitest";
import {
  frameThumbnailSize,
  readFrameThumbnail,
  writeFrameThumbnail,
} from "../../src/pixels/frame-thumbnail.ts";

const { width, height, bytes } = frameThumbnailSize;

function writeOf(size: number, grey: (x: number, y: number) => number): Uint8Array {
  const pixels = new Uint8Array(size * size * 3);
  for (let y = 0, at = 0; y < size; y++) {
    for (let x = 0; x < size; x++, at += 3) pixels.fill(grey((x + 0.5) / size, (y + 0.5) / size), at, at + 3);
  }
  const thumbnail = new Uint8Array(bytes);
  writeFrameThumbnail(pixels, size, size, thumbnail);
  return thumbnail;
}

describe("frame thumbnail", () => {
  it.each([96, 112, 128])("stretches the brightness to sixteen steps from %s pixels", (size) => {
    const values = readFrameThumbnail(writeOf(size, (x, y) => 60 + 50 * x + 50 * y));
    expect(values).toHaveLength(width * height);
    expect([values[0], values.at(-1)]).toEqual([0, 255]);
    for (let at = 0; at < values.length; at++) {
      const share = ((at % width) + 0.5) / width / 2 + (Math.floor(at / width) + 0.5) / height / 2;
      expect(Math.abs((values[at] ?? 0) - 255 * share)).toBeLessThan(34);
    }
  });

  it("is read mirrored", () => {
    const thumbnail = writeOf(112, (x) => 200 * x);
    const [plain, mirrored] = [readFrameThumbnail(thumbnail), readFrameThumbnail(thumbnail, true)];
    for (let x = 0; x < width; x++) expect(mirrored[x]).toBe(plain[width - 1 - x]);
  });

  it("does not amplify the noise in a frame of low contrast", () => {
    const values = readFrameThumbnail(writeOf(112, (x) => (x < 0.5 ? 100 : 101)));
    expect(Math.max(...values) - Math.min(...values)).toBeLessThanOrEqual(34);
  });
});

import { expect, it } from "vitest";
import type { Hit } from "../../src/frame-index/hit.ts";
import { findStoredFrame } from "../../src/pinpoint/stored-frame.ts";
import { frameThumbnailSize, writeFrameThumbnail } from "../../src/pixels/frame-thumbnail.ts";

const [width, height] = [80, 48];
const atSeconds = [1, 1.5, 2, 2.5];
/** The frames of one shot, with a ball that moves, and one of the next shot. */
const hit: Hit = {
  episode: {
    key: "episode",
    table: { aspect: 16 / 9, count: 4, atSeconds, shotOf: [0, 0, 0, 1], shots: [] },
    firstLabel: 0,
  },
  frame: 0,
  view: 0,
  cosine: 0.9,
};

function draw(frame: number, noise = 0): Float32Array {
  return Float32Array.from({ length: width * height }, (_, at) => {
    const [x, y] = [at % width, Math.floor(at / width)];
    const isBall = Math.hypot(x - 20 - 14 * (frame % 3), y - 24) < 9;
    return (isBall ? 220 : 60 + x) + noise * (((at * 37) % 11) - 5);
  });
}

function thumbnailOf({ frame }: Hit): Uint8Array {
  const thumbnail = new Uint8Array(frameThumbnailSize.bytes);
  const pixels = new Uint8Array(width * height * 3);
  for (const [at, value] of draw(frame).entries()) pixels.fill(value, at * 3, at * 3 + 3);
  writeFrameThumbnail(pixels, width, height, thumbnail);
  return thumbnail;
}

const find = (values: Float32Array) => {
  const isValid = new Uint8Array(values.length).fill(1);
  const shown = { values, isValid, explainedShare: 1, hiddenShare: 0 };
  return findStoredFrame(hit, shown, { gain: 1, offset: 0 }, thumbnailOf);
};

it("finds the frame that the image shows, in its shot", () => {
  expect(find(draw(1, 2))?.atSeconds).toBe(1.5);
  expect(find(draw(0, 2))?.atSeconds).toBe(1);
});

it("finds none where the image shows no stored frame exactly", () => {
  expect(find(draw(1.5))).toBeUndefined();
});

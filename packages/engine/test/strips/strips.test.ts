import { createPainter, createRandom } from "@koma/testing/drawing";
import { expect, test } from "vitest";
import { encodeStripChunks, locateStrips } from "../../src/episode/strip-chunks.ts";
import { BLOCK_PIXELS } from "../../src/strips/block-transform.ts";
import { decodeStrip } from "../../src/strips/decode-strip.ts";
import { encodeStrip, type StripFrame } from "../../src/strips/encode-strip.ts";
import { reduceToStrip } from "../../src/strips/reduce-to-strip.ts";
import { createStripBuilder } from "../../src/strips/strip-builder.ts";
import { BLOCK_COUNT, firstPixelOf, STRIP_PIXELS, stripSize } from "../../src/strips/strip-frame.ts";

const size = { width: 112, height: 112 };
const fine = { step: 16, tolerance: 5, every: 1 };

/** A face whose mouth opens every third frame, over a held background; with noise as from compression. */
function drawFace(number: number, o: { noise?: number; shift?: number } = {}): Uint8Array {
  const { noise = 1, shift = 0 } = o;
  const painter = createPainter(size.width, size.height);
  painter.gradient(0, 1, [90, 120, 200], [210, 200, 160]);
  for (let at = 0; at < 6; at++) painter.rectangle(at * 0.18 + shift, 0.2, 0.06, 0.5, [120, 80, 60]);
  painter.ellipse(0.5, 0.55, 0.2, 0.32, [240, 205, 180]);
  painter.ellipse(0.5, 0.72, 0.06, number % 3 === 0 ? 0.05 : 0.01, [120, 40, 40]);
  const random = createRandom(`noise ${number}`);
  return painter.raster.pixels.map((value) =>
    Math.max(0, Math.min(255, value + random.whole(-noise, noise))),
  );
}

function framesOf(count: number, draw = drawFace): StripFrame[] {
  return Array.from({ length: count }, (_, number) => ({
    atSeconds: 12.345 + number / 12,
    pixels: reduceToStrip(draw(number), size),
  }));
}

function decode(bytes: Uint8Array) {
  const { atSeconds, changes, blocks } = decodeStrip(bytes);
  const pixels = new Uint8Array(STRIP_PIXELS);
  let at = 0;
  return atSeconds.map((seconds, frame) => {
    const changed = [...Array(BLOCK_COUNT).keys()].filter(
      (block) => changes[frame * BLOCK_COUNT + block] === 1,
    );
    for (const block of changed)
      for (let i = 0; i < BLOCK_PIXELS; i++)
        pixels[firstPixelOf(block) + (i >> 3) * stripSize.width + (i & 7)] = blocks[at++] ?? 0;
    return { atSeconds: seconds, pixels: pixels.slice(), changes: changed.length };
  });
}

function differenceOf(a: Uint8Array = new Uint8Array(1), b: Uint8Array = new Uint8Array()): number {
  return a.reduce((sum, value, at) => sum + Math.abs(value - (b[at] ?? 0)), 0) / a.length;
}

test("a strip has the times and the grey values of its frames, and few blocks change", () => {
  const frames = framesOf(48);
  const bytes = encodeStrip(frames, fine);
  const decoded = decode(bytes);
  expect(decoded.length).toBe(48);
  for (const [number, { atSeconds, pixels, changes }] of decoded.entries()) {
    expect(Math.abs(atSeconds - (frames[number]?.atSeconds ?? 0))).toBeLessThan(0.0006);
    expect(differenceOf(frames[number]?.pixels, pixels)).toBeLessThan(2);
    if (number > 0) expect(changes).toBeLessThan(20);
  }
  // The mouth distinguishes the drawings: they differ by much more than the stored values from the true ones.
  expect(differenceOf(decoded[3]?.pixels, decoded[4]?.pixels)).toBeGreaterThan(0.3);
  expect(bytes.length / frames.length).toBeLessThan(40);
});

test("uneven times are kept to the millisecond", () => {
  const random = createRandom("times");
  let atSeconds = 0;
  const frames = framesOf(30).map(({ pixels }) => {
    atSeconds += random.between(0.02, 3);
    return { atSeconds, pixels };
  });
  for (const [number, frame] of decode(encodeStrip(frames, fine)).entries())
    expect(Math.abs(frame.atSeconds - (frames[number]?.atSeconds ?? 0))).toBeLessThan(0.0006);
});

test("noise of all values, the worst content, loses the highest frequency of each block only", () => {
  const random = createRandom("noise");
  const frames = Array.from({ length: 5 }, (_, number) => ({
    atSeconds: number,
    pixels: Uint8Array.from({ length: 80 * 48 }, () => random.whole(0, 255)),
  }));
  for (const [number, { pixels }] of decode(
    encodeStrip(frames, { step: 1, tolerance: 0, every: 1 }),
  ).entries())
    expect(differenceOf(frames[number]?.pixels, pixels)).toBeLessThan(8);
});

test("an episode has strips of at most 64 frames of one shot and 60 bytes per frame, also with much motion", () => {
  const builder = createStripBuilder(size);
  const count = 200;
  for (let number = 0; number < count; number++) {
    const shot = number < 100 ? 0 : 1;
    builder.take(number / 12, shot, drawFace(number, { noise: 3, shift: shot * (number % 60) * 0.02 }));
  }
  const { shotOf, bytes } = builder.finish();
  expect(shotOf).toEqual([0, 0, 1, 1]);
  expect(bytes.map((strip) => decode(strip).length)).toEqual([64, 36, 64, 36]);
  expect(bytes.reduce((sum, { length }) => sum + length, 0) / count).toBeLessThan(60);
  const decoded = decode(bytes[1] ?? new Uint8Array());
  expect(differenceOf(decoded[9]?.pixels, reduceToStrip(drawFace(64 + 9, { noise: 0 }), size))).toBeLessThan(
    2,
  );
});

test("other bytes are no strip, or give other values", () => {
  expect(() => decodeStrip(new Uint8Array())).toThrow(RangeError);
  expect(() => decodeStrip(Uint8Array.of(0, 1, 0, 0))).toThrow(RangeError);
  expect(decode(Uint8Array.of(16, 3, 0, 100, 255, 255, 255)).length).toBe(3);
  const long = new Uint8Array(5 * 1024 * 1024);
  long.set([16, 3, 0, 100]);
  expect(decode(long).length).toBe(3);
});

test("strips are located in the chunks that contain them", () => {
  const strips = {
    shotOf: [0, 0, 7, 300],
    bytes: [90, 200, 1, 150].map((length) => new Uint8Array(length).fill(length)),
  };
  const chunks = [new Uint8Array(40), ...encodeStripChunks(strips, 320)];
  expect(chunks.length).toBeGreaterThan(2);
  const located = locateStrips(chunks);
  expect(located.map(({ shot }) => shot)).toEqual(strips.shotOf);
  expect(located.map(({ chunk, at, length }) => chunks[chunk]?.subarray(at, at + length))).toEqual(
    strips.bytes,
  );
});

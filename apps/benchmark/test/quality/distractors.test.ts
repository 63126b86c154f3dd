import { expect, test } from "vitest";
import { drawScene } from "../../src/quality/distractors/draw-scene.ts";
// Worker threads are loaded from the build.
import { drawnFrames } from "../../src/quality/distractors/drawn-frames.ts";
import { resize } from "../../src/quality/raster/geometry.ts";
import { describeColourLayout, layoutDistance } from "../../src/quality/systems/colour-layout.ts";
import { difference } from "./images.ts";

const size = { width: 48, height: 32 };

async function collect(count: number, first = 0): Promise<Uint8Array[]> {
  const frames: Uint8Array[] = [];
  for await (const frame of drawnFrames(count, size, first)) frames.push(frame);
  return frames;
}

test("drawnFrames yields the same frames in order on every run and from every start", async () => {
  const frames = await collect(600);
  expect(frames).toHaveLength(600);
  for (const index of [0, 255, 256, 599])
    expect(frames[index]).toEqual(drawScene(`distractor ${index}`, size.width, size.height).pixels);
  expect(await collect(10, 590)).toEqual(frames.slice(590));
});

test("an early return stops the threads", async () => {
  for await (const frame of drawnFrames(100_000, size)) {
    expect(frame).toHaveLength(48 * 32 * 3);
    break;
  }
});

test("a scene is the same drawing at every size", async () => {
  const large = await resize(drawScene("size", 480, 320), 48, 32, "cubic");
  expect(difference(large, drawScene("size", 48, 32))).toBeLessThan(12);
});

test("scenes differ from each other", async () => {
  const layouts = Array.from({ length: 150 }, (_, i) =>
    describeColourLayout(drawScene(`variety ${i}`, 64, 64)),
  );
  let close = 0;
  for (const [i, one] of layouts.entries())
    for (const other of layouts.slice(i + 1)) if (layoutDistance(one, other) < 6) close++;
  expect(close).toBe(0);
});

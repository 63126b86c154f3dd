import { expect, test } from "vitest";
import { restoreTones } from "../../src/image/restore-tones.ts";
import { drawScene } from "../fixtures/drawn-scenes.ts";

const size = { width: 160, height: 90 };
const scene = drawScene(3, size.width, size.height);
const change = (toTone: (value: number) => number) => ({ ...size, pixels: scene.map(toTone) });

test.each([
  ["very dark", (value: number) => value * 0.15],
  ["very pale", (value: number) => 200 + value * 0.2],
])("a %s image gets the contrast of others", (_name, toTone) => {
  const { pixels } = restoreTones(change(toTone)) ?? { pixels: new Uint8Array() };
  expect(pixels).toHaveLength(scene.length);
  const restored = [...pixels].sort((one, other) => one - other);
  expect(restored[0]).toBe(0);
  expect(restored.at(-1)).toBe(255);
  // The order of tones stays.
  const [dark, bright] = [scene.indexOf(Math.min(...scene)), scene.indexOf(Math.max(...scene))];
  expect(pixels[bright]).toBeGreaterThan((pixels[dark] ?? 255) + 100);
});

test("an image in black and white is softened", () => {
  const tones = scene.map((_, at) => ((scene[at - (at % 3)] ?? 0) > 128 ? 255 : 0));
  const { pixels } = restoreTones({ ...size, pixels: tones }) ?? { pixels: new Uint8Array() };
  expect(new Set(pixels).size).toBeGreaterThan(20);
});

test.each([
  ["full contrast", (value: number) => value],
  ["hardly any contrast", (value: number) => 100 + value * 0.03],
])("an image of %s stays", (_name, toTone) => {
  expect(restoreTones(change(toTone))).toBeUndefined();
});

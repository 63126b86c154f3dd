import { sharp } from "@koma/image";
import { createRandom } from "@koma/testing/drawing";
import { expect, test } from "vitest";
import { drawScene } from "../../src/quality/distractors/draw-scene.ts";
import { createDrawText, findScripts } from "../../src/quality/drawing/text.ts";
import { crop, resize } from "../../src/quality/raster/geometry.ts";
import { decodeRaster, type Raster } from "../../src/quality/raster/raster.ts";
import { transformations } from "../../src/quality/transformations/transformation-list.ts";
import { difference, sampleFrame } from "./images.ts";

const frame = sampleFrame("frame 3");
const other = sampleFrame("other");
const text = createDrawText(await findScripts());

async function edit(name: string, seed: number): Promise<Buffer> {
  const transformation = transformations.find((candidate) => candidate.name === name);
  if (transformation === undefined) throw new Error(`no transformation ${name}`);
  const unrelated = (what: string, width: number, height: number) =>
    drawScene(`${name}/${seed}/${what}`, width, height);
  return transformation.edit(frame, { random: createRandom(`${name}/${seed}`), text, other, unrelated });
}

const images = (name: string) =>
  Promise.all([1, 2, 3, 4].map(async (seed) => decodeRaster(await edit(name, seed))));

const names = transformations.map(({ name }) => name);

test.each(names)("%s returns a JPEG or PNG, the same for the same seed", async (name) => {
  expect(names.filter((one) => one === name)).toHaveLength(1);
  const [first, again] = [await edit(name, 1), await edit(name, 1)];
  const { format, width, height } = await sharp(first).metadata();
  expect(["jpeg", "png"]).toContain(format);
  expect(width * height).toBeGreaterThan(60 * 30);
  expect(first.equals(again)).toBe(true);
});

test.each([
  ["fifth-area", 0.2],
  ["third-area", 1 / 3],
  ["half-width", 0.5],
  ["edges-cropped", 0.81],
  ["half-cropped", 0.5],
  ["quarter-area", 0.25],
])("%s has %d of the area", async (name, area) => {
  for (const { width, height } of await images(name))
    expect((width * height) / (frame.width * frame.height)).toBeCloseTo(area, 1);
});

test("a covered third changes about a third of the pixels", async () => {
  for (const { pixels } of await images("third-covered")) {
    const changed = pixels.filter((value, at) => Math.abs(value - (frame.pixels[at] ?? 0)) > 30);
    expect(changed.length / pixels.length).toBeLessThan(0.37);
  }
});

// A result is right for either scene of them.
test("a collage and two exposures show both scenes", async () => {
  const [page] = await images("collage");
  if (page === undefined) throw new Error("no collage");
  for (const scene of [frame, other]) expect(await closest(page, scene)).toBeLessThan(14);
  for (const blended of await images("exposures")) {
    expect(difference(blended, frame)).toBeGreaterThan(8);
    expect(difference(blended, frame)).toBeLessThan(difference(blended, other));
  }
});

/** Returns the smallest difference between a scene and any part of a page, at a coarse size and several scales. */
async function closest(page: Raster, scene: Raster): Promise<number> {
  const wide = 56;
  const coarse = await resize(page, wide, (page.height * wide) / page.width);
  let least = Number.POSITIVE_INFINITY;
  for (let width = wide / 2; width <= wide; width++) {
    const small = await resize(scene, width, (width * scene.height) / scene.width);
    for (let y = 0; y + small.height <= coarse.height; y++)
      for (let x = 0; x + width <= wide; x++)
        least = Math.min(least, difference(crop(coarse, { x, y, width, height: small.height }), small));
  }
  return least;
}

import { sharp } from "@koma/image";
import { expect, it } from "vitest";
import { findDisc } from "../../src/image/find-disc.ts";
import type { Raster } from "../../src/pixels/raster.ts";
import { drawImage } from "../fixtures/drawn-scenes.ts";

const disc = { left: 50, top: 34, width: 180, height: 180 };

/** Shows a scene in a shape on a ground of one colour, as JPEG. */
async function cutOut(shape: string, ground: string, seed = 2): Promise<Raster> {
  const mask = Buffer.from(`<svg width="${disc.width}" height="${disc.height}">${shape}</svg>`);
  const scene = await drawImage(seed, disc.width, disc.height).png().toBuffer();
  const part = await sharp(scene)
    .ensureAlpha()
    .composite([{ input: mask, blend: "dest-in" }])
    .png()
    .toBuffer();
  const image = await sharp({ create: { width: 270, height: 240, channels: 3, background: ground } })
    .composite([{ input: part, left: disc.left, top: disc.top }])
    .jpeg({ quality: 80 })
    .toBuffer();
  const { data, info } = await sharp(image).raw().toBuffer({ resolveWithObject: true });
  return { pixels: data, width: info.width, height: info.height };
}

const circle = '<circle cx="90" cy="90" r="90"/>';

it.each(["#000000", "#ffffff", "#c03070"])("finds a disc on a ground of colour %s", async (ground) => {
  const found = await cutOut(circle, ground).then(findDisc);
  for (const side of ["left", "top", "width", "height"] as const)
    expect(Math.abs((found?.[side] ?? 0) - disc[side]), side).toBeLessThanOrEqual(5);
});

it("finds a disc that fills an image of 64 pixels", async () => {
  const mask = Buffer.from('<svg width="64" height="64"><circle cx="32" cy="32" r="32"/></svg>');
  const scene = drawImage(2, 64, 64)
    .ensureAlpha()
    .composite([{ input: mask, blend: "dest-in" }]);
  const flat = sharp(await scene.png().toBuffer()).flatten({ background: "#ffffff" });
  const { data } = await flat.raw().toBuffer({ resolveWithObject: true });
  const found = findDisc({ pixels: data, width: 64, height: 64 });
  expect(Math.min(found?.width ?? 0, found?.height ?? 0)).toBeGreaterThanOrEqual(60);
});

it.each([
  ["a rectangle", '<rect width="180" height="180"/>'],
  ["a rectangle with round corners", '<rect width="180" height="180" rx="40"/>'],
  ["an ellipse", '<ellipse cx="90" cy="90" rx="90" ry="65"/>'],
  ["half a disc", '<path d="M0 90a90 90 0 0 1 180 0z"/>'],
  ["letters", '<text x="0" y="120" font-size="120" font-weight="bold">abc</text>'],
])("finds none in %s", async (_shape, shape) => {
  expect(findDisc(await cutOut(shape, "#ffffff"))).toBeUndefined();
});

it("finds none without a ground of one colour, and none in an image of one colour", async () => {
  const { data } = await drawImage(2, 200, 200).raw().toBuffer({ resolveWithObject: true });
  expect(findDisc({ pixels: data, width: 200, height: 200 })).toBeUndefined();
  expect(findDisc({ pixels: new Uint8Array(200 * 200 * 3), width: 200, height: 200 })).toBeUndefined();
});

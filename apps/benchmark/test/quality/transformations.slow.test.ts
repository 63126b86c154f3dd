import { sharp } from "@koma/image";
import { createRandom } from "@koma/testing/drawing";
import { beforeAll, describe, expect, test } from "vitest";
import { drawScene } from "../../src/quality/distractors/draw-scene.ts";
import { createDrawText, type DrawText, findScripts } from "../../src/quality/drawing/text.ts";
import { crop, mirror, resize } from "../../src/quality/raster/geometry.ts";
import { decodeRaster, type Raster } from "../../src/quality/raster/raster.ts";
import { transformations } from "../../src/quality/transformations/transformation-list.ts";
import { colourAt, detail, difference, meanColour, sampleFrame } from "./images.ts";

const frame = sampleFrame("frame 3");
const other = sampleFrame("other");
let text: DrawText;
beforeAll(async () => {
  text = createDrawText(await findScripts());
});

async function edit(name: string, seed: string | number = 1, shown = frame): Promise<Buffer> {
  const transformation = transformations.find((candidate) => candidate.name === name);
  if (transformation === undefined) throw new Error(`no transformation ${name}`);
  const random = createRandom(`${name}/${seed}`);
  return transformation.edit(shown, {
    random,
    text,
    other,
    unrelated: (what, width, height) => drawScene(`${name}/${seed}/${what}`, width, height),
  });
}
const image = async (name: string, seed: string | number = 1) => decodeRaster(await edit(name, seed));
const seeds = [1, 2, 3, 4, 5, 6, 7, 8];
const images = (name: string) => Promise.all(seeds.map((seed) => image(name, seed)));

test("each transformation has a unique name", () => {
  expect(new Set(transformations.map(({ name }) => name)).size).toBe(transformations.length);
  expect(new Set(transformations.map(({ title }) => title)).size).toBe(transformations.length);
});

// These have no random parameter, or one that does not change a drawing of few tones.
const fixedTransformations = ["png", "grayscale", "mirrored", "four-tones", "one-bit"];

test.each(transformations.map(({ name }) => name))(
  "%s returns a JPEG or PNG, the same for the same seed",
  async (name) => {
    const [first, again, another] = [await edit(name, 1), await edit(name, 1), await edit(name, 2)];
    const { format, width, height } = await sharp(first).metadata();
    expect(["jpeg", "png"]).toContain(format);
    expect(width * height).toBeGreaterThan(60 * 30);
    expect(first.equals(again)).toBe(true);
    if (!fixedTransformations.includes(name)) expect(first.equals(another)).toBe(false);
  },
);

describe("parts", () => {
  const areaOf = ({ width, height }: Raster) => (width * height) / (frame.width * frame.height);
  test("a fifth and a third of the area have that area, at several positions and shapes", async () => {
    for (const [name, area] of [
      ["fifth-area", 0.2],
      ["third-area", 1 / 3],
    ] as const) {
      const parts = await images(name);
      for (const part of parts) expect(areaOf(part)).toBeCloseTo(area, 1);
      expect(new Set(parts.map(({ width }) => width)).size).toBeGreaterThan(3);
    }
    expect((await image("half-width")).width).toBe(frame.width / 2);
  });
  test("a covered third changes about a third of the pixels", async () => {
    for (const covered of await images("third-covered")) {
      let changed = 0;
      for (let at = 0; at < covered.pixels.length; at += 3)
        if (Math.abs((covered.pixels[at + 1] ?? 0) - (frame.pixels[at + 1] ?? 0)) > 30) changed++;
      expect(changed / (covered.pixels.length / 3)).toBeLessThan(0.37);
    }
  });
  test("inverted colours are the opposite", async () => {
    const [red, green, blue] = meanColour(frame);
    const inverted = meanColour(await image("inverted"));
    for (const [at, value] of [red, green, blue].entries())
      expect((inverted[at] ?? 0) + value).toBeCloseTo(255, -1);
  });
});

describe("compression", () => {
  test("clean edits keep the frame", async () => {
    expect(difference(await image("png"), frame)).toBe(0);
    expect(difference(await image("clean-jpeg"), frame)).toBeLessThan(3);
  });
  test("small and low quality is small", async () => {
    const bytes = await edit("small-low-quality");
    expect((await decodeRaster(bytes)).width).toBeLessThanOrEqual(320);
    expect(bytes.length).toBeLessThan((await edit("clean-jpeg")).length / 3);
  });
  test("more compression increases the difference from the frame", async () => {
    const distance = async (name: string) => {
      const result = await image(name);
      return difference(await resize(result, frame.width, frame.height), frame);
    };
    const [clean, thrice, heavy] = [
      await distance("clean-jpeg"),
      await distance("recompressed"),
      await distance("heavy-jpeg"),
    ];
    expect(thrice).toBeGreaterThan(clean);
    expect(heavy).toBeGreaterThan(thrice);
    expect(heavy).toBeLessThan(25);
  });
  test("a GIF has few colours", async () => {
    const { pixels } = await image("gif-palette");
    const colours = new Set<number>();
    for (let i = 0; i < pixels.length; i += 3)
      colours.add(((pixels[i] ?? 0) << 16) | ((pixels[i + 1] ?? 0) << 8) | (pixels[i + 2] ?? 0));
    expect(colours.size).toBeGreaterThan(4);
    expect(colours.size).toBeLessThanOrEqual(64);
  });
  test("blur reduces detail, sharpening adds it, a low bitrate leaves a small file", async () => {
    for (const blurred of await images("blurred")) expect(detail(blurred)).toBeLessThan(detail(frame) * 0.9);
    const sharpened = await image("upscaled-sharpened");
    const plain = await resize(await resize(frame, 300, 169), sharpened.width, sharpened.height);
    expect(detail(sharpened)).toBeGreaterThan(detail(plain) * 1.1);
    const [clean, starved] = [await edit("clean-jpeg"), await edit("low-bitrate")];
    expect(starved.length).toBeLessThan(clean.length * 0.7);
    expect(difference(await decodeRaster(starved), frame)).toBeLessThan(20);
  });
});

describe("framing", () => {
  const shape = ({ width, height }: Raster) => width / height;
  test("mirrored is the mirror image of the frame", async () => {
    const mirrored = await image("mirrored");
    expect(difference(await mirror(mirrored), frame)).toBeLessThan(4);
    expect(difference(mirrored, frame)).toBeGreaterThan(10);
  });
  test("black bars are at two sides, with the frame between them", async () => {
    for (const barred of await images("black-bars")) {
      const [x, y] = [(barred.width - frame.width) / 2, (barred.height - frame.height) / 2];
      expect(Math.max(x, y)).toBeGreaterThan(15);
      expect(Math.max(...colourAt(barred, 2, 2))).toBeLessThan(12);
      expect(difference(crop(barred, { x, y, ...frame }), frame)).toBeLessThan(6);
    }
  });
  test("crops have the size in their name", async () => {
    const left = async (name: string) =>
      (await images(name)).map(({ width, height }) => (width * height) / (frame.width * frame.height));
    for (const share of await left("edges-cropped")) expect(share).toBeCloseTo(0.81, 1);
    for (const share of await left("half-cropped")) expect(share).toBeCloseTo(0.5, 1);
    for (const square of await images("square-crop")) expect(shape(square)).toBe(1);
    for (const wide of await images("wide-crop")) {
      expect(shape(wide)).toBeGreaterThan(2.2);
      expect(shape(wide)).toBeLessThan(2.7);
    }
  });
  test("stretching changes the aspect ratio without loss", async () => {
    const stretched = await image("stretched");
    expect(Math.abs(shape(stretched) / shape(frame) - 1)).toBeGreaterThan(0.15);
    expect(difference(await resize(stretched, frame.width, frame.height), frame)).toBeLessThan(8);
  });
  test("zooming keeps the size of the frame and shows a part", async () => {
    const zoomed = await image("zoomed");
    expect([zoomed.width, zoomed.height]).toEqual([frame.width, frame.height]);
    const random = createRandom("zoomed/1");
    const [width, height] = [frame.width / 1.5, frame.height / 1.5];
    const x = (frame.width - width) * random.between(0.15, 0.85);
    const y = (frame.height - height) * random.between(0.15, 0.85);
    const part = await resize(crop(frame, { x, y, width, height }), frame.width, frame.height);
    expect(difference(zoomed, part)).toBeLessThan(5);
  });
  test("vertical edits contain the frame in the middle; sideways edits turn it", async () => {
    const upright = await image("vertical-fill");
    expect(shape(upright)).toBeLessThan(0.6);
    const sideways = await image("sideways-phone");
    expect(shape(sideways)).toBeLessThan(0.6);
    expect(Math.max(...meanColour(sideways, { x: 0, y: 0, width: 720, height: 30 }))).toBeLessThan(25);
  });
  test("a frame with round corners has its colour in the corner and the image inside", async () => {
    const framed = await image("rounded-frame");
    const margin = (framed.width - frame.width) / 2;
    expect(difference(crop(framed, { x: margin, y: margin, ...frame }), frame)).toBeLessThan(8);
    const corner = colourAt(framed, margin + 1, margin + 1);
    for (const [k, value] of colourAt(framed, 2, 2).entries())
      expect(Math.abs(value - (corner[k] ?? 0))).toBeLessThan(40);
  });
});

describe("writing", () => {
  const upperHalf = { x: 130, y: 30, width: 220, height: 90 };
  test("subtitles change the lower part only", async () => {
    const titled = await image("subtitles-logo");
    expect(difference(crop(titled, upperHalf), crop(frame, upperHalf))).toBeLessThan(5);
    const low = { x: 60, y: 225, width: 360, height: 40 };
    expect(difference(crop(titled, low), crop(frame, low))).toBeGreaterThan(10);
    for (const [i, titles] of (await images("japanese-subtitles")).entries())
      expect([i, difference(titles, frame) > 2]).toEqual([i, true]);
  });
  test("stickers, emoji and watermarks cover a small part of the frame", async () => {
    const names = ["stickers", "emoji", "recorder-watermark", "tiled-watermark", "picture-in-picture"];
    for (const name of names) {
      for (const covered of await images(name)) {
        let changed = 0;
        for (let i = 0; i < frame.pixels.length; i++)
          if (Math.abs((covered.pixels[i] ?? 0) - (frame.pixels[i] ?? 0)) > 40) changed++;
        const share = changed / frame.pixels.length;
        expect([name, share > 0.003, share < 0.4]).toEqual([name, true, true]);
      }
    }
  });
  test("a caption adds bands and leaves the frame between them unchanged", async () => {
    const meme = await image("meme-caption");
    expect(meme.height).toBeGreaterThan(frame.height * 1.2);
    expect(meme.width).toBe(frame.width);
    const ground = colourAt(meme, 1, 1);
    expect(colourAt(meme, 1, meme.height - 2)).toEqual(ground);
    const offsets = Array.from({ length: meme.height - frame.height }, (_, y) =>
      difference(
        crop(meme, { x: 0, y, ...frame, height: 60 }),
        crop(frame, { x: 0, y: 0, ...frame, height: 60 }),
      ),
    );
    expect(Math.min(...offsets)).toBeLessThan(7);
  });
});

describe("colour", () => {
  test("tone changes light or colours clearly, but no shapes", async () => {
    for (const toned of await images("tone")) expect(difference(toned, frame)).toBeGreaterThan(8);
  });
  test("night reduces blue most and red least", async () => {
    const [before, after] = [meanColour(frame), meanColour(await image("night-filter"))];
    const left = before.map((value, k) => (after[k] ?? 0) / value);
    expect(left[2]).toBeLessThan(0.6);
    expect(left[0]).toBeGreaterThan(left[1] ?? 1);
    expect(left[1]).toBeGreaterThan(left[2] ?? 1);
  });
  test("grayscale removes colour", async () => {
    const { pixels } = await image("grayscale");
    for (let i = 0; i < pixels.length; i += 3)
      expect(Math.abs((pixels[i] ?? 0) - (pixels[i + 2] ?? 0))).toBeLessThan(4);
  });
  test("vignette darkens the corners, but not the middle", async () => {
    const dark = await image("vignette");
    const [corner, middle] = [
      { x: 0, y: 0, width: 30, height: 20 },
      { x: 220, y: 120, width: 40, height: 30 },
    ];
    expect(meanColour(dark, corner)[1]).toBeLessThan(meanColour(frame, corner)[1] * 0.7);
    expect(meanColour(dark, middle)[1]).toBeGreaterThan(meanColour(frame, middle)[1] * 0.9);
  });
});

describe("pages and photos", () => {
  test("a player, a post and a chat are pages larger than their image", async () => {
    for (const name of ["phone-player", "social-post", "dark-chat"]) {
      const page = await image(name);
      expect([name, page.width >= 720, page.height > page.width]).toEqual([name, true, true]);
    }
  });
  test("a post shows the scaled frame below its text", async () => {
    const page = await image("social-post", 2);
    expect(await closest(page, frame)).toBeLessThan(14);
    expect(await closest(page, other)).toBeGreaterThan(20);
  });
  test("a collage shows both scenes", async () => {
    const page = await image("collage");
    expect(await closest(page, frame)).toBeLessThan(14);
    expect(await closest(page, other)).toBeLessThan(14);
  });
  test("rotated images have empty corners or are cropped", async () => {
    const turned = await images("rotated");
    const larger = turned.filter(({ width }) => width > frame.width);
    expect(larger.length).toBeGreaterThan(0);
    expect(larger.length).toBeLessThan(turned.length);
    for (const one of turned) expect(one.width === frame.width).toBe(false);
  });
  test("photos show a lit screen in a room, with grain and perspective", async () => {
    for (const name of ["screen-photo", "far-screen"]) {
      const photo = await image(name);
      expect([photo.width, photo.height]).toEqual([1280, 960]);
      expect(detail(photo)).toBeGreaterThan(1);
    }
  });
  test("compound edits are small and captioned", async () => {
    const small = await image("compound");
    expect(small.width).toBeLessThanOrEqual(560);
    expect(small.height / small.width).toBeGreaterThan(frame.height / frame.width);
  });
});

describe("hard", () => {
  test("an avatar is square, part of the frame, and a disc in some images", async () => {
    const avatars = await images("avatar");
    for (const { width, height } of avatars) {
      expect(width).toBe(height);
      expect(width).toBeGreaterThanOrEqual(Math.floor(frame.height * 0.55));
    }
    const discs = avatars.filter((avatar) => {
      const corners = [1, avatar.width - 2].flatMap((x) =>
        [1, avatar.height - 2].map((y) => [x, y] as const),
      );
      const [first = [], ...others] = corners.map(([x, y]) => colourAt(avatar, x, y));
      return others.every((corner) => corner.every((value, k) => Math.abs(value - (first[k] ?? 0)) < 4));
    });
    expect(discs.length).toBeGreaterThan(0);
    expect(discs.length).toBeLessThan(avatars.length);
  });
  test("one bit leaves black and white, sepia four tones, both at the size of the frame", async () => {
    for (const [name, count] of [
      ["one-bit", 2],
      ["four-tones", 4],
    ] as const) {
      const { width, height, pixels } = await image(name);
      expect([width, height]).toEqual([frame.width, frame.height]);
      const colours = new Set<number>();
      for (let at = 0; at < pixels.length; at += 3)
        colours.add(((pixels[at] ?? 0) << 16) | ((pixels[at + 1] ?? 0) << 8) | (pixels[at + 2] ?? 0));
      expect([name, colours.size <= count, colours.size > 1]).toEqual([name, true, true]);
    }
  });
  test("the seed selects the threshold of one bit", async () => {
    const brightness = (_: unknown, at: number) => (Math.floor(at / 3) % frame.width) / 2;
    const ramp = { ...frame, pixels: Uint8Array.from(frame.pixels, brightness) };
    const blackOf = async (seed: number) => {
      const { pixels } = await decodeRaster(await edit("one-bit", seed, ramp));
      return pixels.filter((value) => value === 0).length;
    };
    expect(new Set(await Promise.all(seeds.map(blackOf))).size).toBeGreaterThan(4);
  });
  test("a large word covers the middle and ends inside the frame", async () => {
    const top = { x: 0, y: 0, width: frame.width, height: 40 };
    const middle = { x: 40, y: 110, width: 400, height: 50 };
    const side = { x: 0, y: 0, width: 3, height: frame.height };
    for (const worded of await images("large-word")) {
      expect(difference(crop(worded, middle), crop(frame, middle))).toBeGreaterThan(20);
      expect(difference(crop(worded, top), crop(frame, top))).toBeLessThan(5);
      expect(difference(crop(worded, side), crop(frame, side))).toBeLessThan(8);
    }
  });
  test("a quarter of the area has half the width and height of the frame", async () => {
    for (const { width, height } of await images("quarter-area"))
      expect([width, height]).toEqual([frame.width / 2, frame.height / 2]);
  });
  test("a line drawing is dark on white", async () => {
    for (const { width, height, pixels } of await images("edges")) {
      expect([width, height]).toEqual([frame.width, frame.height]);
      expect(pixels.filter((value) => value > 230).length / pixels.length).toBeGreaterThan(0.5);
      expect(pixels.some((value) => value < 100)).toBe(true);
    }
  });
  test("two exposures are nearer to the frame than to the other one", async () => {
    for (const blended of await images("exposures")) {
      expect(difference(blended, frame)).toBeGreaterThan(8);
      expect(difference(blended, frame)).toBeLessThan(difference(blended, other));
    }
  });
});

/**
 * Returns the smallest difference between a scene and any part of a page, at a coarse size and several
 * scales.
 */
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

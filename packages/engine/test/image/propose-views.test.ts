import { type OverlayOptions, type Sharp, sharp } from "@koma/image";
import { describe, expect, it } from "vitest";
import { proposeViews, type ViewKind, type ViewProposal } from "../../src/image/propose-views.ts";
import { boxOfQuad, distanceOf, overlapOf, type Quad } from "../../src/image/quad.ts";
import type { Box, Raster } from "../../src/pixels/raster.ts";
import { drawImage, drawScene } from "../fixtures/drawn-scenes.ts";

function proposeAllViews(raster: Raster): ViewProposal[] {
  const { first, further } = proposeViews(raster);
  return [...first, ...further()];
}

const light = "#f7f7f5";
const dark = "#12181f";

describe("the first views", () => {
  it("returns the whole image alone when there are no borders", async () => {
    const { kinds } = await first(await toRaster(drawImage(2)));
    expect(kinds).toEqual(["whole"]);
  });

  it.each(["#000000", "#ffffff", "#c03070"])("trims a border of colour %s", async (background) => {
    const page = await lay(480, 360, background, [[drawImage(2, 400, 225), 40, 70]]);
    const { kinds, best } = await first(page, { left: 40, top: 70, width: 400, height: 225 });
    expect(kinds).toEqual(["whole", "trimmed"]);
    expect(best).toBeGreaterThan(0.97);
  });

  it.each([
    ["above and below", 288, 512, { left: 0, top: 160, width: 288, height: 162 }],
    ["at the sides", 512, 288, { left: 147, top: 0, width: 218, height: 288 }],
  ])("trims a blurred fill %s", async (_where, width, height, box) => {
    const filling = await drawImage(3, 64, 64).resize(width, height, { fit: "fill" }).blur(12).toBuffer();
    const page = await toRaster(
      sharp(filling, { raw: { width, height, channels: 3 } }).composite([
        { input: await drawImage(3, box.width, box.height).png().toBuffer(), left: box.left, top: box.top },
      ]),
    );
    expect((await first(page, box)).best).toBeGreaterThan(0.95);
  });
});

describe("the view of a covered image", () => {
  it("is the area between borders, where the cover has the colour of the borders", async () => {
    const inner = { left: 40, top: 60, width: 400, height: 225 };
    const page = await lay(480, 360, "#000000", [
      [drawImage(2, inner.width, inner.height), inner.left, inner.top],
      [box(200, 120, "#000000"), 240, 120],
    ]);
    const { first, cover } = proposeViews(page);
    const view = first.find(({ kind }) => kind === "uncovered");
    const shown = view && boxOfQuad(view.corners);
    expect(shown && overlapOf(shown, inner)).toBeGreaterThan(0.95);
    expect(cover && overlapOf(cover, { left: 240, top: 120, width: 200, height: 120 })).toBeGreaterThan(0.9);
  });

  it("is the disc of a round avatar, unless borders stay", async () => {
    const mask = Buffer.from('<svg width="200" height="200"><circle cx="100" cy="100" r="100"/></svg>');
    const avatar = drawImage(2, 200, 200)
      .ensureAlpha()
      .composite([{ input: mask, blend: "dest-in" }]);
    const page = await toRaster(
      sharp({ create: { width: 260, height: 260, channels: 3, background: light } }).composite([
        { input: await avatar.png().toBuffer(), left: 30, top: 30 },
      ]),
    );
    const expected = { left: 30, top: 30, width: 200, height: 200 };
    const { first, cover } = proposeViews(page);
    expect(first.map(({ kind }) => kind)).toEqual(["whole", "trimmed"]);
    expect(cover?.isRound).toBe(true);
    expect(cover && overlapOf(cover, expected)).toBeGreaterThan(0.95);
    expect(proposeViews(page, { trimBorders: false }).cover?.isRound).not.toBe(true);
  });

  it("does not exist without a cover", async () => {
    const { first, cover } = proposeViews(await toRaster(drawImage(2)));
    expect(cover).toBeUndefined();
    expect(first.map(({ kind }) => kind)).toEqual(["whole"]);
  });
});

describe("all views, inner images", () => {
  it.each([
    ["light", light, "#202020"],
    ["dark", dark, "#dddddd"],
  ])("finds a player in a %s page", async (_name, ground, ink) => {
    const box = { left: 0, top: 60, width: 288, height: 162 };
    const page = await lay(288, 600, ground, [
      [drawImage(1, 288, 162), 0, 60],
      [lines(260, 50, ink), 14, 240],
      [drawImage(5, 110, 62), 14, 330],
      [lines(130, 50, ink), 140, 335],
      [drawImage(6, 110, 62), 14, 410],
      [lines(130, 50, ink), 140, 415],
    ]);
    expect(all(page, box).best).toBeGreaterThan(0.9);
  });

  it.each([
    ["light", light, "#303030"],
    ["dark", dark, "#e0e0e0"],
  ])("finds an image among the messages of a %s chat", async (_name, ground, ink) => {
    const box = { left: 100, top: 190, width: 180, height: 101 };
    const page = await lay(300, 560, ground, [
      [lines(150, 40, ink), 12, 60],
      [lines(120, 40, ink), 150, 120],
      [drawImage(2, 180, 101), 100, 190],
      [lines(150, 40, ink), 12, 320],
      [drawImage(7, 120, 90), 12, 400],
    ]);
    expect(all(page, box).best).toBeGreaterThan(0.9);
    expect(all(page, { left: 12, top: 400, width: 120, height: 90 }).best).toBeGreaterThan(0.85);
  });

  it("finds each scene of a collage of four without gaps", async () => {
    const cells = [0, 1, 2, 3].map((at) => ({
      left: (at % 2) * 256,
      top: at < 2 ? 0 : 144,
      width: 256,
      height: 144,
    }));
    const page = await lay(
      512,
      288,
      light,
      cells.map(({ left, top }, at) => [drawImage(at + 1, 256, 144), left, top]),
    );
    for (const cell of cells) expect(all(page, cell).best).toBeGreaterThan(0.85);
  });

  it("finds the inset of an image in an image", async () => {
    const box = { left: 330, top: 20, width: 160, height: 90 };
    const page = await lay(512, 288, light, [
      [drawImage(4, 512, 288), 0, 0],
      [drawImage(8, 160, 90), 330, 20],
    ]);
    expect(all(page, box).best).toBeGreaterThan(0.85);
  });

  it("finds the scene between captions", async () => {
    const box = { left: 0, top: 90, width: 400, height: 225 };
    const page = await lay(400, 390, "#ffffff", [
      [lines(360, 60, "#000000"), 20, 15],
      [drawImage(1, 400, 225), 0, 90],
      [lines(360, 60, "#000000"), 20, 322],
    ]);
    expect(all(page, box).best).toBeGreaterThan(0.93);
  });
});

describe("all views, perspective and rotation", () => {
  it("finds a screen in perspective", async () => {
    const quad: Quad = [
      [80, 50],
      [430, 80],
      [420, 280],
      [90, 310],
    ];
    const room = drawOnQuad({ width: 512, height: 384, colour: [120, 116, 110] }, quad, 1);
    const distances = proposeAllViews(room)
      .filter(({ kind }) => kind === "screen")
      .map(({ corners }) => distanceOf(corners, quad));
    // Both sides of the frame of the screen are correct.
    expect(Math.min(...distances)).toBeLessThan(10);
  });

  it.each([-9, -5, 6, 10])("finds an image rotated by %i degrees and cropped", async (degrees) => {
    const rotated = sharp(
      await drawImage(11, 700, 500).rotate(degrees, { background: "#000000" }).png().toBuffer(),
    );
    const page = await toRaster(
      sharp(await rotated.png().toBuffer()).extract({ left: 160, top: 140, width: 420, height: 280 }),
    );
    const angles = proposeAllViews(page)
      .filter(({ kind }) => kind === "upright")
      .map(({ corners: [[x0, y0], [x1, y1]] }) => (Math.atan2(y1 - y0, x1 - x0) * 180) / Math.PI);
    expect(Math.min(...angles.map((angle) => Math.abs(angle - degrees)))).toBeLessThan(1.5);
  });

  it("rotates an image on its side or upside down upright", async () => {
    const page = await lay(240, 520, "#000000", [[drawImage(1, 400, 225).rotate(90), 8, 60]]);
    const rotated = proposeAllViews(page).filter(({ kind }) => kind === "rotated");
    const tops = rotated.map(({ corners: [a, b] }) => [Math.sign(b[0] - a[0]), Math.sign(b[1] - a[1])]);
    expect(tops).toEqual([
      [0, -1],
      [0, 1],
      [-1, 0],
    ]);
  });

  it("does not rotate a wide image by quarters", async () => {
    const rotated = proposeAllViews(await toRaster(drawImage(1, 400, 225))).filter(
      ({ kind }) => kind === "rotated",
    );
    expect(rotated.map(({ corners: [a, b] }) => Math.sign(b[0] - a[0]))).toEqual([-1]);
  });

  it.each([
    [-40, 6],
    [-18, 6],
    [0, 0],
    [25, 6],
  ])("an image rotated by %i degrees and cropped is rotated back in %i views", async (degrees, count) => {
    const street = Buffer.from(
      `<svg width="900" height="900"><rect width="900" height="900" fill="#8ab"/>
      <g transform="rotate(${degrees} 450 450)">${[0, 1, 2, 3, 4, 5, 6, 7]
        .map((at) => `<rect x="${at * 110}" y="${200 + at * 37}" width="80" height="900" fill="#${at}48"/>`)
        .join("")}</g></svg>`,
    );
    const image = await toRaster(
      sharp(await sharp(street).removeAlpha().png().toBuffer()).extract({
        left: 250,
        top: 300,
        width: 400,
        height: 300,
      }),
    );
    const tilted = proposeAllViews(image).filter(({ kind }) => kind === "tilted");
    expect(tilted).toHaveLength(count);
  });
});

it("finds no images in an image without content", async () => {
  const flat = await lay(320, 180, "#406080", []);
  const kinds = new Set(proposeAllViews(flat).map(({ kind }) => kind));
  expect([...kinds].sort()).toEqual(["inverted", "rotated", "tilted", "upright", "whole"]);
});

async function first(page: Raster, box?: Box): Promise<{ kinds: ViewKind[]; best: number }> {
  return evaluate(proposeViews(page).first, box);
}

function all(page: Raster, box: Box): { kinds: ViewKind[]; best: number } {
  return evaluate(proposeAllViews(page), box);
}

function evaluate(proposals: readonly ViewProposal[], box?: Box): { kinds: ViewKind[]; best: number } {
  const overlaps = proposals.map(({ corners }) => {
    const found = boxOfQuad(corners);
    return found && box ? overlapOf(found, box) : 0;
  });
  return { kinds: proposals.map(({ kind }) => kind), best: Math.max(...overlaps) };
}

async function lay(
  width: number,
  height: number,
  background: string,
  parts: [image: Sharp, left: number, top: number][],
): Promise<Raster> {
  const overlays = await Promise.all(
    parts.map(
      async ([image, left, top]): Promise<OverlayOptions> => ({
        input: await image.png().toBuffer(),
        left,
        top,
      }),
    ),
  );
  const page = sharp({ create: { width, height, channels: 3, background } }).composite(overlays);
  return toRaster(sharp(await page.jpeg({ quality: 80 }).toBuffer()));
}

async function toRaster(image: Sharp): Promise<Raster> {
  const { data, info } = await image.removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return { pixels: data, width: info.width, height: info.height };
}

function box(width: number, height: number, background: string): Sharp {
  return sharp({ create: { width, height, channels: 3, background } });
}

/** Draws strokes like two lines of text. */
function lines(width: number, height: number, ink: string): Sharp {
  const words = Array.from({ length: Math.floor(width / 9) }, (_, at) =>
    [0.25, 0.75].map((line) => {
      const [x, y, tall] = [at * 9 + 2, height * line, height * 0.16];
      return at % 5 === 4 ? "" : `M${x} ${y + tall}V${y - tall}M${x} ${y}L${x + 4} ${y + tall}`;
    }),
  );
  return sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><path d="${words.flat().join("")}" stroke="${ink}" stroke-width="2"/></svg>`,
    ),
  );
}

/**
 * Draws a scene within four corners (with nearly horizontal upper and lower sides) on a plain background with
 * a dark frame.
 */
function drawOnQuad(
  room: { width: number; height: number; colour: readonly number[] },
  quad: Quad,
  seed: number,
): Raster {
  const { width, height } = room;
  const pixels = new Uint8Array(width * height * 3);
  const scene = drawScene(seed, 320, 180);
  const [a, b, c, d] = quad;
  const at = (from: number, to: number, share: number) => from + (to - from) * share;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      // Left and right side are nearly vertical here: their position depends on the row alone.
      const down = (y - a[1]) / (d[1] - a[1]);
      const [left, right] = [at(a[0], d[0], down), at(b[0], c[0], down)];
      const u = (x - left) / (right - left);
      const v = (y - at(a[1], b[1], u)) / (at(d[1], c[1], u) - at(a[1], b[1], u));
      const isRim = u > -0.02 && u < 1.02 && v > -0.03 && v < 1.03;
      const isInside = u >= 0 && u < 1 && v >= 0 && v < 1;
      const from = (Math.floor(v * 180) * 320 + Math.floor(u * 320)) * 3;
      const shown = isInside ? scene.subarray(from, from + 3) : isRim ? [15, 15, 17] : room.colour;
      pixels.set(shown, (y * width + x) * 3);
    }
  }
  return { pixels, width, height };
}

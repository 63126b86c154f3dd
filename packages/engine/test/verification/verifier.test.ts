import { describe, expect, it } from "vitest";
import type { Cover, ImageView, Region } from "../../src/image/image-description.ts";
import { frameThumbnailSize, writeFrameThumbnail } from "../../src/pixels/frame-thumbnail.ts";
import { createGreyRaster } from "../../src/pixels/grey-raster.ts";
import type { Raster } from "../../src/pixels/raster.ts";
import { createVerifier } from "../../src/verification/verifier.ts";
import { drawScene } from "../fixtures/drawn-scenes.ts";

const [width, height] = [320, 180];
const aspect = width / height;

function thumbnailOf(seed: number): Uint8Array {
  const thumbnail = new Uint8Array(frameThumbnailSize.bytes);
  writeFrameThumbnail(drawScene(seed, 112, 112), 112, 112, thumbnail);
  return thumbnail;
}

/** Draws a scene with `toScene`, which maps image to scene coordinates (0..1); grey outside of the scene. */
function show(
  seed: number,
  size: { width: number; height: number },
  toScene: (x: number, y: number) => readonly [number, number],
  change: (value: number) => number = (value) => value,
): Raster {
  const scene = drawScene(seed, width, height);
  const pixels = new Uint8Array(size.width * size.height * 3).fill(90);
  for (let y = 0, to = 0; y < size.height; y++) {
    for (let x = 0; x < size.width; x++, to += 3) {
      const [u, v] = toScene((x + 0.5) / size.width, (y + 0.5) / size.height);
      if (u < 0 || v < 0 || u >= 1 || v >= 1) continue;
      const from = (Math.floor(v * height) * width + Math.floor(u * width)) * 3;
      for (let channel = 0; channel < 3; channel++) {
        pixels[to + channel] = change(scene[from + channel] ?? 0);
      }
    }
  }
  return { pixels, ...size };
}

const whole: Pick<ImageView, "isMirrored" | "region"> = { region: null, isMirrored: false };

function verify(image: Raster, seed: number, view = whole) {
  const verifier = createVerifier(createGreyRaster(image));
  const input = { thumbnail: thumbnailOf(seed), aspect, view };
  const alignment = verifier.align(input, verifier.alignCoarsely(input));
  return (
    alignment ?? { evidence: { correlation: 0, overlap: 0, detail: 0 }, region: null, isMirrored: false }
  );
}

function expectRegion(found: Region | null, expected: Region, tolerance = 0.03): void {
  for (const side of ["x", "y", "width", "height"] as const) {
    expect(Math.abs((found?.[side] ?? -1) - expected[side]), side).toBeLessThan(tolerance);
  }
}

describe("frame alignment", () => {
  it("does not compare a cover", () => {
    const image = show(6, { width, height }, (x, y) => [x, y]);
    const cover = { x: 0.25, y: 0.2, width: 0.55, height: 0.6 };
    for (let y = 0.2 * height; y < 0.8 * height; y++) {
      const at = y * width * 3;
      image.pixels.fill(255, at + 0.25 * width * 3, at + 0.8 * width * 3);
    }
    const measure = (hidden?: Region) => {
      const verifier = createVerifier(createGreyRaster(image), hidden);
      const input = { thumbnail: thumbnailOf(6), aspect, view: whole };
      return verifier.align(input, verifier.alignCoarsely(input))?.evidence;
    };
    const [compared, hidden] = [measure(), measure(cover)];
    expect(hidden?.correlation).toBeGreaterThan((compared?.correlation ?? 1) + 0.1);
    expect(hidden?.outliers).toBeLessThan((compared?.outliers ?? 0) / 2);
    expect(hidden?.overlap).toBeCloseTo(1 - cover.width * cover.height, 1);
  });

  it("does not compare what is around a disc", () => {
    const part = { x: 0.25, y: 0.1, width: 0.45, height: 0.8 };
    const side = 144;
    const image = show(6, { width: side, height: side }, (x, y) => [
      part.x + x * part.width,
      part.y + y * part.height,
    ]);
    for (let at = 0; at < side * side; at++) {
      const distance = Math.hypot((at % side) + 0.5 - side / 2, Math.floor(at / side) + 0.5 - side / 2);
      if (distance > side / 2) image.pixels.fill(0, at * 3, at * 3 + 3);
    }
    const measure = (cover?: Cover) => {
      const verifier = createVerifier(createGreyRaster(image), cover);
      const input = { thumbnail: thumbnailOf(6), aspect, view: whole };
      return verifier.align(input, verifier.alignCoarsely(input))?.evidence;
    };
    const [compared, hidden] = [measure(), measure({ x: 0, y: 0, width: 1, height: 1, isRound: true })];
    expect(hidden?.correlation).toBeGreaterThan((compared?.correlation ?? 1) + 0.1);
    expect(hidden?.overlap).toBeCloseTo((Math.PI / 4) * part.width * part.height, 1);
  });

  it("finds an unchanged frame in other light", () => {
    const dim = show(
      3,
      { width, height },
      (x, y) => [x, y],
      (value) => 20 + value * 0.35,
    );
    const { evidence, region } = verify(dim, 3);
    expect(evidence.correlation).toBeGreaterThan(0.9);
    expect(evidence.overlap).toBeGreaterThan(0.97);
    expectRegion(region, { x: 0, y: 0, width: 1, height: 1 });
  });

  it("measures the part of the frame that a crop shows", () => {
    const crop = show(4, { width: 160, height: 150 }, (x, y) => [0.3 + x * 0.5, 0.1 + y * 0.8333]);
    const { evidence } = verify(crop, 4);
    expect(evidence.correlation).toBeGreaterThan(0.85);
    expect(Math.abs(evidence.overlap - 0.5 * 0.8333)).toBeLessThan(0.05);
  });

  it("finds the frame and its position on a page", () => {
    const page = show(5, { width: 200, height: 300 }, (x, y) => [(x - 0.1) / 0.8, (y - 0.3) / 0.3]);
    const { evidence, region } = verify(page, 5);
    expect(evidence.correlation).toBeGreaterThan(0.8);
    expectRegion(region, { x: 0.1, y: 0.3, width: 0.8, height: 0.3 });
  });

  it("starts from a view and may leave it", () => {
    const page = show(6, { width: 300, height: 300 }, (x, y) => [(x - 0.5) / 0.45, (y - 0.05) / 0.25313]);
    const region = { x: 0.45, y: 0.02, width: 0.5, height: 0.35 };
    const found = verify(page, 6, { region, isMirrored: false });
    expect(found.evidence.correlation).toBeGreaterThan(0.7);
    expectRegion(found.region, { x: 0.5, y: 0.05, width: 0.45, height: 0.25313 });
  });

  it("finds a frame that is squeezed to an upright image, and none that is squeezed on a page", () => {
    const upright = { width: 100, height: 180 };
    const filled = verify(
      show(5, upright, (x, y) => [x, y]),
      5,
    );
    expect(filled.evidence.correlation).toBeGreaterThan(0.8);
    expectRegion(filled.region, { x: 0, y: 0, width: 1, height: 1 });
    const page = show(5, { width: 300, height: 300 }, (x, y) => [(x - 0.35) / 0.3, (y - 0.1) / 0.54]);
    expect(verify(page, 5).evidence.correlation).toBeLessThan(0.5);
  });

  it("finds the frame rotated by a few degrees", () => {
    const [sin, cos] = [Math.sin(0.1), Math.cos(0.1)];
    const rotated = show(7, { width, height }, (x, y) => {
      const [across, down] = [(x - 0.5) * aspect, y - 0.5];
      return [(across * cos + down * sin) / aspect + 0.5, down * cos - across * sin + 0.5];
    });
    expect(verify(rotated, 7).evidence.correlation).toBeGreaterThan(0.8);
  });

  it("finds the frame in perspective", () => {
    const bent = show(8, { width, height }, (x, y) => {
      const depth = 1 + 0.25 * (x - 0.5);
      return [(x - 0.5) / depth / 0.9 + 0.5, (y - 0.5) / depth / 0.9 + 0.5];
    });
    expect(verify(bent, 8).evidence.correlation).toBeGreaterThan(0.7);
  });

  it("finds a mirrored frame only in the mirrored view", () => {
    const mirrored = show(9, { width, height }, (x, y) => [1 - x, y]);
    expect(verify(mirrored, 9, { region: null, isMirrored: true })).toMatchObject({ isMirrored: true });
    const correlation = (isMirrored: boolean) =>
      verify(mirrored, 9, { region: null, isMirrored }).evidence.correlation;
    expect(correlation(true)).toBeGreaterThan(0.9);
    expect(correlation(false)).toBeLessThan(0.6);
  });

  it("prefers the true scene to all others after every edit", () => {
    const image = show(10, { width: 200, height: 300 }, (x, y) => [x * 0.8 + 0.1, (y - 0.3) / 0.35]);
    const others = [11, 12, 13, 14, 15, 16, 17, 18, 19, 20].map((seed) => verify(image, seed).evidence);
    const { correlation } = verify(image, 10).evidence;
    expect(correlation).toBeGreaterThan(0.8);
    for (const other of others) expect(other.correlation * Math.sqrt(other.overlap)).toBeLessThan(0.55);
  });

  it("returns no match for a blank image", () => {
    const blank = { pixels: new Uint8Array(300 * 200 * 3).fill(200), width: 300, height: 200 };
    expect(verify(blank, 21).evidence.detail).toBeLessThan(0.01);
    expect(verify(blank, 21).evidence.correlation).toBeLessThan(0.3);
  });
});

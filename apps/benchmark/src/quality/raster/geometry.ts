import type { KernelEnum } from "@koma/image";
import type { Random, Rgb } from "@koma/testing/drawing";
import { createRaster, finish, type Raster, type Rectangle, startSharp } from "./raster.ts";

/** Stretches to a size, at least one pixel in each direction. */
export async function resize(
  raster: Raster,
  width: number,
  height: number,
  kernel: keyof KernelEnum = "lanczos3",
): Promise<Raster> {
  return finish(
    startSharp(raster).resize(Math.max(1, Math.round(width)), Math.max(1, Math.round(height)), {
      fit: "fill",
      kernel,
    }),
  );
}

/** Scales to a width and keeps the aspect ratio. */
export async function resizeToWidth(raster: Raster, width: number): Promise<Raster> {
  return resize(raster, width, (raster.height * width) / raster.width);
}

/** Cuts out a part in pixels; the area outside of the image is excluded. */
export function crop(raster: Raster, part: Rectangle): Raster {
  const x = clamp(Math.round(part.x), 0, raster.width - 1);
  const y = clamp(Math.round(part.y), 0, raster.height - 1);
  const width = clamp(Math.round(part.width), 1, raster.width - x);
  const height = clamp(Math.round(part.height), 1, raster.height - y);
  const cut = createRaster(width, height);
  for (let row = 0; row < height; row++) {
    const from = ((y + row) * raster.width + x) * 3;
    cut.pixels.set(raster.pixels.subarray(from, from + width * 3), row * width * 3);
  }
  return cut;
}

/** Cuts out a part of that size at a random position, `low` to `high` of the way to the other edges. */
export function cropAnywhere(
  raster: Raster,
  { width, height }: { width: number; height: number },
  random: Random,
  [low, high]: readonly [number, number] = [0, 1],
): Raster {
  const x = (raster.width - width) * random.between(low, high);
  const y = (raster.height - height) * random.between(low, high);
  return crop(raster, { x, y, width, height });
}

/** Cuts out the largest middle part of an aspect ratio (width by height). */
export function cropToShape(raster: Raster, shape: number): Raster {
  const width = Math.min(raster.width, raster.height * shape);
  const height = Math.min(raster.height, raster.width / shape);
  return crop(raster, { x: (raster.width - width) / 2, y: (raster.height - height) / 2, width, height });
}

/** Exchanges left and right. */
export async function mirror(raster: Raster): Promise<Raster> {
  return finish(startSharp(raster).flop());
}

/**
 * Places `image` on `ground` with its upper left corner at that point, optionally with round corners. Both
 * inputs stay unchanged.
 */
export function lay(ground: Raster, image: Raster, x: number, y: number, cornerRadius = 0): Raster {
  const result = { ...ground, pixels: Uint8Array.from(ground.pixels) };
  const left = Math.round(x);
  const top = Math.round(y);
  for (let row = Math.max(0, -top); row < Math.min(image.height, ground.height - top); row++) {
    const inset = cornerInset(row, image.height, cornerRadius);
    const start = Math.max(inset, -left);
    const end = Math.min(image.width - inset, ground.width - left);
    if (end <= start) continue;
    const from = row * image.width * 3;
    result.pixels.set(
      image.pixels.subarray(from + start * 3, from + end * 3),
      ((row + top) * ground.width + left + start) * 3,
    );
  }
  return result;
}

/** Adds bars or a frame of one colour around the image, widths in pixels. */
export function surround(
  raster: Raster,
  sides: { top?: number; bottom?: number; left?: number; right?: number },
  colour: Rgb = [0, 0, 0],
): Raster {
  const [top, bottom, left, right] = [sides.top, sides.bottom, sides.left, sides.right].map((side) =>
    Math.round(side ?? 0),
  ) as [number, number, number, number];
  const ground = createRaster(raster.width + left + right, raster.height + top + bottom, colour);
  return lay(ground, raster, left, top);
}

function cornerInset(row: number, height: number, radius: number): number {
  const distance = Math.max(radius - row - 0.5, row + 0.5 - (height - radius));
  if (distance <= 0) return 0;
  return Math.round(radius - Math.sqrt(Math.max(0, radius * radius - distance * distance)));
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}

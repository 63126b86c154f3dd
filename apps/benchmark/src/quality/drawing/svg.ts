import { sharp } from "@koma/image";
import { finish, type Raster, startSharp } from "../raster/raster.ts";

/** Draws `body` (SVG elements in pixels of the image) over the image. */
export async function drawOver(raster: Raster, body: string): Promise<Raster> {
  return finish(startSharp(raster).composite([{ input: documentOf(raster.width, raster.height, body) }]));
}

/** Draws `body` on one colour. */
export async function drawPage(
  width: number,
  height: number,
  background: string,
  body: string,
): Promise<Raster> {
  const ground = `<rect width="${width}" height="${height}" fill="${background}"/>`;
  return finish(sharp(documentOf(width, height, ground + body)).flatten({ background }));
}

/** Draws like `drawOver`, with a transparent drawing. */
export async function drawFaintly(raster: Raster, body: string, opacity: number): Promise<Raster> {
  return drawOver(raster, `<g opacity="${opacity.toFixed(3)}">${body}</g>`);
}

/** Draws a rectangle with round corners. */
export function box(x: number, y: number, width: number, height: number, fill: string, radius = 0): string {
  return `<rect x="${fixed(x)}" y="${fixed(y)}" width="${fixed(width)}" height="${fixed(height)}" rx="${fixed(radius)}" fill="${fill}"/>`;
}

export function disc(x: number, y: number, radius: number, fill: string): string {
  return `<circle cx="${fixed(x)}" cy="${fixed(y)}" r="${fixed(radius)}" fill="${fill}"/>`;
}

/** Draws a line of strokes, `path` as in SVG, without a fill. */
export function stroke(path: string, width: number, colour: string): string {
  return `<path d="${path}" fill="none" stroke="${colour}" stroke-width="${fixed(width)}" stroke-linecap="round" stroke-linejoin="round"/>`;
}

export function fixed(value: number): string {
  return value.toFixed(2);
}

function documentOf(width: number, height: number, body: string): Buffer {
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${body}</svg>`,
  );
}

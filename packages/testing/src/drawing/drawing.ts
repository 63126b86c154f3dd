import type { Random } from "./random.ts";

/** Size of the sample videos; all drawings use these units. */
export const image = { width: 480, height: 270 };

export type Point = readonly [x: number, y: number];

/** Formats a number for a drawing: two decimals are finer than a pixel. */
export function n(value: number): string {
  return String(Math.round(value * 100) / 100);
}

/** The cel style: a flat fill and an even dark outline. */
export function cel(fill: string, line = "#241f33", width = 1.6): string {
  return `fill="${fill}" stroke="${line}" stroke-width="${n(width)}" stroke-linejoin="round" stroke-linecap="round"`;
}

export function flat(fill: string, opacity = 1): string {
  return opacity === 1 ? `fill="${fill}"` : `fill="${fill}" fill-opacity="${n(opacity)}"`;
}

export function stroke(color: string, width: number): string {
  return `fill="none" stroke="${color}" stroke-width="${n(width)}" stroke-linecap="round" stroke-linejoin="round"`;
}

export function rect(x: number, y: number, width: number, height: number, style: string, round = 0): string {
  const corner = round === 0 ? "" : ` rx="${n(round)}"`;
  return `<rect x="${n(x)}" y="${n(y)}" width="${n(width)}" height="${n(height)}"${corner} ${style}/>`;
}

export function circle(x: number, y: number, radius: number, style: string): string {
  return `<circle cx="${n(x)}" cy="${n(y)}" r="${n(radius)}" ${style}/>`;
}

export function ellipse(x: number, y: number, rx: number, ry: number, style: string): string {
  return `<ellipse cx="${n(x)}" cy="${n(y)}" rx="${n(rx)}" ry="${n(ry)}" ${style}/>`;
}

export function polygon(points: readonly Point[], style: string): string {
  return `<polygon points="${points.map(([x, y]) => `${n(x)},${n(y)}`).join(" ")}" ${style}/>`;
}

export function line(points: readonly Point[], style: string): string {
  return `<polyline points="${points.map(([x, y]) => `${n(x)},${n(y)}`).join(" ")}" ${style}/>`;
}

/** Draws a path; numbers in the template are shortened. */
export function path(style: string): (parts: TemplateStringsArray, ...values: number[]) => string {
  return (parts, ...values) =>
    `<path d="${parts.map((part, i) => part + (values[i] === undefined ? "" : n(values[i]))).join("")}" ${style}/>`;
}

/** Draws a group that is moved, then scaled. */
export function group(at: { x?: number; y?: number; scale?: number }, content: string) {
  const { x = 0, y = 0, scale = 1 } = at;
  return `<g transform="translate(${n(x)} ${n(y)}) scale(${n(scale)} ${n(scale)})">${content}</g>`;
}

/** Draws a sky (or another backdrop) that fades from top to bottom; `id` is unique in its image. */
export function fade(
  id: string,
  top: string,
  bottom: string,
  area = { x: -240, y: -140, width: 960, height: 560 },
) {
  return (
    `<linearGradient id="${id}" x1="0" y1="0" x2="0" y2="1"><stop offset="0.2" stop-color="${top}"/>` +
    `<stop offset="0.8" stop-color="${bottom}"/></linearGradient>` +
    rect(area.x, area.y, area.width, area.height, `fill="url(#${id})"`)
  );
}

/** Draws a soft light around a point. */
export function glow(
  id: string,
  x: number,
  y: number,
  radius: number,
  color: string,
  strength = 0.8,
): string {
  return (
    `<radialGradient id="${id}"><stop offset="0" stop-color="${color}" stop-opacity="${n(strength)}"/>` +
    `<stop offset="1" stop-color="${color}" stop-opacity="0"/></radialGradient>` +
    circle(x, y, radius, `fill="url(#${id})"`)
  );
}

/** Draws rolling hills across a wide world, with their foot below the image. */
export function hills(random: Random, y: number, height: number, length: number, style: string): string {
  let d = `M-320 ${n(y)}`;
  for (let x = -320; x <= 800; ) {
    const width = length * random.between(0.7, 1.3);
    d += ` q${n(width / 2)} ${n(-height * random.between(0.5, 1.6))} ${n(width)} ${n(random.between(-4, 4))}`;
    x += width;
  }
  return `<path d="${d} V440 H-320 Z" ${style}/>`;
}

export function cloud(x: number, y: number, size: number, style: string): string {
  return group(
    { x, y, scale: size },
    `<path d="M-46 12 q-14 -2 -10 -14 q6 -12 20 -8 q6 -20 26 -16 q12 2 16 12 q16 -8 24 4 q16 0 14 14 q-2 8 -14 8 Z" ${style}/>`,
  );
}

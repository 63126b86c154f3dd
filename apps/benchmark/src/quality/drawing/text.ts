import { sharp } from "@koma/image";
import { createRandom } from "@koma/testing/drawing";
import { fixed, stroke } from "./svg.ts";

export type TextStyle = {
  x: number;
  /** Base line. */
  y: number;
  size: number;
  fill: string;
  anchor?: "start" | "middle" | "end";
  isBold?: boolean;
  /** Outline in the style of subtitles. */
  outline?: { colour: string; width: number };
};

/**
 * The scripts that the installed fonts support. Others are drawn as strokes that resemble writing at a
 * distance.
 */
export type Scripts = { latin: boolean; japanese: boolean };

/** Draws one line of text as SVG. */
export type DrawText = ReturnType<typeof createDrawText>;

export function createDrawText(scripts: Scripts) {
  return (text: string, style: TextStyle): string => {
    const isJapanese = /[぀-ヿ一-鿿]/u.test(text);
    return (isJapanese ? scripts.japanese : scripts.latin)
      ? drawWithFont(text, style)
      : drawAsStrokes(text, style, isJapanese);
  };
}

/** Detects the supported scripts by drawing one letter of each. */
export async function findScripts(): Promise<Scripts> {
  return { latin: await canWrite("R"), japanese: await canWrite("あ") };
}

function drawWithFont(text: string, style: TextStyle): string {
  const outline = style.outline
    ? ` stroke="${style.outline.colour}" stroke-width="${fixed(style.outline.width)}" stroke-linejoin="round" paint-order="stroke"`
    : "";
  return (
    `<text x="${fixed(style.x)}" y="${fixed(style.y)}" font-family="sans-serif" font-size="${fixed(style.size)}"` +
    ` font-weight="${style.isBold ? "bold" : "normal"}" text-anchor="${style.anchor ?? "start"}" fill="${style.fill}"${outline}>` +
    `${escapeXml(text)}</text>`
  );
}

function drawAsStrokes(text: string, style: TextStyle, isDense: boolean): string {
  const advance = style.size * (isDense ? 1 : 0.56);
  const width = text.length * advance;
  const start = style.x - { start: 0, middle: width / 2, end: width }[style.anchor ?? "start"];
  const paths = [...text].map((letter, i) =>
    letter === " " ? "" : glyphPath(letter, start + i * advance, style.y, style.size, isDense),
  );
  const path = paths.join("");
  const thickness = style.size * (style.isBold ? 0.13 : 0.09);
  const outline = style.outline ? stroke(path, thickness + style.outline.width, style.outline.colour) : "";
  return outline + stroke(path, thickness, style.fill);
}

/** Returns a few strokes, deterministic per letter: horizontal and vertical ones, a slanted one, an arc. */
function glyphPath(letter: string, x: number, y: number, size: number, isDense: boolean): string {
  const random = createRandom(`glyph ${letter}`);
  const width = size * (isDense ? 0.84 : 0.42);
  const height = size * (isDense ? 0.84 : 0.66);
  const toPoint = (u: number, v: number) => `${fixed(x + u * width)} ${fixed(y - v * height)}`;
  const parts: string[] = [];
  for (let i = 0; i < (isDense ? random.whole(4, 7) : 2); i++) {
    const level = random.next();
    const [low, high] = [random.between(0, 0.35), random.between(0.65, 1)];
    const kind = random.whole(0, 3);
    if (kind === 0) parts.push(`M${toPoint(low, level)}L${toPoint(high, level)}`);
    else if (kind === 1) parts.push(`M${toPoint(level, low)}L${toPoint(level, high)}`);
    else if (kind === 2) parts.push(`M${toPoint(low, high)}L${toPoint(high, low)}`);
    else parts.push(`M${toPoint(0, level)}Q${toPoint(0.5, high)} ${toPoint(1, low)}`);
  }
  return parts.join("");
}

/**
 * Returns false when the letter draws nothing, or the box of a missing letter (pixels along all four sides).
 */
async function canWrite(letter: string): Promise<boolean> {
  const side = 120;
  const text = drawWithFont(letter, { x: 20, y: 90, size: 70, fill: "#ffffff" });
  const { data } = await sharp(
    Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}">${text}</svg>`),
  )
    .flatten({ background: "#000000" })
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const isInk = (x: number, y: number) => (data[y * side + x] ?? 0) > 96;
  const cells = Array.from({ length: side * side }, (_, i) => [i % side, Math.floor(i / side)] as const);
  const inked = cells.filter(([x, y]) => isInk(x, y));
  if (inked.length === 0) return false;
  const [xs, ys] = [inked.map(([x]) => x), inked.map(([, y]) => y)];
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const shareOf = (count: number, all: number) => count / (all + 1);
  const sides = [left + 1, right - 1].map((x) =>
    shareOf(ys.filter((y, i) => xs[i] === x && isInk(x, y)).length, bottom - top),
  );
  const ends = [top + 1, bottom - 1].map((y) =>
    shareOf(xs.filter((x, i) => ys[i] === y && isInk(x, y)).length, right - left),
  );
  return [...sides, ...ends].some((share) => share < 0.8);
}

function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

import { drawOver } from "../drawing/svg.ts";
import { cropAnywhere, lay, resize } from "../raster/geometry.ts";
import { createRaster, encodeJpeg, encodePng, type Raster } from "../raster/raster.ts";
import { blur, lumaOf, mapColours } from "../raster/tone.ts";
import type { EditContext, Transformation } from "./transformation.ts";

/** Edits after which an image has few tones, or shows a small or a hidden part of the frame. */
export const hardTransformations: Transformation[] = [
  { name: "avatar", edit: drawAvatar },
  {
    name: "one-bit",
    edit(frame, { random }) {
      const threshold = meanOf(frame) * random.between(0.85, 1.15);
      return encodePng(mapColours(frame, (...rgb) => spread(luma(rgb) < threshold ? 0 : 255)));
    },
  },
  { name: "large-word", edit: drawLargeWord },
  {
    name: "quarter-area",
    edit(frame, { random }) {
      const part = { width: frame.width / 2, height: frame.height / 2 };
      return encodeJpeg(cropAnywhere(frame, part, random), random.whole(70, 92));
    },
  },
  { name: "edges", edit: drawEdges },
  {
    name: "exposures",
    showsOther: true,
    async edit(frame, { other, random }) {
      const { pixels } = await resize(other, frame.width, frame.height, "cubic");
      const share = random.between(0.3, 0.45);
      return encodeJpeg(
        mapColours(frame, (red, green, blue, x, y) => {
          const at = (y * frame.width + x) * 3;
          const [r = 0, g = 0, b = 0] = pixels.subarray(at, at + 3);
          return [mix(red, r, share), mix(green, g, share), mix(blue, b, share)];
        }),
        85,
      );
    },
  },
  {
    name: "four-tones",
    edit: (frame) =>
      encodePng(
        mapColours(frame, (...rgb) => {
          const tone = Math.min(3, Math.floor(luma(rgb) / 64)) / 3;
          return [40 + 200 * tone, 26 + 180 * tone, 13 + 140 * tone];
        }),
      ),
  },
];

/** Mean width of a bold capital letter, as a share of the font size. */
const BOLD_LETTER_WIDTH = 0.85;

/** Cuts a square out, or a disc on a plain ground. */
async function drawAvatar(frame: Raster, { random }: EditContext): Promise<Buffer> {
  const side = Math.round(frame.height * random.between(0.55, 0.8));
  const part = cropAnywhere(frame, { width: side, height: side }, random);
  if (random.chance(0.5)) return encodeJpeg(part, 85);
  const ground = random.pick([0, 24, 255]);
  const size = random.whole(side, Math.round(side * 1.4));
  const radius = part.width / 2;
  const disc = mapColours(part, (red, green, blue, x, y) =>
    Math.hypot(x + 0.5 - radius, y + 0.5 - radius) > radius ? spread(ground) : [red, green, blue],
  );
  const offset = Math.floor((size - part.width) / 2);
  return encodeJpeg(lay(createRaster(size, size, spread(ground)), disc, offset, offset), 88);
}

async function drawLargeWord(frame: Raster, { random, text }: EditContext): Promise<Buffer> {
  const { width, height } = frame;
  const word = random.pick(["WHAT", "NOOO", "MONDAY", "SOURCE?", "BRUH", "FINALLY"]);
  const size = (width * random.between(0.8, 0.98)) / (word.length * BOLD_LETTER_WIDTH);
  const mark = text(word, {
    x: width / 2,
    y: height / 2 + size * 0.35,
    size,
    fill: random.pick(["#ffffff", "#ffe000", "#ff2020", "#000000"]),
    anchor: "middle",
    isBold: true,
    outline: { colour: random.pick(["#000000", "#ffffff"]), width: size * 0.06 },
  });
  return encodeJpeg(await drawOver(frame, mark), 85);
}

/** Draws the gradients of the brightness dark on white. */
async function drawEdges(frame: Raster, { random }: EditContext): Promise<Buffer> {
  const smooth = await blur(frame, 1.2);
  const { width, height, pixels } = smooth;
  const lumaAt = (x: number, y: number) => {
    const at = (Math.min(height - 1, Math.max(0, y)) * width + Math.min(width - 1, Math.max(0, x))) * 3;
    return lumaOf(pixels[at] ?? 0, pixels[at + 1] ?? 0, pixels[at + 2] ?? 0);
  };
  const strength = random.between(3, 5);
  return encodeJpeg(
    mapColours(smooth, (_red, _green, _blue, x, y) => {
      const slope = Math.hypot(lumaAt(x + 1, y) - lumaAt(x - 1, y), lumaAt(x, y + 1) - lumaAt(x, y - 1));
      return spread(255 - Math.min(255, slope * strength));
    }),
    88,
  );
}

function meanOf({ pixels }: Raster): number {
  let sum = 0;
  for (let at = 0; at < pixels.length; at += 3)
    sum += lumaOf(pixels[at] ?? 0, pixels[at + 1] ?? 0, pixels[at + 2] ?? 0);
  return (sum * 3) / pixels.length;
}

function luma([red, green, blue]: readonly number[]): number {
  return lumaOf(red ?? 0, green ?? 0, blue ?? 0);
}

function mix(one: number, other: number, share: number): number {
  return one * (1 - share) + other * share;
}

function spread(value: number): [number, number, number] {
  return [value, value, value];
}

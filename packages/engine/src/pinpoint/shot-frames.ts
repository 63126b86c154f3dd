import { BLOCK_PIXELS, BLOCK_SIDE } from "../strips/block-transform.ts";
import { decodeStrip, readStripHead } from "../strips/decode-strip.ts";
import { BLOCK_COUNT, firstPixelOf, STRIP_PIXELS, stripSize } from "../strips/strip-frame.ts";

/** The frames of a shot. Equal frames that follow each other have one drawing. */
export type Shot = {
  atSeconds: number[];
  /** The drawing of each frame. */
  drawingOf: number[];
  /** Where the 60 blocks of each drawing are in `pixels`; blocks that did not change are there once. */
  drawings: Uint32Array[];
  pixels: Uint8Array;
};

/** The means of the parts of a drawing. */
export type DrawingParts = Float32Array;

/** Side of the parts whose means are compared; they are as large as the difference of two mouths. */
const PART_SIDE = 4;
const PARTS_PER_BLOCK = (BLOCK_SIDE / PART_SIDE) ** 2;
/** Drawings whose parts differ by at most this look the same, of 255. */
const MOST_DIFFERENCE = 8;
const { width: WIDTH } = stripSize;

/** The index of the pixel of a frame, row by row, for each pixel block by block. */
export const pixelOrder = Uint16Array.from({ length: STRIP_PIXELS }, (_, at) => {
  const within = at % BLOCK_PIXELS;
  return firstPixelOf((at - within) / BLOCK_PIXELS) + (within >> 3) * WIDTH + (within & 7);
});

/** The strips of a shot that are decoded, a minute and a half: a shot can last for an hour. */
const MOST_STRIPS = 16;

/** The blocks of the shot that this thread decodes; the memory of the largest one stays. */
let decoded = new Uint8Array(STRIP_PIXELS * 8);

/**
 * Decodes the strips of a shot, in order of time, around a time. Skips invalid strips, which a pack can contain.
 */
export function decodeShot(all: readonly Uint8Array[], nearSeconds: number): Shot {
  const strips = chooseStrips(all.filter(isStrip), nearSeconds);
  const shot: Omit<Shot, "pixels"> = { atSeconds: [], drawingOf: [], drawings: [] };
  let length = 0;
  let last = new Uint32Array(BLOCK_COUNT);
  for (const strip of strips) {
    const { atSeconds, changes, blocks } = decodeStrip(strip);
    while (length + blocks.length > decoded.length) decoded = enlarge(decoded);
    decoded.set(blocks, length);
    for (let frame = 0; frame < atSeconds.length; frame++) {
      const changesOfFrame = changes.subarray(frame * BLOCK_COUNT, (frame + 1) * BLOCK_COUNT);
      if (changesOfFrame.includes(1)) {
        last = last.slice();
        for (let block = 0; block < BLOCK_COUNT; block++) {
          if (changesOfFrame[block] !== 1) continue;
          last[block] = length;
          length += BLOCK_PIXELS;
        }
        shot.drawings.push(last);
      }
      shot.drawingOf.push(shot.drawings.length - 1);
    }
    shot.atSeconds.push(...atSeconds);
  }
  return { ...shot, pixels: decoded.slice(0, length) };
}

function isStrip(bytes: Uint8Array): boolean {
  try {
    readStripHead(bytes);
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

function chooseStrips(strips: readonly Uint8Array[], nearSeconds: number): readonly Uint8Array[] {
  if (strips.length <= MOST_STRIPS) return strips;
  const next = strips.findIndex((strip) => readStripHead(strip).first > nearSeconds * 1000);
  const middle = (next < 0 ? strips.length : next) - 1;
  const first = Math.max(0, Math.min(middle - MOST_STRIPS / 2, strips.length - MOST_STRIPS));
  return strips.slice(first, first + MOST_STRIPS);
}

/** Returns the drawing of a shot at a time. */
export function drawingAt({ atSeconds, drawingOf }: Shot, seconds: number): number {
  const next = atSeconds.findIndex((at) => at > seconds + 0.001);
  return drawingOf[next < 0 ? atSeconds.length - 1 : Math.max(0, next - 1)] ?? 0;
}

/** Returns the grey values of a drawing, row by row. */
export function pixelsOf({ drawings, pixels }: Shot, drawing: number): Uint8Array {
  const blocks = drawings[drawing];
  const values = new Uint8Array(STRIP_PIXELS);
  for (let at = 0; at < STRIP_PIXELS; at++)
    values[pixelOrder[at] ?? 0] = pixels[(blocks?.[at >> 6] ?? 0) + (at & 63)] ?? 0;
  return values;
}

/** Returns the means of 4 by 4 pixels of a drawing. */
export function partsOf({ drawings, pixels }: Shot, drawing: number): DrawingParts {
  const blocks = drawings[drawing];
  const parts = new Float32Array(BLOCK_COUNT * PARTS_PER_BLOCK);
  for (let block = 0; block < BLOCK_COUNT; block++)
    writeParts(pixels, blocks?.[block] ?? 0, parts, block * PARTS_PER_BLOCK);
  return parts;
}

/** True for drawings of a shot of which no part differs visibly. */
export function areDrawingsAlike({ drawings, pixels }: Shot, one: number, other: number): boolean {
  const [blocks, otherBlocks] = [drawings[one], drawings[other]];
  const parts = new Float32Array(2 * PARTS_PER_BLOCK);
  for (let block = 0; block < BLOCK_COUNT; block++) {
    const [first, otherFirst] = [blocks?.[block] ?? 0, otherBlocks?.[block] ?? 0];
    if (first === otherFirst) continue;
    parts.fill(0);
    writeParts(pixels, first, parts, 0);
    writeParts(pixels, otherFirst, parts, PARTS_PER_BLOCK);
    if (!areAlike(parts.subarray(0, PARTS_PER_BLOCK), parts.subarray(PARTS_PER_BLOCK))) return false;
  }
  return true;
}

/** True for drawings of which no part differs visibly. */
export function areAlike(one: DrawingParts, other: DrawingParts): boolean {
  if (one === other) return true;
  for (let at = 0; at < one.length; at++)
    if (Math.abs((one[at] ?? 0) - (other[at] ?? 0)) > MOST_DIFFERENCE) return false;
  return true;
}

function writeParts(pixels: Uint8Array, first: number, into: Float32Array, firstPart: number): void {
  for (let at = 0; at < BLOCK_PIXELS; at++) {
    const part = firstPart + (at >> 5) * 2 + ((at & 7) >> 2);
    into[part] = (into[part] ?? 0) + (pixels[first + at] ?? 0) / PART_SIDE ** 2;
  }
}

function enlarge(pixels: Uint8Array) {
  const larger = new Uint8Array(pixels.length * 2);
  larger.set(pixels);
  return larger;
}

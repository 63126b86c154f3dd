import { crc32 } from "node:zlib";
import { sharp } from "./decoder.ts";

/** A frame of an animated PNG: its place on the canvas, and how it changes it. */
type ApngFrame = {
  left: number;
  top: number;
  width: number;
  height: number;
  delayMs: number;
  dispose: number;
  isBlended: boolean;
  data: Uint8Array[];
};

/** An animated PNG. */
export type Apng = {
  width: number;
  height: number;
  /** The header of the file, and its palette with the transparency of its colours. */
  header: Uint8Array;
  tables: Uint8Array[];
  frames: ApngFrame[];
};

const dispositions = { none: 0, background: 1, previous: 2 } as const;
const signature = Buffer.from("89504e470d0a1a0a", "hex");

/**
 * Reads the chunks of an animated PNG (PNG third edition, 11.3.6); undefined for another PNG, and for one whose
 * animation does not fit its canvas.
 */
export function readApng(file: Buffer): Apng | undefined {
  let apng: Apng | undefined;
  let isAnimated = false;
  let hasPixels = false;
  for (const { type, data } of listChunks(file)) {
    if (apng === undefined && type === "IHDR" && data.length === 13)
      apng = {
        width: data.readUInt32BE(0),
        height: data.readUInt32BE(4),
        header: data,
        tables: [],
        frames: [],
      };
    if (apng === undefined) return undefined;
    // The frames of a file without this chunk before its pixels are ignored.
    if (type === "acTL" && !hasPixels) isAnimated = true;
    if (type === "IDAT" && !isAnimated) return undefined;
    if (type === "IDAT") hasPixels = true;
    if (type === "fcTL" && data.length === 26) apng.frames.push(readFrame(data));
    else if (type === "IDAT") apng.frames.at(-1)?.data.push(data);
    else if (type === "fdAT") apng.frames.at(-1)?.data.push(data.subarray(4));
    else if (!hasPixels && (type === "PLTE" || type === "tRNS") && data.length <= longestTable)
      apng.tables.push(writeChunk(type, data));
  }
  if (apng === undefined) return undefined;
  const { width, height } = apng;
  const frames = apng.frames.filter(({ data }) => data.length > 0);
  const areInside = frames.every(
    (frame) =>
      Math.min(frame.width, frame.height) > 0 &&
      frame.left + frame.width <= width &&
      frame.top + frame.height <= height,
  );
  return frames.length > 1 && areInside ? { ...apng, frames } : undefined;
}

/** A palette of 256 colours. */
const longestTable = 768;

/**
 * Yields the canvas at these frames, in ascending order, as RGBA. The pixels are valid until the next one.
 * Throws the decoder's error.
 */
export async function* composeApng(apng: Apng, frames: readonly number[]): AsyncGenerator<Buffer> {
  const { width, height } = apng;
  const canvas = Buffer.alloc(width * height * 4);
  const selected = new Set(frames);
  const last = Math.max(...frames);
  for (const [at, frame] of apng.frames.slice(0, last + 1).entries()) {
    // The first frame cannot restore one before it.
    const dispose =
      at === 0 && frame.dispose === dispositions.previous ? dispositions.background : frame.dispose;
    const saved = dispose === dispositions.previous ? Buffer.from(canvas) : undefined;
    drawFrame(canvas, width, frame, await decodeFrame(apng, frame));
    if (selected.has(at)) yield canvas;
    if (saved !== undefined) saved.copy(canvas);
    if (dispose === dispositions.background) clearFrame(canvas, width, frame);
  }
}

/** Decodes a frame as an image of its own. */
async function decodeFrame(apng: Apng, { width, height, data }: ApngFrame): Promise<Buffer> {
  const header = Buffer.from(apng.header);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  const png = Buffer.concat([
    signature,
    writeChunk("IHDR", header),
    ...apng.tables,
    ...data.map((part) => writeChunk("IDAT", part)),
    writeChunk("IEND", Buffer.alloc(0)),
  ]);
  const image = sharp(png, { limitInputPixels: false, failOn: "warning" });
  return await image.toColourspace("srgb").ensureAlpha().raw({ depth: "uchar" }).toBuffer();
}

function drawFrame(canvas: Buffer, canvasWidth: number, frame: ApngFrame, pixels: Buffer): void {
  const { left, top, width, height, isBlended } = frame;
  for (let y = 0; y < height; y++) {
    const to = ((top + y) * canvasWidth + left) * 4;
    const row = pixels.subarray(y * width * 4, (y + 1) * width * 4);
    if (isBlended) blend(canvas, to, row);
    else row.copy(canvas, to);
  }
}

/** Draws pixels over those of the canvas (PNG third edition, 13.16). */
function blend(canvas: Buffer, to: number, row: Buffer): void {
  for (let at = 0; at < row.length; at += 4) {
    const alpha = row[at + 3] ?? 0;
    if (alpha === 0) continue;
    const below = (canvas[to + at + 3] ?? 0) * (255 - alpha);
    const sum = alpha * 255 + below;
    for (let channel = 0; channel < 3; channel++) {
      const [above, under] = [row[at + channel] ?? 0, canvas[to + at + channel] ?? 0];
      canvas[to + at + channel] = alpha === 255 ? above : (above * alpha * 255 + under * below) / sum;
    }
    canvas[to + at + 3] = sum / 255;
  }
}

function clearFrame(canvas: Buffer, canvasWidth: number, { left, top, width, height }: ApngFrame): void {
  for (let y = top; y < top + height; y++)
    canvas.fill(0, (y * canvasWidth + left) * 4, (y * canvasWidth + left + width) * 4);
}

function readFrame(data: Buffer): ApngFrame {
  const [numerator, denominator] = [data.readUInt16BE(20), data.readUInt16BE(22)];
  return {
    width: data.readUInt32BE(4),
    height: data.readUInt32BE(8),
    left: data.readUInt32BE(12),
    top: data.readUInt32BE(16),
    // A denominator of 0 means hundredths of a second.
    delayMs: (numerator * 1000) / (denominator || 100),
    dispose: data[24] ?? 0,
    isBlended: data[25] === 1,
    data: [],
  };
}

/** Yields the chunks of a PNG until one that does not fit. */
function* listChunks(file: Buffer): Generator<{ type: string; data: Buffer }> {
  for (let at = signature.length; at + 12 <= file.length; ) {
    const length = file.readUInt32BE(at);
    if (at + 12 + length > file.length) return;
    yield { type: file.toString("latin1", at + 4, at + 8), data: file.subarray(at + 8, at + 8 + length) };
    at += 12 + length;
  }
}

function writeChunk(type: string, data: Uint8Array): Buffer {
  const chunk = Buffer.alloc(12 + data.length);
  chunk.writeUInt32BE(data.length);
  chunk.write(type, 4, "latin1");
  chunk.set(data, 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 8 + data.length)), 8 + data.length);
  return chunk;
}

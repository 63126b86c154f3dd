import { crc32 } from "node:zlib";
import type { Sharp } from "../../src/index.ts";

/** A frame of an animated PNG. Without a place it covers the canvas from the top left. */
export type DrawnFrame = {
  image: Sharp;
  left?: number;
  top?: number;
  delayMs?: number;
  dispose?: 0 | 1 | 2;
  isBlended?: boolean;
};

/**
 * Writes an animated PNG whose canvas has the size of the first frame. A separate default image is shown by
 * programs that read no animations.
 */
export async function writeApng(
  frames: readonly DrawnFrame[],
  { defaultImage }: { defaultImage?: Sharp } = {},
): Promise<Buffer> {
  const files = await Promise.all(
    frames.map(({ image }) => image.clone().png({ palette: false }).toBuffer()),
  );
  const first = defaultImage ? await defaultImage.clone().png().toBuffer() : files[0];
  if (first === undefined) throw new Error("An animation has frames.");
  const animation = Buffer.alloc(8);
  animation.writeUInt32BE(frames.length);
  let sequence = 0;
  const chunks = [writeChunk("IHDR", headerOf(first)), writeChunk("acTL", animation)];
  if (defaultImage) chunks.push(writeChunk("IDAT", pixelsOf(first)));
  for (const [at, frame] of frames.entries()) {
    const file = files[at] ?? first;
    chunks.push(writeChunk("fcTL", writeControl(frame, headerOf(file), sequence++)));
    if (at === 0 && !defaultImage) chunks.push(writeChunk("IDAT", pixelsOf(file)));
    else chunks.push(writeChunk("fdAT", Buffer.concat([word(sequence++), pixelsOf(file)])));
  }
  return Buffer.concat([
    Buffer.from("89504e470d0a1a0a", "hex"),
    ...chunks,
    writeChunk("IEND", Buffer.alloc(0)),
  ]);
}

function writeControl(frame: DrawnFrame, header: Buffer, sequence: number): Buffer {
  const { left = 0, top = 0, delayMs = 100, dispose = 0, isBlended = false } = frame;
  const times = Buffer.alloc(6);
  times.writeUInt16BE(delayMs, 0);
  times.writeUInt16BE(1000, 2);
  times[4] = dispose;
  times[5] = isBlended ? 1 : 0;
  return Buffer.concat([word(sequence), header.subarray(0, 8), word(left), word(top), times]);
}

const headerOf = (png: Buffer) => png.subarray(16, 29);

function pixelsOf(png: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
    if (png.toString("latin1", at + 4, at + 8) === "IDAT")
      parts.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  }
  return Buffer.concat(parts);
}

function word(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function writeChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  return Buffer.concat([word(data.length), body, word(crc32(body))]);
}

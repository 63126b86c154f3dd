import { setImmediate } from "node:timers/promises";
import { ImageError } from "./errors.ts";
import { decoderLimitBytes } from "./limits.ts";

/** The pixels of a BMP, three bytes each (red, green, blue), from the top left. */
export type BmpPixels = { data: Buffer; width: number; height: number };

/**
 * Decodes an uncompressed BMP of 1, 4, 8, 16, 24 or 32 bits, which libvips does not support. Throws
 * ImageError.
 */
export async function decodeBmp(bytes: Uint8Array): Promise<BmpPixels> {
  try {
    return await decode(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  } catch (cause) {
    if (cause instanceof ImageError) throw cause;
    // A read beyond the end means that the file is truncated.
    throw new ImageError("unreadable", { cause });
  }
}

async function decode(file: Buffer): Promise<BmpPixels> {
  const header = readHeader(file);
  const { width, height, bits, pixelsAt } = header;
  const rowBytes = Math.ceil((width * bits) / 32) * 4;
  if (pixelsAt + rowBytes * (height - 1) + Math.ceil((width * bits) / 8) > file.length) {
    throw new ImageError("unreadable");
  }
  const readPixel = createPixelReader(file, header);
  const data = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y++) {
    // A large image takes a second, so the loop yields to other work.
    if (y % 64 === 63) await setImmediate();
    const row = pixelsAt + rowBytes * (header.isTopDown ? y : height - 1 - y);
    for (let x = 0; x < width; x++) {
      const color = readPixel(row, x);
      data.writeUIntBE(color, (y * width + x) * 3, 3);
    }
  }
  return { data, width, height };
}

type Header = ReturnType<typeof readHeader>;

function readHeader(file: Buffer) {
  const headerBytes = file.readUInt32LE(14);
  const isOld = headerBytes === 12;
  const width = isOld ? file.readUInt16LE(18) : file.readInt32LE(18);
  const signedHeight = isOld ? file.readUInt16LE(20) : file.readInt32LE(22);
  const bits = file.readUInt16LE(isOld ? 24 : 28);
  const compression = isOld ? 0 : file.readUInt32LE(30);
  const height = Math.abs(signedHeight);
  if (width <= 0 || height === 0) throw new ImageError("unreadable");
  if (width * height * 3 > decoderLimitBytes) throw new ImageError("too-large");
  const isPlain = compression === 0 && [1, 4, 8, 16, 24, 32].includes(bits);
  const hasMasks = (compression === 3 || compression === 6) && (bits === 16 || bits === 32);
  if (!isPlain && !hasMasks) throw new ImageError("unsupported");
  return {
    width,
    height,
    bits,
    hasMasks,
    isTopDown: signedHeight < 0,
    pixelsAt: file.readUInt32LE(10),
    paletteAt: 14 + headerBytes,
    paletteEntryBytes: isOld ? 3 : 4,
  };
}

function createPixelReader(file: Buffer, header: Header): (row: number, x: number) => number {
  const { bits, paletteAt, paletteEntryBytes } = header;
  if (bits <= 8) {
    const perByte = 8 / bits;
    return (row, x) => {
      const byte = file.readUInt8(row + Math.floor(x / perByte));
      const index = (byte >> (8 - bits * ((x % perByte) + 1))) & ((1 << bits) - 1);
      return file.readUIntLE(paletteAt + index * paletteEntryBytes, 3);
    };
  }
  if (bits === 24) return (row, x) => file.readUIntLE(row + x * 3, 3);
  if (bits === 32 && !header.hasMasks) return (row, x) => file.readUIntLE(row + x * 4, 3);
  // The masks follow the 40 bytes of the header or are part of a longer one; the offset is the same.
  const channels = (
    header.hasMasks ? [54, 58, 62].map((at) => file.readUInt32LE(at)) : [0x7c00, 0x3e0, 0x1f]
  ).map(createChannel);
  return (row, x) => {
    const pixel = bits === 16 ? file.readUInt16LE(row + x * 2) : file.readUInt32LE(row + x * 4);
    return channels.reduce((color, read) => color * 256 + read(pixel), 0);
  };
}

function createChannel(mask: number): (pixel: number) => number {
  if (mask === 0) return () => 0;
  const shift = 31 - Math.clz32(mask & -mask);
  const highest = mask >>> shift;
  return (pixel) => Math.round((((pixel & mask) >>> shift) * 255) / highest);
}

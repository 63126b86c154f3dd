import { setImmediate } from "node:timers/promises";

/** The pixels of a BMP, three bytes each (red, green, blue), from the top left. */
export type BmpPixels = { data: Buffer; width: number; height: number };

/** A BMP that cannot be decoded. */
export class BmpError extends Error {
  override readonly name = "BmpError";
  readonly problem: "unreadable" | "too-large" | "unsupported";

  constructor(problem: BmpError["problem"], options?: ErrorOptions) {
    super(`The BMP is ${problem}.`, options);
    this.problem = problem;
  }
}

/** True for the first bytes of a BMP: its signature and the size of a known header. */
export function isBmp(bytes: Uint8Array): boolean {
  const file = toBuffer(bytes);
  return file.length > 26 && file.toString("latin1", 0, 2) === "BM" && headerSizes.has(file.readUInt32LE(14));
}

/**
 * Decodes an uncompressed BMP of 1, 4, 8, 16, 24 or 32 bits, which libvips does not support. The pixels take at most
 * `limitBytes`; the header is checked before they are allocated. Throws BmpError.
 */
export async function decodeBmp(bytes: Uint8Array, limitBytes: number): Promise<BmpPixels> {
  try {
    return await decode(toBuffer(bytes), limitBytes);
  } catch (cause) {
    if (cause instanceof BmpError) throw cause;
    // A read beyond the end means that the file is truncated.
    throw new BmpError("unreadable", { cause });
  }
}

/** BITMAPCOREHEADER of OS/2, BITMAPINFOHEADER and its versions 2 to 5, and the header of OS/2 2.0. */
const headerSizes = new Set([12, 40, 52, 56, 64, 108, 124]);

function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

async function decode(file: Buffer, limitBytes: number): Promise<BmpPixels> {
  const header = readHeader(file, limitBytes);
  const { width, height, bits, pixelsAt } = header;
  const rowBytes = Math.ceil((width * bits) / 32) * 4;
  if (pixelsAt + rowBytes * (height - 1) + Math.ceil((width * bits) / 8) > file.length) {
    throw new BmpError("unreadable");
  }
  const readPixel = createPixelReader(file, header);
  const data = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y++) {
    // A large image takes a second, so the loop yields to other work.
    if (y % 64 === 63) await setImmediate();
    const row = pixelsAt + rowBytes * (header.isTopDown ? y : height - 1 - y);
    for (let x = 0, to = y * width * 3; x < width; x++, to += 3) {
      const color = readPixel(row, x);
      data[to] = color >> 16;
      data[to + 1] = color >> 8;
      data[to + 2] = color;
    }
  }
  return { data, width, height };
}

type Header = ReturnType<typeof readHeader>;

function readHeader(file: Buffer, limitBytes: number) {
  const headerBytes = file.readUInt32LE(14);
  const isOld = headerBytes === 12;
  const width = isOld ? file.readUInt16LE(18) : file.readInt32LE(18);
  const signedHeight = isOld ? file.readUInt16LE(20) : file.readInt32LE(22);
  const bits = file.readUInt16LE(isOld ? 24 : 28);
  const compression = isOld ? 0 : file.readUInt32LE(30);
  const height = Math.abs(signedHeight);
  if (width <= 0 || height === 0) throw new BmpError("unreadable");
  if (width * height * 3 > limitBytes) throw new BmpError("too-large");
  const isPlain = compression === 0 && [1, 4, 8, 16, 24, 32].includes(bits);
  const hasMasks = (compression === 3 || compression === 6) && (bits === 16 || bits === 32);
  if (!isPlain && !hasMasks) throw new BmpError("unsupported");
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
    const palette = Int32Array.from({ length: 1 << bits }, (_, index) => {
      const at = paletteAt + index * paletteEntryBytes;
      // A file may have fewer colors than the depth allows.
      return at + 3 <= file.length ? file.readUIntLE(at, 3) : 0;
    });
    const perByte = 8 / bits;
    return (row, x) => {
      const byte = file[row + Math.floor(x / perByte)] ?? 0;
      return palette[(byte >> (8 - bits * ((x % perByte) + 1))) & ((1 << bits) - 1)] ?? 0;
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

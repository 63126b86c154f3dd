import { crc32, deflateSync } from "node:zlib";
import sharp from "sharp";
import type { Random } from "../drawing/random.ts";
import { mutateBytes, randomBytes } from "./mutate-bytes.ts";

/** Small valid images of every format that a search accepts, animations included; mutations start from them. */
export async function drawImageFiles(): Promise<Buffer[]> {
  const width = 48;
  const height = 36;
  const draw = (frames: number) =>
    sharp(
      Buffer.from(
        Array.from({ length: width * height * frames * 3 }, (_, at) => (at * 7 + (at >> 5) * 13) % 256),
      ),
      {
        raw: {
          width,
          height: height * frames,
          channels: 3,
          ...(frames > 1 && { pageHeight: height }),
        },
      },
    );
  return await Promise.all([
    draw(1).jpeg().toBuffer(),
    draw(1).jpeg({ progressive: true }).toBuffer(),
    draw(1).withMetadata({ orientation: 6 }).jpeg().toBuffer(),
    draw(1).png().toBuffer(),
    draw(1).png({ progressive: true, palette: true }).toBuffer(),
    draw(1).webp().toBuffer(),
    draw(1).webp({ lossless: true }).toBuffer(),
    draw(3).webp().toBuffer(),
    draw(1).gif().toBuffer(),
    draw(3).gif().toBuffer(),
    draw(1).avif({ effort: 0 }).toBuffer(),
    Promise.resolve(
      writeBmpFile({ width, height, bits: 24, compression: 0 }, Buffer.alloc(width * height * 3, 90)),
    ),
  ]);
}

/** Returns an image file: a mutation of one of `files`, or a header of random values with random data. */
export function generateImageFile(random: Random, files: readonly Buffer[]): Buffer {
  const kind = random.next();
  if (kind < 0.2) return generateImageHeader(random);
  const file = files[random.whole(0, files.length - 1)] ?? Buffer.alloc(0);
  const mutated = mutateBytes(random, file, files);
  // With invalid checksums, a PNG decoder reports an error before it reads the mutated chunk.
  return random.chance(0.7) ? repairPngChecksums(mutated) : mutated;
}

/** The largest declared sides make 4,295 megapixels; most are small enough to be decoded. */
function randomSide(random: Random): number {
  return random.chance(0.8) ? random.whole(0, 300) : random.pick([4000, 8000, 32_767, 65_535, 0x7fffffff]);
}

function generateImageHeader(random: Random): Buffer {
  const width = randomSide(random);
  const height = randomSide(random);
  const data = randomBytes(random, random.whole(0, 800));
  switch (random.pick(["png", "bmp", "gif", "jpeg", "riff", "boxes"])) {
    case "png":
      return writePngFile(random, width, height, data);
    case "bmp":
      return writeBmpFile(
        {
          width,
          height: random.chance(0.2) ? -height : height,
          bits: random.pick([0, 1, 4, 8, 16, 24, 32, 64]),
          compression: random.pick([0, 0, 0, 1, 2, 3, 4, 6]),
        },
        data,
      );
    case "gif": {
      const screen = Buffer.alloc(7);
      screen.writeUInt16LE(width % 65_536, 0);
      screen.writeUInt16LE(height % 65_536, 2);
      screen[4] = random.whole(0, 255);
      return Buffer.concat([Buffer.from(random.pick(["GIF87a", "GIF89a"])), screen, data]);
    }
    case "jpeg":
      return Buffer.concat([Buffer.from([0xff, 0xd8]), ...generateJpegSegments(random, width, height), data]);
    case "riff": {
      const type = random.pick(["VP8 ", "VP8L", "VP8X", "ANIM", "ANMF", "ALPH"]);
      const size = Buffer.alloc(4);
      size.writeUInt32LE(random.pick([data.length, 0, 0xffffffff, random.whole(0, 70_000)]));
      const body = Buffer.concat([Buffer.from(`WEBP${type}`), size, data]);
      const total = Buffer.alloc(4);
      total.writeUInt32LE(random.chance(0.8) ? body.length : random.whole(0, 0xffffffff));
      return Buffer.concat([Buffer.from("RIFF"), total, body]);
    }
    default:
      return Buffer.concat([
        writeBox("ftyp", Buffer.from(`${random.pick(["avif", "avis", "mif1"])}\0\0\0\0mif1avif`)),
        generateBoxes(random, 0),
        writeBox("mdat", data),
      ]);
  }
}

function writePngFile(random: Random, width: number, height: number, data: Buffer): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set(
    [random.pick([1, 2, 4, 8, 16, 3]), random.pick([0, 2, 3, 4, 6, 5]), 0, 0, random.pick([0, 0, 1, 2])],
    8,
  );
  const types: [string, ...string[]] = ["PLTE", "tRNS", "iCCP", "zTXt", "eXIf", "acTL", "fcTL", "gAMA"];
  const others = Array.from({ length: random.whole(0, 4) }, () =>
    writeChunk(random.pick(types), randomBytes(random, random.whole(0, 64))),
  );
  return Buffer.concat([
    Buffer.from("89504e470d0a1a0a", "hex"),
    writeChunk("IHDR", header),
    ...others,
    writeChunk("IDAT", random.chance(0.7) ? deflateSync(data) : data),
    writeChunk("IEND", Buffer.alloc(0)),
  ]);
}

function writeChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const chunk = Buffer.alloc(body.length + 8);
  chunk.writeUInt32BE(data.length, 0);
  body.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(body), body.length + 4);
  return chunk;
}

function repairPngChecksums(file: Buffer): Buffer {
  if (file.toString("latin1", 1, 4) !== "PNG") return file;
  for (let at = 8; at + 12 <= file.length; ) {
    const end = at + 8 + file.readUInt32BE(at);
    if (end + 4 > file.length) break;
    file.writeUInt32BE(crc32(file.subarray(at + 4, end)), end);
    at = end + 4;
  }
  return file;
}

function writeBmpFile(
  { width, height, bits, compression }: { width: number; height: number; bits: number; compression: number },
  data: Buffer,
): Buffer {
  const header = Buffer.alloc(54);
  header.write("BM");
  header.writeUInt32LE(54 + data.length, 2);
  header.writeUInt32LE(54, 10);
  header.writeUInt32LE(40, 14);
  header.writeInt32LE(width, 18);
  header.writeInt32LE(height, 22);
  header.writeUInt16LE(1, 26);
  header.writeUInt16LE(bits, 28);
  header.writeUInt32LE(compression, 30);
  return Buffer.concat([header, data]);
}

function generateJpegSegments(random: Random, width: number, height: number): Buffer[] {
  const frame = Buffer.from([8, 0, 0, 0, 0, 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1]);
  frame.writeUInt16BE(height % 65_536, 1);
  frame.writeUInt16BE(width % 65_536, 3);
  return Array.from({ length: random.whole(1, 12) }, () => {
    const isFrame = random.chance(0.3);
    const marker = isFrame
      ? random.pick([0xc0, 0xc1, 0xc2, 0xc9, 0xca])
      : random.pick([0xdb, 0xc4, 0xda, 0xdd, 0xe0, 0xe1, 0xe2, 0xee, 0xfe, 0xd0, 0xd8]);
    const content = isFrame ? frame : randomBytes(random, random.whole(0, 80));
    const segment = Buffer.from([0xff, marker, 0, 0]);
    segment.writeUInt16BE(random.chance(0.9) ? content.length + 2 : random.whole(0, 65_535), 2);
    return Buffer.concat([segment, content]);
  });
}

function generateBoxes(random: Random, depth: number): Buffer {
  const types: [string, ...string[]] = [
    "meta",
    "iprp",
    "ipco",
    "ispe",
    "iloc",
    "iinf",
    "infe",
    "pitm",
    "av1C",
    "moov",
  ];
  const boxes = Array.from({ length: random.whole(1, 3) }, () => {
    const content =
      depth < 6 && random.chance(0.5)
        ? generateBoxes(random, depth + 1)
        : randomBytes(random, random.whole(0, 40));
    return writeBox(
      random.pick(types),
      content,
      random.chance(0.9) ? undefined : random.whole(0, 0xffffffff),
    );
  });
  return Buffer.concat(boxes);
}

function writeBox(type: string, content: Buffer, size = content.length + 8): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(size, 0);
  head.write(type, 4, "latin1");
  return Buffer.concat([head, content]);
}

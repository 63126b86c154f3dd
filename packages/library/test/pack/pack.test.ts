import { createHash } from "node:crypto";
import { deflateRawSync } from "node:zlib";
import { encodeDescriptorChunks, encodeFrameTable } from "@koma/engine";
import { createRandom } from "@koma/testing/drawing";
import { describe, expect, test } from "vitest";
import { type PackEpisode, readPack, writePack } from "../../src/pack/episodes.ts";
import { PackError } from "../../src/pack/pack-error.ts";
import { readSections, type Section, writeSections } from "../../src/pack/sections.ts";
import { encodeStillSet } from "../../src/stills/still-set.ts";

const modelId = "test-model.1";
const limits = new Map([["KNOW", 1000]]);
const bytesOf = (text: string) => Buffer.from(text, "utf8");

const episode: PackEpisode = {
  contentHash: "a1".repeat(32),
  ...{ title: "灯籠 Road", season: 2, number: "3", episodeTitle: null, durationSeconds: 26.5 },
  descriptors: describeFrames(),
  stills: encodeStillSet([{ fromSeconds: 0, toSeconds: 2.5, jpeg: bytesOf("a still") }]),
  frames: [
    { fromSeconds: 0.5, toSeconds: 0.582, bytes: bytesOf("a frame") },
    { fromSeconds: 1.5, toSeconds: 1.582, bytes: bytesOf("another frame") },
  ],
  clips: [{ fromSeconds: 0, toSeconds: 2.499, bytes: bytesOf("a clip") }],
};
const nameOnly: PackEpisode = {
  contentHash: "b2".repeat(32),
  ...{ title: "Film", season: null, number: null, episodeTitle: "Part", durationSeconds: 0 },
  ...{ frames: [], clips: [] },
};

describe("a pack", () => {
  test("returns its episodes, whatever the parts in which its bytes arrive", async () => {
    const bytes = await write([episode, nameOnly]);
    for (const partBytes of [1, 7, 4096, bytes.length]) {
      expect(await read(bytes, partBytes)).toEqual([episode, nameOnly]);
    }
    expect(await read(await write([]))).toEqual([]);
  });

  test("is refused by name when it is of another model", async () => {
    await expect(read(await write([episode], "koma-9.7"))).rejects.toThrow(
      new PackError('The pack is of the model "koma-9.7"; this version of Koma has "test-model.1".'),
    );
  });

  test("is refused when its format is of another version", async () => {
    const bytes = await write([episode]);
    bytes.writeUInt16BE(2, 8);
    await expect(read(bytes)).rejects.toThrow(
      new PackError("The pack has version 2 of the format; this version of Koma reads 1."),
    );
  });

  test("is refused at every length at which it can be truncated, and with bytes after its end", async () => {
    const bytes = await write([nameOnly]);
    for (let length = 0; length < bytes.length; length++) {
      await expect(read(bytes.subarray(0, length))).rejects.toThrow(
        "The pack is truncated: it ends too early.",
      );
    }
    await expect(read(Buffer.concat([bytes, bytesOf("x")]))).rejects.toThrow(
      "The pack continues after its end.",
    );
  });

  test("is refused whichever bits of a byte change", async () => {
    const bytes = await write([episode, nameOnly]);
    const random = createRandom(36);
    for (let round = 0; round < 600; round++) {
      const changed = Buffer.from(bytes);
      const at = Math.floor(random.next() * bytes.length);
      changed[at] = (changed[at] ?? 0) ^ (1 + Math.floor(random.next() * 255));
      await expect(read(changed, 512), `byte ${at}`).rejects.toThrow(PackError);
    }
  });

  test("is refused when a section was removed, repeated or moved", async () => {
    const { header, sections } = split(await write([episode, nameOnly]));
    const [first, second, third, ...rest] = sections;
    const parts = [first, second, third].map((section) => section ?? Buffer.alloc(0));
    const [one, two, three] = parts as [Buffer, Buffer, Buffer];
    for (const changed of [
      [one, three, ...rest],
      [one, two, three, three, ...rest],
      [one, three, two, ...rest],
    ]) {
      await expect(read(Buffer.concat([header, ...changed]))).rejects.toThrow(PackError);
    }
    expect(await read(Buffer.concat([header, one, two, three, ...rest]))).toHaveLength(2);
  });

  test("yields intact episodes before an error", async () => {
    const bytes = await write([episode, nameOnly, nameOnly]);
    const found: PackEpisode[] = [];
    const reading = (async () => {
      for await (const one of readPack(inParts(bytes.subarray(0, -100), 64), { modelId })) found.push(one);
    })();
    await expect(reading).rejects.toThrow("truncated");
    expect(found[0]).toEqual(episode);
  });

  test("closes its source when the reader stops early", async () => {
    const bytes = await write([episode, nameOnly]);
    let isClosed = false;
    async function* source() {
      try {
        yield* inParts(bytes, 128);
      } finally {
        isClosed = true;
      }
    }
    for await (const one of readPack(source(), { modelId })) {
      expect(one).toEqual(episode);
      break;
    }
    expect(isClosed).toBe(true);
  });

  test("may contain unknown sections of any size, which are skipped", async () => {
    const unknown = { type: "LATE", content: new Uint8Array(5000).fill(7) };
    const bytes = await join(
      writeSections(modelId, [unknown, { type: "KNOW", content: bytesOf("x") }, unknown]),
    );
    const found = await Array.fromAsync(readSections(inParts(bytes, 333), { modelId, limits }));
    expect(found).toEqual([{ type: "KNOW", content: bytesOf("x") }]);
  });
});

describe("a section", () => {
  test("above its limit is refused before its content is read", async () => {
    const bytes = await join(writeSections(modelId, [{ type: "KNOW", content: new Uint8Array(1001) }]));
    const reading = Array.fromAsync(
      readSections(inParts(bytes.subarray(0, bytes.length - 500)), { modelId, limits }),
    );
    await expect(reading).rejects.toThrow('A section "KNOW" of the pack has 1001 bytes; 1000 are allowed.');
  });

  const head = section("EPIS", JSON.stringify({ ...nameOnly, frames: undefined, clips: undefined }));
  test.each<[string, Section[], string]>([
    ["before any episode", [section("STIL", "x")], 'A section "STIL" of the pack belongs to no episode.'],
    ["with a head of no JSON", [section("EPIS", "{")], "An episode of the pack has no valid head."],
    [
      "with a title that is too long",
      [section("EPIS", JSON.stringify({ ...nameOnly, title: "x".repeat(501) }))],
      "An episode of the pack has no valid head.",
    ],
    [
      "with a hash that is none",
      [section("EPIS", JSON.stringify({ ...nameOnly, contentHash: "../../etc/passwd" }))],
      "An episode of the pack has no valid head.",
    ],
    [
      "with descriptors without a frame table",
      [head, section("DESC", deflateRawSync(bytesOf("x")))],
      "Descriptors of the pack have no frame table.",
    ],
    [
      "with descriptors that are not deflated",
      [head, section("DESC", "x")],
      "Descriptors of the pack cannot be decompressed.",
    ],
    [
      "with descriptors that expand above the limit",
      [head, section("DESC", deflateRawSync(new Uint8Array(256 * 1024 + 1)))],
      "Descriptors of the pack cannot be decompressed.",
    ],
    [
      "with a frame table that is none",
      [head, section("FTAB", "x")],
      "An episode of the pack is damaged. The stored descriptors cannot be used. The frame table is corrupt.",
    ],
    [
      "with a frame table twice",
      [head, section("FTAB", "x"), section("FTAB", "x")],
      'An episode of the pack has two sections "FTAB".',
    ],
    [
      "with a frame table of another model",
      [head, section("FTAB", encodeFrameTable({ ...emptyDescriptors(), modelId: "other" }))],
      "An episode of the pack is damaged. The stored descriptors cannot be used. They belong to the model other, not to test-model.1.",
    ],
    [
      "with fewer frames than the table states",
      [head, section("FTAB", describeFrames().frameTable)],
      "An episode of the pack is damaged. The stored descriptors cannot be used. It has 0 bytes for 3 frames.",
    ],
    [
      "with stills that are none",
      [head, section("STIL", "x")],
      "An episode of the pack is damaged. The stills have no header.",
    ],
    [
      "with a frame without bytes",
      [head, section("FRAM", "12345678")],
      'A section "FRAM" of the pack is too short.',
    ],
    [
      "with a clip that ends before its start",
      [head, section("CLIP", new Uint8Array([0, 0, 0, 2, 0, 0, 0, 1, 9]))],
      'A section "CLIP" of the pack ends before its start.',
    ],
    [
      "with more sections than one episode may have",
      [head, ...Array.from({ length: 20_001 }, () => section("FRAM", new Uint8Array(9)))],
      "An episode of the pack is too large.",
    ],
  ])("%s is refused", async (_name, sections, message) => {
    const bytes = await join(writeSections(modelId, sections));
    await expect(read(bytes)).rejects.toThrow(new PackError(message));
  });

  test("with a wrong type or model id cannot be written", async () => {
    await expect(join(writeSections(modelId, [section("low", "x")]))).rejects.toThrow(RangeError);
    await expect(join(writeSections("", []))).rejects.toThrow(RangeError);
    await expect(write([{ ...nameOnly, durationSeconds: Number.NaN }])).rejects.toThrow();
  });
});

function section(type: string, content: string | Uint8Array): Section {
  return { type, content: typeof content === "string" ? bytesOf(content) : content };
}

function emptyDescriptors() {
  return {
    modelId,
    aspect: 16 / 9,
    count: 0,
    atSeconds: new Float64Array(0),
    shotOf: new Uint32Array(0),
    shots: [],
    vectors: new Int8Array(0),
    scales: new Float32Array(0),
    thumbnails: new Uint8Array(0),
  };
}

function describeFrames(): NonNullable<PackEpisode["descriptors"]> {
  const random = createRandom(1);
  const bytes = (length: number) => Uint8Array.from({ length }, () => random.next() * 256);
  const descriptors = {
    ...emptyDescriptors(),
    count: 3,
    atSeconds: Float64Array.of(0, 0.5, 1),
    shotOf: Uint32Array.of(0, 0, 0),
    shots: [{ fromSeconds: 0, toSeconds: 2.5 }],
    vectors: Int8Array.from(bytes(3 * 8)),
    scales: Float32Array.of(0.5, 0.25, 1),
    thumbnails: bytes(3 * 480),
  };
  // One frame per chunk.
  const chunks = encodeDescriptorChunks(descriptors, 20 + 4 + 8 + 480);
  return {
    frameTable: Buffer.from(encodeFrameTable(descriptors)),
    chunks: chunks.map((chunk) => Buffer.from(chunk)),
    frameCount: 3,
  };
}

async function write(episodes: PackEpisode[], id = modelId): Promise<Buffer> {
  return await join(writePack(id, episodes));
}

async function read(bytes: Uint8Array, partBytes = 4096): Promise<PackEpisode[]> {
  return await Array.fromAsync(readPack(inParts(bytes, partBytes), { modelId }));
}

async function join(parts: AsyncIterable<Uint8Array>): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(parts));
}

async function* inParts(bytes: Uint8Array, partBytes = 4096) {
  for (let at = 0; at < bytes.length; at += partBytes) yield bytes.subarray(at, at + partBytes);
}

/** Splits a pack into its header and its sections, and checks their checksums as a second reader would. */
function split(bytes: Buffer): { header: Buffer; sections: Buffer[] } {
  const headerBytes = 12 + modelId.length;
  const sections: Buffer[] = [];
  for (let at = headerBytes; at < bytes.length; ) {
    const end = at + 40 + bytes.readUInt32BE(at + 4);
    const content = bytes.subarray(at + 40, end);
    expect(bytes.subarray(at + 8, at + 40)).toEqual(createHash("sha256").update(content).digest());
    sections.push(bytes.subarray(at, end));
    at = end;
  }
  return { header: bytes.subarray(0, headerBytes), sections };
}

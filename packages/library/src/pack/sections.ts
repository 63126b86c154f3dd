import { createHash } from "node:crypto";
import { PackError } from "./pack-error.ts";

// A pack: "KOMAPACK", uint16 version, uint16 length of the model id, the model id; then sections. A section:
// four ASCII characters of its type, uint32 length, SHA-256 of its content, its content. Numbers are
// big-endian. The last section is "DONE"; its content is the SHA-256 of the header and of the heads of all
// sections before it, so that no section can be lost, renamed or moved without notice. Unknown sections are
// skipped.
const magic = Buffer.from("KOMAPACK", "latin1");
const version = 1;
const fixedHeaderBytes = magic.length + 4;
const longestModelId = 100;
const typeBytes = 4;
const hashBytes = 32;
const headBytes = typeBytes + 4 + hashBytes;
const endType = "DONE";

/** One section of a pack; the type has four ASCII characters. */
export type Section = { type: string; content: Uint8Array };

/** Writes a pack as a stream of its bytes. */
export async function* writeSections(
  modelId: string,
  sections: AsyncIterable<Section> | Iterable<Section>,
): AsyncGenerator<Uint8Array, void, void> {
  const heads = createHash("sha256");
  const header = writeHeader(modelId);
  heads.update(header);
  yield header;
  for await (const section of sections) {
    const head = writeHead(section);
    heads.update(head);
    yield head;
    yield section.content;
  }
  const end = { type: endType, content: heads.digest() };
  yield writeHead(end);
  yield end.content;
}

/**
 * Reads the sections of a pack of one model from a stream. `limits` names the known types with the bytes that
 * a section may have; others are skipped. A section that was yielded is intact; whether the pack is complete
 * is known at the end. Throws PackError and the errors of the stream.
 */
export async function* readSections(
  source: AsyncIterable<Uint8Array>,
  { modelId, limits }: { modelId: string; limits: ReadonlyMap<string, number> },
): AsyncGenerator<Section, void, void> {
  const reader = createReader(source);
  try {
    const heads = createHash("sha256");
    heads.update(await readHeader(reader, modelId));
    for (;;) {
      const head = await reader.take(headBytes);
      const type = head.toString("latin1", 0, typeBytes);
      const length = head.readUInt32BE(typeBytes);
      const limit = type === endType ? hashBytes : limits.get(type);
      if (limit !== undefined && length > limit)
        throw new PackError(`A section "${type}" of the pack has ${length} bytes; ${limit} are allowed.`);
      const hash = createHash("sha256");
      const parts: Uint8Array[] = [];
      await reader.pass(length, (bytes) => {
        hash.update(bytes);
        if (limit !== undefined) parts.push(bytes);
      });
      if (!hash.digest().equals(head.subarray(headBytes - hashBytes)))
        throw new PackError("The pack is damaged: the checksum of a section is wrong.");
      if (type === endType) {
        if (!heads.digest().equals(Buffer.concat(parts)))
          throw new PackError("The pack is damaged: sections are missing or changed.");
        if (!(await reader.isAtEnd())) throw new PackError("The pack continues after its end.");
        return;
      }
      heads.update(head);
      if (limit !== undefined) yield { type, content: Buffer.concat(parts) };
    }
  } finally {
    await reader.close();
  }
}

function writeHeader(modelId: string): Buffer {
  const id = Buffer.from(modelId, "utf8");
  if (id.length === 0 || id.length > longestModelId)
    throw new RangeError(`A model id of ${id.length} bytes.`);
  const numbers = Buffer.alloc(fixedHeaderBytes - magic.length);
  numbers.writeUInt16BE(version, 0);
  numbers.writeUInt16BE(id.length, 2);
  return Buffer.concat([magic, numbers, id]);
}

async function readHeader(reader: Reader, modelId: string): Promise<Buffer> {
  const fixed = await reader.take(fixedHeaderBytes);
  if (!fixed.subarray(0, magic.length).equals(magic)) throw new PackError("The file is not a pack of Koma.");
  const found = fixed.readUInt16BE(magic.length);
  if (found !== version)
    throw new PackError(
      `The pack has version ${found} of the format; this version of Koma reads ${version}.`,
    );
  const length = fixed.readUInt16BE(magic.length + 2);
  if (length === 0 || length > longestModelId) throw new PackError("The header of the pack is damaged.");
  const id = await reader.take(length);
  if (!id.equals(Buffer.from(modelId, "utf8"))) {
    const name = JSON.stringify(id.toString("utf8"));
    throw new PackError(`The pack is of the model ${name}; this version of Koma has "${modelId}".`);
  }
  return Buffer.concat([fixed, id]);
}

function writeHead({ type, content }: Section): Buffer {
  if (!/^[A-Z]{4}$/.test(type)) throw new RangeError(`"${type}" is no type of a section.`);
  const numbers = Buffer.alloc(4);
  numbers.writeUInt32BE(content.length);
  return Buffer.concat([Buffer.from(type, "latin1"), numbers, createHash("sha256").update(content).digest()]);
}

type Reader = ReturnType<typeof createReader>;

/** Reads numbers of bytes from a stream. It allocates what the stream contains, not what a length states. */
function createReader(source: AsyncIterable<Uint8Array>) {
  const iterator = source[Symbol.asyncIterator]();
  let rest: Uint8Array = new Uint8Array(0);

  /** Makes `rest` not empty; false at the end of the stream. */
  async function fill(): Promise<boolean> {
    while (rest.length === 0) {
      const next = await iterator.next();
      if (next.done === true) return false;
      rest = next.value;
    }
    return true;
  }

  /** Passes the next `length` bytes to `use` in parts. */
  async function pass(length: number, use: (bytes: Uint8Array) => void): Promise<void> {
    for (let left = length; left > 0; ) {
      if (!(await fill())) throw new PackError("The pack is truncated: it ends too early.");
      const part = rest.subarray(0, left);
      rest = rest.subarray(part.length);
      left -= part.length;
      use(part);
    }
  }

  return {
    pass,
    async take(length: number): Promise<Buffer> {
      const parts: Uint8Array[] = [];
      await pass(length, (bytes) => parts.push(bytes));
      return Buffer.concat(parts);
    },
    isAtEnd: async (): Promise<boolean> => !(await fill()),
    async close(): Promise<void> {
      await iterator.return?.();
    },
  };
}

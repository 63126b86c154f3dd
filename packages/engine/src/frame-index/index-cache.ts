import { randomUUID } from "node:crypto";
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { crc32 } from "node:zlib";
import { decodeFrameTable, writeFrameTable } from "../episode/frame-table.ts";
import type { Model } from "../model/model.ts";
import { kernelSourcesSha256 } from "../nearest-neighbours/binary-codes/kernel-bytes.ts";
import { type BinaryNeighbours, readBinaryNeighbours } from "../nearest-neighbours/binary-neighbours.ts";
import type { FrameVectors } from "../nearest-neighbours/frame-vectors.ts";
import type { LabelRange } from "../nearest-neighbours/label-ranges.ts";
import { createByteReader, createByteWriter } from "../strips/byte-writer.ts";
import {
  describeFiles,
  type FrameImplementation,
  type FrameImplementationName,
} from "./frame-implementation.ts";
import { type IndexContent, type IndexedEpisode, rangeOf } from "./indexed-frames.ts";
import { createStripTable, openStripFile, type StripTable } from "./strip-file.ts";
import { openThumbnailFile } from "./thumbnail-file.ts";

/** The content of a cache: a change number of the library with its frames and regions. */
export type CachedIndex<V extends FrameVectors> = {
  seq: string;
  frames: IndexContent<V>;
  regions: IndexContent<BinaryNeighbours>;
};

const partNames = ["frames", "regions"] as const;
const fileKinds = ["vectors", "tables", "thumbnails", "strips"] as const;
type PartName = (typeof partNames)[number];
type FileKind = (typeof fileKinds)[number];

type StoredFile = { name: string; crc32: number };
type StoredPart = Record<FileKind, StoredFile>;
type Contents = { seq: string } & Record<PartName, StoredPart>;

const CONTENTS_FILE = "index.json";
/** File names of this format, unfinished snapshots included, and of the format of version 0.1.0. */
const OWN_FILE =
  /^[0-9a-f-]{36}\.(json|((frames|regions)\.)?(graph|strips|tables|thumbnails|vectors)(\.[0-9a-f-]{36}\.tmp)?)$/;
const OLD_FOLDER = /^regions-\d+$/;
const ORPHAN_MS = 60 * 60 * 1000;
const BLOCK_BYTES = 1 << 20;

/**
 * The index on disk: vectors, episode tables and thumbnails of frames and regions in files with unique names,
 * and `index.json`, which lists them with their crc32 and is renamed last. When several processes save at
 * the same time, the last one replaces all files of the others.
 */
export function createIndexCache<V extends FrameVectors>(
  folder: string,
  model: Model,
  name: FrameImplementationName,
  implementation: FrameImplementation<V>,
) {
  const origin = originOf(model, name);

  /** Returns undefined without a usable cache; never throws because of the content of the folder. */
  async function load(): Promise<CachedIndex<V> | undefined> {
    // It tries twice: another process may replace the files between two reads.
    return (await tryLoad()) ?? (await tryLoad());
  }

  async function tryLoad(): Promise<CachedIndex<V> | undefined> {
    const closables: { close(): void }[] = [];
    try {
      const contents = await readContents(folder);
      if (contents?.origin !== origin) return undefined;
      const loadPart = async <P>(
        part: StoredPart,
        readVectors: (file: string, used: readonly LabelRange[]) => Promise<P>,
      ) => {
        for (const kind of fileKinds) {
          if ((await describeFile(folder, part[kind].name)).crc32 !== part[kind].crc32)
            throw new RangeError("A file of the cache is corrupt.");
        }
        const episodes = decodeTables(await readFile(path.join(folder, part.tables.name)), model);
        const vectors = await readVectors(path.join(folder, part.vectors.name), episodes.map(rangeOf));
        const thumbnails = openThumbnailFile(folder);
        closables.push(thumbnails);
        await thumbnails.copyFrom(path.join(folder, part.thumbnails.name));
        const strips = openStripFile(folder);
        closables.push(strips);
        await strips.copyFrom(path.join(folder, part.strips.name));
        return { vectors, episodes, thumbnails, strips };
      };
      const frames = await loadPart(contents.frames, (file, used) => implementation.read(file, origin, used));
      const regions = await loadPart(contents.regions, async (file) => {
        const neighbours = await readBinaryNeighbours(file, model.dimensions, folder);
        closables.push(neighbours);
        return neighbours;
      });
      return { seq: contents.seq, frames, regions };
    } catch {
      for (const opened of closables) opened.close();
      return undefined;
    }
  }

  /** The caller must not change the index during the call. */
  async function save({ seq, frames, regions }: CachedIndex<V>): Promise<void> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const replaced = await readContents(folder);
    const id = randomUUID();
    const written: string[] = [];
    const savePart = async (
      name: PartName,
      { episodes, thumbnails, strips }: IndexContent,
      writeVectors: (file: string) => Promise<void>,
    ): Promise<StoredPart> => {
      const nameOf = (kind: FileKind) => `${id}.${name}.${kind}`;
      const fileOf = (kind: FileKind) => path.join(folder, nameOf(kind));
      written.push(...fileKinds.map(nameOf));
      const labelCount = Math.max(0, ...episodes.map(({ firstLabel, table }) => firstLabel + table.count));
      await writeVectors(fileOf("vectors"));
      await writeFile(fileOf("tables"), encodeTables(episodes, model));
      await thumbnails.copyTo(fileOf("thumbnails"), labelCount);
      await strips.copyTo(
        fileOf("strips"),
        episodes.flatMap((episode) => episode.strips ?? []),
      );
      for (const kind of fileKinds) await flush(fileOf(kind));
      return {
        vectors: await describeFile(folder, nameOf("vectors")),
        tables: await describeFile(folder, nameOf("tables")),
        thumbnails: await describeFile(folder, nameOf("thumbnails")),
        strips: await describeFile(folder, nameOf("strips")),
      };
    };
    try {
      const contents: Contents & { origin: string } = {
        origin,
        seq,
        frames: await savePart("frames", frames, (file) =>
          implementation.write(file, frames.vectors, origin),
        ),
        regions: await savePart("regions", regions, (file) => regions.vectors.write(file)),
      };
      const contentsName = `${id}.json`;
      written.push(contentsName);
      await writeFile(path.join(folder, contentsName), JSON.stringify(contents));
      await flush(path.join(folder, contentsName));
      await rename(path.join(folder, contentsName), path.join(folder, CONTENTS_FILE));
    } catch (error) {
      await removeFiles(folder, written);
      throw error;
    }
    await removeFiles(folder, namesIn(replaced));
    await removeOrphans(folder);
  }

  return { load, save };
}

/** The state of a cache on disk. */
export type IndexCacheState = "missing" | "of_another_origin" | "incomplete" | "complete";

/**
 * Returns the state of the cache in a folder by its table of contents and file names; does not read vectors.
 */
export async function inspectIndexCache(
  folder: string,
  model: Model,
  implementation: FrameImplementationName = "lists",
): Promise<IndexCacheState> {
  const contents = await readContents(folder);
  if (contents === undefined) return "missing";
  if (contents.origin !== originOf(model, implementation)) return "of_another_origin";
  const files = await Promise.allSettled(namesIn(contents).map((name) => stat(path.join(folder, name))));
  return files.every(({ status }) => status === "fulfilled") ? "complete" : "incomplete";
}

/** A cache of another origin is not loaded. */
function originOf(model: Model, implementation: FrameImplementationName): string {
  return JSON.stringify({
    format: 5,
    ...describeFiles(implementation),
    // A snapshot of the regions is an image of the kernel's memory.
    signCodes: kernelSourcesSha256,
    model: model.id,
    sha256: model.sha256,
    axes: model.principalAxes?.sha256,
  });
}

async function readContents(folder: string): Promise<(Contents & { origin: unknown }) | undefined> {
  try {
    return JSON.parse(await readFile(path.join(folder, CONTENTS_FILE), "utf8"));
  } catch {
    return undefined;
  }
}

/** Returns the files that `index.json` of any version lists. */
function namesIn(contents: unknown): string[] {
  if (typeof contents === "string") return OWN_FILE.test(contents) ? [contents] : [];
  return typeof contents === "object" && contents !== null ? Object.values(contents).flatMap(namesIn) : [];
}

async function describeFile(folder: string, name: string): Promise<StoredFile> {
  if (!OWN_FILE.test(name)) throw new RangeError("The name does not belong to a file of the cache.");
  await using handle = await open(path.join(folder, name));
  const block = new Uint8Array(BLOCK_BYTES);
  for (let sum = 0; ; ) {
    const { bytesRead } = await handle.read(block, 0, block.length);
    if (bytesRead === 0) return { name, crc32: sum };
    sum = crc32(block.subarray(0, bytesRead), sum);
  }
}

async function flush(file: string): Promise<void> {
  await using handle = await open(file, "r+");
  await handle.sync();
}

async function removeFiles(folder: string, names: readonly string[]): Promise<void> {
  for (const name of names) await rm(path.join(folder, name), { force: true });
}

/**
 * Removes files of killed processes and of version 0.1.0. A new file may belong to a process that is saving.
 */
async function removeOrphans(folder: string): Promise<void> {
  const current = await readFile(path.join(folder, CONTENTS_FILE), "utf8");
  for (const name of await readdir(folder)) {
    if (OLD_FOLDER.test(name)) await rm(path.join(folder, name), { recursive: true, force: true });
    if (!OWN_FILE.test(name) || current.includes(name)) continue;
    const facts = await stat(path.join(folder, name)).catch(() => undefined);
    if (facts !== undefined && Date.now() - facts.mtimeMs > ORPHAN_MS) await removeFiles(folder, [name]);
  }
}

function encodeTables(episodes: readonly IndexedEpisode[], model: Model): Uint8Array {
  const writer = createByteWriter();
  writer.whole(episodes.length);
  for (const { key, firstLabel, table, strips } of episodes) {
    const keyBytes = Buffer.from(key, "utf8");
    const tableBytes = writeFrameTable({ ...table, modelId: model.id, dimensions: model.dimensions });
    writer.whole(keyBytes.length);
    writer.raw(keyBytes);
    writer.whole(firstLabel);
    writer.whole(tableBytes.length);
    writer.raw(tableBytes);
    writer.whole(strips === undefined ? 0 : 1);
    if (strips === undefined) continue;
    writer.whole(strips.shotOf.length);
    for (const values of [strips.shotOf, strips.lengths]) for (const value of values) writer.whole(value);
  }
  return writer.finish();
}

function decodeTables(bytes: Uint8Array, model: Model): IndexedEpisode[] {
  const reader = createByteReader(bytes);
  let stripBytes = 0;
  const readStrips = (): StripTable | undefined => {
    if (reader.whole() === 0) return undefined;
    const count = reader.whole();
    const [shotOf, lengths] = [0, 1].map(() => Array.from({ length: count }, () => reader.whole()));
    const table = createStripTable(shotOf ?? [], lengths ?? [], stripBytes);
    stripBytes += table.lengths.reduce((sum, length) => sum + length, 0);
    return table;
  };
  return Array.from({ length: reader.whole() }, () => {
    const key = Buffer.from(reader.raw(reader.whole())).toString("utf8");
    const firstLabel = reader.whole();
    const table = decodeFrameTable(reader.raw(reader.whole()));
    if (table.modelId !== model.id) throw new RangeError("The tables belong to another model.");
    const { aspect, count, atSeconds, shotOf, shots } = table;
    return { key, firstLabel, table: { aspect, count, atSeconds, shotOf, shots }, strips: readStrips() };
  });
}

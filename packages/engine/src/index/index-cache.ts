import { createHash, randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { createByteReader, createByteWriter } from "../episode/byte-writer.ts";
import { decodeFrameTable, writeFrameTable } from "../episode/frame-table.ts";
import type { Model } from "../model.ts";
import type { IndexedEpisode } from "./indexed-frames.ts";
import type { Neighbours } from "./neighbours.ts";
import { openThumbnailFile, type ThumbnailFile } from "./thumbnail-file.ts";

/** What a cache holds: a change number of the library and the frames as they were then. */
export type CachedIndex<N> = {
  seq: string;
  neighbours: N;
  episodes: IndexedEpisode[];
  nextLabel: number;
  thumbnails: ThumbnailFile;
};

type Size = ReturnType<Neighbours["size"]>;
type Writable = { write(file: string): Promise<void>; size(): Size };

/** How neighbours are stored in a file: `parameters` make a file unusable when they are otherwise. */
export type StoredNeighbours<N extends Writable> = {
  parameters: Record<string, unknown>;
  /** Takes what `write` put into a file when the size was such. Throws when it is something else. */
  read(file: string, size: Size): Promise<N>;
};
type StoredFile = { name: string; sha256: string };
type Contents = {
  graph: StoredFile;
  tables: StoredFile;
  thumbnails: StoredFile;
  seq: string;
  nextLabel: number;
} & Size;

const CONTENTS_FILE = "index.json";
const OWN_FILE = /^[0-9a-f-]{36}\.(graph|json|tables|thumbnails)$/;
const ORPHAN_MS = 60 * 60 * 1000;

/**
 * The index on disk: a graph, the tables of its episodes and the thumbnails of its frames under names of their own, and
 * `index.json` that names them with their sha256, renamed into place last. Who saves at the same time replaces the whole, never mixes it.
 */
export function createIndexCache<N extends Writable>(
  folder: string,
  model: Model,
  format: StoredNeighbours<N>,
) {
  // What makes a graph unusable when it is otherwise.
  const origin = JSON.stringify({ format: 2, model: model.id, sha256: model.sha256, ...format.parameters });

  /** Undefined when there is none, or none that can be used; never throws for what lies in the folder. */
  async function load(): Promise<CachedIndex<N> | undefined> {
    // Twice: another process may have replaced the files between two reads.
    return (await tryLoad()) ?? (await tryLoad());
  }

  async function tryLoad(): Promise<CachedIndex<N> | undefined> {
    try {
      const contents = await readContents(folder, origin);
      if (contents === undefined) return undefined;
      const { graph, tables, thumbnails, seq, nextLabel, stored, removed } = contents;
      for (const file of [tables, thumbnails, graph]) {
        if ((await describeFile(folder, file.name)).sha256 !== file.sha256) return undefined;
      }
      const episodes = decodeTables(await readFile(path.join(folder, tables.name)), model);
      const neighbours = await format.read(path.join(folder, graph.name), { stored, removed });
      const ownThumbnails = openThumbnailFile(folder);
      await ownThumbnails.copyFrom(path.join(folder, thumbnails.name));
      return { seq, neighbours, episodes, nextLabel, thumbnails: ownThumbnails };
    } catch {
      return undefined;
    }
  }

  /** Nothing may change `neighbours` until it is done. */
  async function save({ seq, neighbours, episodes, nextLabel, ...own }: CachedIndex<N>): Promise<void> {
    await mkdir(folder, { recursive: true });
    const replaced = await readContents(folder, origin).catch(() => undefined);
    const id = randomUUID();
    const names = {
      graph: `${id}.graph`,
      tables: `${id}.tables`,
      thumbnails: `${id}.thumbnails`,
      contents: `${id}.json`,
    };
    try {
      await neighbours.write(path.join(folder, names.graph));
      await writeFile(path.join(folder, names.tables), encodeTables(episodes, model));
      await own.thumbnails.copyTo(path.join(folder, names.thumbnails), nextLabel);
      const graph = await describeFile(folder, names.graph);
      const tables = await describeFile(folder, names.tables);
      const thumbnails = await describeFile(folder, names.thumbnails);
      const contents: Contents = { graph, tables, thumbnails, seq, nextLabel, ...neighbours.size() };
      await writeFile(path.join(folder, names.contents), JSON.stringify({ origin, ...contents }));
      for (const name of Object.values(names)) await flush(path.join(folder, name));
      await rename(path.join(folder, names.contents), path.join(folder, CONTENTS_FILE));
    } catch (error) {
      await removeFiles(folder, Object.values(names));
      throw error;
    }
    if (replaced !== undefined) {
      const { graph, tables, thumbnails } = replaced;
      await removeFiles(folder, [graph.name, tables.name, thumbnails.name]);
    }
    await removeOrphans(folder);
  }

  return { load, save };
}

async function readContents(folder: string, origin: string): Promise<Contents | undefined> {
  const stored = JSON.parse(await readFile(path.join(folder, CONTENTS_FILE), "utf8"));
  if (stored?.origin !== origin) return undefined;
  const { graph, tables, thumbnails } = stored;
  return [graph, tables, thumbnails].every((file) => OWN_FILE.test(file?.name)) ? stored : undefined;
}

async function describeFile(folder: string, name: string): Promise<StoredFile> {
  const hash = createHash("sha256");
  for await (const block of createReadStream(path.join(folder, name), { highWaterMark: 1 << 20 })) {
    hash.update(block);
  }
  return { name, sha256: hash.digest("hex") };
}

async function flush(file: string): Promise<void> {
  const handle = await open(file, "r+");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function removeFiles(folder: string, names: readonly string[]): Promise<void> {
  for (const name of names) await rm(path.join(folder, name), { force: true });
}

/** What savers that were killed left behind; young files may be another process's that is at it. */
async function removeOrphans(folder: string): Promise<void> {
  const current = await readFile(path.join(folder, CONTENTS_FILE), "utf8");
  for (const name of await readdir(folder)) {
    if (!OWN_FILE.test(name) || current.includes(name)) continue;
    const facts = await stat(path.join(folder, name)).catch(() => undefined);
    if (facts !== undefined && Date.now() - facts.mtimeMs > ORPHAN_MS) await removeFiles(folder, [name]);
  }
}

function encodeTables(episodes: readonly IndexedEpisode[], model: Model): Uint8Array {
  const writer = createByteWriter();
  writer.whole(episodes.length);
  for (const { key, firstLabel, table } of episodes) {
    const keyBytes = Buffer.from(key, "utf8");
    const tableBytes = writeFrameTable({ ...table, modelId: model.id, dimensions: model.dimensions });
    writer.whole(keyBytes.length);
    writer.raw(keyBytes);
    writer.whole(firstLabel);
    writer.whole(tableBytes.length);
    writer.raw(tableBytes);
  }
  return writer.finish();
}

function decodeTables(bytes: Uint8Array, model: Model): IndexedEpisode[] {
  const reader = createByteReader(bytes);
  return Array.from({ length: reader.whole() }, () => {
    const key = Buffer.from(reader.raw(reader.whole())).toString("utf8");
    const firstLabel = reader.whole();
    const table = decodeFrameTable(reader.raw(reader.whole()));
    if (table.modelId !== model.id) throw new RangeError("The tables are of another model.");
    const { aspect, count, atSeconds, shotOf, shots } = table;
    return { key, firstLabel, table: { aspect, count, atSeconds, shotOf, shots } };
  });
}

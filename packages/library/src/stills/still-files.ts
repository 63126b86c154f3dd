import { randomUUID } from "node:crypto";
import { mkdir, open, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { EpisodeContent, StillSetStore } from "@koma/database";

const ending = ".stills";
const leftoverAgeMs = 60 * 60 * 1000;
/** A file begins with the hash of the content that the stills show. */
const hashBytes = 64;

/** Stores the stills of each episode in a file of a folder, for the embedded database. */
export function createStillFiles(folder: string): StillSetStore {
  const pathOf = (id: string) => join(folder, `${id}${ending}`);

  return {
    async write({ id, contentHash }, bytes) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const unfinished = join(folder, `${randomUUID()}.unfinished`);
      try {
        await writeFile(unfinished, Buffer.concat([toHead(contentHash), bytes]));
        await rename(unfinished, pathOf(id));
      } finally {
        await rm(unfinished, { force: true });
      }
    },

    async read({ id, contentHash }: EpisodeContent, offset, length) {
      const head = await readPart(pathOf(id), 0, hashBytes);
      if (head === undefined || !head.equals(toHead(contentHash))) return undefined;
      return await readPart(pathOf(id), hashBytes + offset, length);
    },

    async list() {
      const stored = new Map<string, string>();
      for (const name of await readdir(folder).catch(emptyIfMissing)) {
        const path = join(folder, name);
        if (name.endsWith(ending)) {
          const head = await readPart(path, 0, hashBytes);
          if (head !== undefined) stored.set(name.slice(0, -ending.length), head.toString("latin1").trim());
        } else {
          await removeLeftover(path);
        }
      }
      return stored;
    },

    async remove(episodeIds) {
      for (const id of episodeIds) await rm(pathOf(id), { force: true });
    },
  };
}

function toHead(contentHash: string): Buffer {
  return Buffer.from(contentHash.padEnd(hashBytes), "latin1");
}

/** Reads a part of a file; undefined when the file does not exist. */
async function readPart(path: string, offset: number, length: number): Promise<Buffer | undefined> {
  await using file = await open(path).catch(ignoreMissing);
  if (file === undefined) return undefined;
  // A damaged length must not become an allocation.
  const { size } = await file.stat();
  const part = Buffer.alloc(Math.max(0, Math.min(length, size - offset)));
  const { bytesRead } = await file.read(part, 0, part.length, offset);
  return part.subarray(0, bytesRead);
}

/** Deletes a file of an interrupted write. */
async function removeLeftover(path: string): Promise<void> {
  const facts = await stat(path).catch(ignoreMissing);
  if (facts !== undefined && Date.now() - facts.mtimeMs > leftoverAgeMs) await rm(path, { force: true });
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}

function emptyIfMissing(error: NodeJS.ErrnoException): string[] {
  if (error.code !== "ENOENT") throw error;
  return [];
}

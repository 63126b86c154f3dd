import { randomUUID } from "node:crypto";
import { access, mkdir, readdir, rename, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";

// Files of the cache have a hash as name; other files in its folder come from interrupted writes.
const cachedName = /^[0-9a-f]{64}\.[a-z0-9]+$/;
const leftoverAgeMs = 60 * 60 * 1000;
/** Clearing reduces the cache to this fraction of the limit, so that it does not run for every new file. */
const targetShare = 0.9;

/**
 * Named files in one folder, created on demand. Concurrent requests for one file create it once. The least
 * recently used files are deleted when their total size exceeds `limitBytes`. The times of use are those of
 * the files, so they persist across processes.
 */
export function createFileCache({ folder, limitBytes }: { folder: string; limitBytes: number }) {
  const making = new Map<string, Promise<string>>();
  const files = new Map<string, { sizeBytes: number; usedAtMs: number }>();
  let opening: Promise<void> | undefined;
  let hits = 0;
  let misses = 0;

  return {
    /** Returns the path of the file `name`; `make` writes a missing file to the path that it receives. */
    async get(name: string, make: (path: string) => Promise<void>): Promise<string> {
      opening ??= readFolder().catch((error: unknown) => {
        // The next call retries: the disk may be unavailable only temporarily.
        opening = undefined;
        throw error;
      });
      await opening;
      const path = join(folder, name);
      if (await touch(name, path)) {
        hits += 1;
        return path;
      }
      misses += 1;
      const running = making.get(name) ?? makeFile(name, path, make).finally(() => making.delete(name));
      making.set(name, running);
      return await running;
    },

    /** True when the file `name` exists. */
    has: (name: string): Promise<boolean> =>
      access(join(folder, name)).then(
        () => true,
        () => false,
      ),

    /** The total size of the files, which is 0 before the first use, and the calls of `get` by result. */
    status: () => ({ bytes: sumSizes(), hits, misses }),
  };

  function sumSizes(): number {
    let total = 0;
    for (const { sizeBytes } of files.values()) total += sizeBytes;
    return total;
  }

  async function readFolder(): Promise<void> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    for (const name of await readdir(folder)) {
      const path = join(folder, name);
      const facts = await stat(path).catch(() => undefined);
      if (facts === undefined) continue;
      if (cachedName.test(name)) files.set(name, { sizeBytes: facts.size, usedAtMs: facts.mtimeMs });
      else if (Date.now() - facts.mtimeMs > leftoverAgeMs) await rm(path, { recursive: true, force: true });
    }
  }

  /** Marks a file as used; returns false when it does not exist. */
  async function touch(name: string, path: string): Promise<boolean> {
    const now = new Date();
    const isThere = await utimes(path, now, now).then(
      () => true,
      () => false,
    );
    const file = files.get(name);
    if (!isThere) files.delete(name);
    else if (file !== undefined) file.usedAtMs = now.getTime();
    return isThere;
  }

  async function makeFile(
    name: string,
    path: string,
    make: (path: string) => Promise<void>,
  ): Promise<string> {
    const ending = name.slice(name.lastIndexOf("."));
    const unfinished = join(folder, `${randomUUID()}.unfinished${ending}`);
    try {
      await make(unfinished);
      await rename(unfinished, path);
    } finally {
      await rm(unfinished, { force: true });
    }
    files.set(name, { sizeBytes: (await stat(path)).size, usedAtMs: Date.now() });
    await clear(name);
    return path;
  }

  async function clear(newest: string): Promise<void> {
    let total = sumSizes();
    if (total <= limitBytes) return;
    const byUse = [...files].sort(([, left], [, right]) => left.usedAtMs - right.usedAtMs);
    for (const [name, { sizeBytes }] of byUse) {
      if (total <= limitBytes * targetShare) return;
      if (name === newest) continue;
      files.delete(name);
      total -= sizeBytes;
      await rm(join(folder, name), { force: true });
    }
  }
}

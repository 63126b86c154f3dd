// PostgreSQL acknowledges a commit after fsync of its WAL file. PGlite disables that: it starts PostgreSQL
// with -F (fsync=off), and Emscripten's NODEFS has no fsync operation, so fd_sync succeeds without effect.
import { fsyncSync } from "node:fs";
import { open, readdir } from "node:fs/promises";
import path from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { NodeFS } from "@electric-sql/pglite/nodefs";

/** PGlite's file system on a folder, with an fsync that reaches the disk. */
class DurableNodeFS extends NodeFS {
  override async init(...[db, options]: Parameters<NodeFS["init"]>): ReturnType<NodeFS["init"]> {
    const { emscriptenOpts } = await super.init(db, options);
    const addSync: NonNullable<typeof emscriptenOpts.preRun>[number] = ({ FS }) => {
      Object.assign(FS.filesystems.NODEFS.stream_ops, { fsync });
    };
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), addSync] } };
  }
}

/**
 * Opens PGlite on a folder so that acknowledged commits survive a power failure: PostgreSQL flushes its WAL
 * before each acknowledgement and its data files at each checkpoint.
 */
export async function openDurably(dataFolder: string): Promise<PGlite> {
  const startParams = PGlite.defaultStartParams.filter((param) => param !== "-F");
  return await PGlite.create({
    fs: new DurableNodeFS(dataFolder),
    // Emscripten implements fsync, but fdatasync, PostgreSQL's default, has no effect.
    startParams: [...startParams, "-c", "fsync=on", "-c", "wal_sync_method=fsync"],
  });
}

/** Flushes all files and folders below a folder, and the folder itself, to the disk. */
export async function flushTree(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile() || entry.isDirectory())
    .map((entry) => path.join(entry.parentPath, entry.name));
  // The file system writes concurrent flushes together: a new database takes 1 s instead of 24 s on a busy
  // disk.
  for (let start = 0; start < paths.length; start += 64) {
    await Promise.all(paths.slice(start, start + 64).map(flush));
  }
  await flush(folder);
}

/** Flushes one file or folder to the disk. */
export async function flush(file: string): Promise<void> {
  const handle = await open(file, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function fsync(stream: { nfd: number }): number {
  fsyncSync(stream.nfd);
  return 0;
}

import { readdir, stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import { type CheckContext, type Finding, ok, problem, warning } from "./finding.ts";
import { findExisting } from "./probe-data-folder.ts";

/**
 * Checks the free space and inodes for the data folder; a backup before a migration needs the size of the
 * database.
 */
export async function checkDisk({ configuration, database }: CheckContext): Promise<Finding[]> {
  const { KOMA_DATA_DIR: dataDir } = configuration;
  const { bavail, bsize, files, ffree } = await statfs(await findExisting(dataDir));
  const freeBytes = bavail * bsize;
  const neededBytes =
    database.status === "connected"
      ? database.server.sizeBytes
      : await measureFolder(join(dataDir, "database", "postgresql-18"));
  // Some file systems, as Btrfs, have no fixed number of inodes and report 0.
  if (files > 0 && ffree < leastInodes) {
    return [problem(`Only ${ffree} inodes are free for ${dataDir}: delete small files on that file system.`)];
  }
  const free = `${formatSize(freeBytes)} are free`;
  if (freeBytes < neededBytes) {
    return [
      problem(
        `${free}, but the backup before the next migration needs ${formatSize(neededBytes)}: free space, or move the data folder.`,
      ),
    ];
  }
  if (freeBytes < comfortableBytes) return [warning(`Only ${free} for ${dataDir}: free space soon.`)];
  return [ok(`${free}; a backup of the database needs up to ${formatSize(neededBytes)}.`)];
}

const leastInodes = 1000;
const comfortableBytes = 1024 ** 3;

async function measureFolder(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const sizes = entries
    .filter((entry) => entry.isFile())
    .map((entry) =>
      stat(join(entry.parentPath, entry.name)).then(
        ({ size }) => size,
        () => 0,
      ),
    );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

/** `1.2 GiB`, `31 MiB`. */
export function formatSize(bytes: number): string {
  const gibibytes = bytes / 1024 ** 3;
  return gibibytes >= 1 ? `${gibibytes.toFixed(1)} GiB` : `${Math.ceil(bytes / 1024 ** 2)} MiB`;
}

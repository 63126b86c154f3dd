import { statfs } from "node:fs/promises";
import { join } from "node:path";
import { measureFolder } from "../room/measure-folder.ts";
import { measureRoom } from "../room/measure-room.ts";
import { formatSize } from "../terminal/format.ts";
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
  return [
    ok(`${free}; a backup of the database needs up to ${formatSize(neededBytes)}.`),
    ...(await describeRoom(dataDir, database.status === "connected" ? database.content : undefined)),
  ];
}

/** What the parts of the data folder take, and an episode of a library in which the fixed part hardly counts. */
async function describeRoom(
  dataDir: string,
  content: { episodes: { ready: number } } | undefined,
): Promise<Finding[]> {
  const parts = await measureRoom(dataDir);
  if (parts.length === 0) return [];
  const sum = (names: readonly string[]) =>
    parts.reduce((total, { name, bytes }) => (names.includes(name) ? total + bytes : total), 0);
  const episodes = content?.episodes.ready ?? 0;
  const ofEpisodes = sum(["database", "stills", "index cache"]);
  const each =
    episodes < enoughEpisodes ? "" : ` An episode takes ${formatSize(ofEpisodes / episodes)} on average.`;
  const list = parts.map(({ name, bytes }) => `${name} ${formatSize(bytes)}`).join(", ");
  return [ok(`Koma takes: ${list}.${each} \`koma clean\` shows what can be deleted.`)];
}

const enoughEpisodes = 100;
const leastInodes = 1000;
const comfortableBytes = 1024 ** 3;

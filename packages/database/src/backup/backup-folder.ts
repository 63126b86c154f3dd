import { mkdir, readdir, rm } from "node:fs/promises";
import path from "node:path";
import { BackupError } from "../errors.ts";
import {
  type BackupOptions,
  backUpDatabase,
  type DatabaseAddress,
  removeOldDrafts,
  verifyBackup,
} from "./backup.ts";

/** One backup of a folder. */
export type StoredBackup = { file: string; at: Date };

/**
 * Writes a backup into a folder under a name with its time, reads it again, and then deletes all but the newest
 * `retained` backups with such names. Throws BackupError, also for a file that cannot be read again, which is
 * deleted, and DatabaseUnavailableError.
 */
export async function backUpToFolder(
  options: DatabaseAddress & BackupOptions & { folder: string; retained: number },
): Promise<StoredBackup> {
  const { folder, retained, ...rest } = options;
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch((error: Error) => {
    throw new BackupError(`No backup can be written to ${folder}: ${error.message}`);
  });
  await removeOldDrafts(folder);
  const at = new Date(Math.floor(Date.now() / 1000) * 1000);
  const file = path.join(folder, `koma-${at.toISOString().replace(".000", "").replaceAll(":", "-")}.koma`);
  await backUpDatabase({ ...rest, file });
  try {
    await verifyBackup(file);
  } catch (error) {
    await rm(file, { force: true });
    throw error;
  }
  const backups = await listBackups(folder);
  for (const old of backups.slice(retained)) await rm(old.file, { force: true });
  return { file, at };
}

/** The backups that `backUpToFolder` wrote, newest first; none when the folder is missing. */
export async function listBackups(folder: string): Promise<StoredBackup[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  });
  return names
    .flatMap((name) => {
      const [, day, hours, minutes, seconds] =
        /^koma-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z\.koma$/.exec(name) ?? [];
      const at = new Date(`${day}T${hours}:${minutes}:${seconds}Z`);
      return Number.isNaN(at.getTime()) ? [] : [{ file: path.join(folder, name), at }];
    })
    .toSorted((one, other) => other.at.getTime() - one.at.getTime());
}

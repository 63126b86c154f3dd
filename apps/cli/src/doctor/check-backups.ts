import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { listBackups } from "@koma/database";
import { type CheckContext, type Finding, ok, problem, warning } from "./finding.ts";
import { findExisting } from "./probe-data-folder.ts";

/** Checks that scheduled backups can be written, and the age of the newest. */
export async function checkBackups({ configuration }: CheckContext): Promise<Finding[]> {
  const { KOMA_BACKUP_FOLDER: folder } = configuration;
  if (folder === undefined)
    return [ok("No scheduled backups: KOMA_BACKUP_FOLDER is unset. `koma backup FILE` writes one.")];
  const existing = await findExisting(folder);
  const isWritable = await access(existing, constants.W_OK).then(
    () => true,
    () => false,
  );
  if (!isWritable)
    return [problem(`No backup can be written to ${folder}: give this user write access to ${existing}.`)];
  const [newest] = await listBackups(folder);
  if (newest === undefined)
    return [warning(`There is no backup in ${folder} yet: the API writes one while it runs.`)];
  const hours = Math.floor((Date.now() - newest.at.getTime()) / 3_600_000);
  const age = `The newest backup is ${hours} hours old: ${newest.file}`;
  return hours > largestAgeHours
    ? [warning(`${age}. The log of the API says why there is no newer one.`)]
    : [ok(`${age}.`)];
}

/** A day with a change of the time zone has 25 hours, and a large backup takes some. */
const largestAgeHours = 30;

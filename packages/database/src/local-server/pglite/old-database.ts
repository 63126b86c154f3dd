import { existsSync } from "node:fs";
import { readdir, rename } from "node:fs/promises";
import path from "node:path";
import { flush } from "../postgres.ts";
import type { ServerFolder } from "../server-folder.ts";

/** The database that PGlite wrote. A folder with this name is the current database, also after a way back. */
export function oldDataFolder({ folder }: ServerFolder): string {
  return path.join(folder, "pg");
}

/** The complete new database, until the old one has its new name. */
export function movedFolder({ dataFolder }: ServerFolder): string {
  return `${dataFolder}.moved`;
}

/** Whether the data folder has a database of PGlite, or a move has not ended. */
export function isMoveNeeded(serverFolder: ServerFolder): boolean {
  return existsSync(oldDataFolder(serverFolder)) || existsSync(movedFolder(serverFolder));
}

/** Renames a folder to a free name with a date; returns the new path. */
export async function setAside(folder: string, name: string): Promise<string> {
  const parent = path.dirname(folder);
  const names = new Set(await readdir(parent));
  const dated = `${name}-${new Date().toISOString().slice(0, 10)}`;
  let free = dated;
  for (let number = 2; names.has(free); number++) free = `${dated}-${number}`;
  await rename(folder, path.join(parent, free));
  await flush(parent);
  return path.join(parent, free);
}

import { readdir } from "node:fs/promises";
import path from "node:path";

/**
 * The file that the holder rewrites in the folder of its generation every 2 s, so that other machines detect
 * its end.
 */
export const heartbeatFile = "heartbeat";

/** The generations of a lock, lowest first. */
export async function listGenerations(holders: string): Promise<number[]> {
  const names = await readdir(holders);
  return names
    .filter((name) => /^[1-9]\d*$/.test(name))
    .map(Number)
    .sort((a, b) => a - b);
}

/** Returns true when a folder is the highest generation of its lock. */
export async function isLatestGeneration(folder: string): Promise<boolean> {
  const generations = await listGenerations(path.dirname(folder));
  return generations.at(-1) === Number(path.basename(folder));
}

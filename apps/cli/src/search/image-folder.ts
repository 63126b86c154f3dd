import { constants } from "node:fs";
import { open, realpath } from "node:fs/promises";
import { isAbsolute, relative, resolve } from "node:path";
import { imageLimits } from "@koma/library";
import { CommandError } from "../command-error.ts";

/**
 * Opens a directory for reading images by relative paths. The returned function throws for paths outside of
 * the directory, through links as well, and for files that are too large. Throws CommandError where the
 * directory is missing.
 */
export async function openImageFolder(
  directory: string,
): Promise<(path: string) => Promise<Uint8Array<ArrayBuffer>>> {
  const root = await realpath(directory).catch(() => {
    throw new CommandError(`there is no directory ${directory}`);
  });
  return async (path) => {
    const file = await realpath(resolve(root, path)).catch(() => {
      throw new Error(`There is no file ${path} in ${root}.`);
    });
    const inside = relative(root, file);
    if (inside.startsWith("..") || isAbsolute(inside)) throw new Error(`${path} is not in ${root}.`);
    // A pipe must not block, and the file must not become a link to another one after its path was checked.
    await using handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    const stats = await handle.stat();
    if (!stats.isFile()) throw new Error(`${path} is not a file.`);
    if (stats.size > imageLimits.bytes) throw new Error(`${path} has more than ${imageLimits.bytes} bytes.`);
    return Uint8Array.from(await handle.readFile());
  };
}

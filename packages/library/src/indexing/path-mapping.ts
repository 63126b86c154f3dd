import { existsSync, statSync } from "node:fs";
import { stat } from "node:fs/promises";
import { isAbsolute, join, relative, resolve, sep } from "node:path";

/** A folder under the path of the machine that queued its videos, and under the path of this machine. */
export type MappedRoot = { queued: string; local: string };

/** A root of a worker cannot be used; the message contains the reason. */
export class PathMappingError extends Error {
  override readonly name = "PathMappingError";
}

/** Finds the local files of the paths that are stored for videos. */
export type PathMapping = {
  /** The folders of the videos that can be read here; undefined: all. */
  folders: string[] | undefined;
  /** The local path; undefined for a path outside the roots. */
  toLocal(path: string): string | undefined;
  /** Whether a missing file was deleted: its root is known and there. */
  isReachable(path: string): boolean;
};

/** The mapping of a machine that sees all videos under their stored paths. */
export const samePaths: PathMapping = {
  folders: undefined,
  toLocal: (path) => path,
  isReachable: () => true,
};

/**
 * Creates the mapping for these roots. Throws PathMappingError when a path is relative, when two roots
 * overlap, or when a local folder is missing.
 */
export function createPathMapping(mappings: readonly MappedRoot[]): PathMapping {
  if (mappings.length === 0) return samePaths;
  const roots = mappings.map(checkRoot);
  for (const [position, root] of roots.entries()) {
    for (const other of roots.slice(position + 1)) {
      for (const side of ["queued", "local"] as const) {
        const [one, two] = [root[side], other[side]];
        if (!isInside(one, two) && !isInside(two, one)) continue;
        throw new PathMappingError(`The roots ${describe(root)} and ${describe(other)} overlap.`);
      }
    }
  }
  const findRoot = (path: string) => roots.find((root) => isInside(path, root.queued));
  return {
    folders: roots.map((root) => root.queued),
    toLocal(path) {
      const root = findRoot(path);
      return root === undefined ? undefined : join(root.local, relative(root.queued, path));
    },
    isReachable(path) {
      const root = findRoot(path);
      return root !== undefined && existsSync(root.local);
    },
  };
}

/**
 * False when the file of a stored path was deleted. A file that this machine cannot see counts as there, and so
 * does one that cannot be examined for another reason.
 */
export async function isThere(path: string, { toLocal, isReachable }: PathMapping): Promise<boolean> {
  return await stat(toLocal(path) ?? path).then(
    () => true,
    ({ code }: NodeJS.ErrnoException) => (code !== "ENOENT" && code !== "ENOTDIR") || !isReachable(path),
  );
}

function checkRoot(root: MappedRoot): MappedRoot {
  for (const path of [root.queued, root.local]) {
    if (!isAbsolute(path)) throw new PathMappingError(`The path "${path}" of a root is not absolute.`);
  }
  const local = resolve(root.local);
  if (statSync(local, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new PathMappingError(`The folder ${local} of a root does not exist.`);
  }
  return { queued: resolve(root.queued), local };
}

function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}

function describe({ queued, local }: MappedRoot): string {
  return `${queued}=${local}`;
}

import { readdir, realpath, stat } from "node:fs/promises";
import { extname, isAbsolute, join, relative } from "node:path";
import { videoExtensions } from "@koma/library";

/** A path outside the configured folders. */
export class PathOutsideRootsError extends Error {
  override readonly name = "PathOutsideRootsError";

  constructor() {
    super("The video is not below a configured folder, or it is missing there.");
  }
}

/**
 * The videos among these paths, with links resolved. Throws PathOutsideRootsError for a path outside the
 * roots, directly or through a link. A missing path gets the same error, so the error does not reveal which
 * files exist.
 */
export async function findVideosInRoots(
  paths: readonly string[],
  roots: readonly string[],
): Promise<string[]> {
  const realRoots = await Promise.all(roots.map((root) => realpath(root).catch(() => undefined)));
  const videos: string[] = [];
  for (const path of paths) {
    const real =
      isAbsolute(path) && !path.includes("\0") ? await realpath(path).catch(() => undefined) : undefined;
    if (real === undefined || !realRoots.some((root) => root !== undefined && isBelow(real, root))) {
      throw new PathOutsideRootsError();
    }
    if (isVideo(real) && (await stat(real)).isFile()) videos.push(real);
  }
  return videos;
}

/** All videos below the roots. Links are not followed, because they can point outside. */
export async function listVideos(roots: readonly string[]): Promise<string[]> {
  const videos: string[] = [];
  for (const root of roots) {
    const real = await realpath(root).catch(() => undefined);
    if (real === undefined) continue;
    for (const entry of await readdir(real, { recursive: true, withFileTypes: true })) {
      if (entry.isFile() && !entry.name.startsWith(".") && isVideo(entry.name)) {
        videos.push(join(entry.parentPath, entry.name));
      }
    }
  }
  return videos.sort();
}

function isVideo(path: string): boolean {
  return videoExtensions.has(extname(path).toLowerCase());
}

function isBelow(path: string, root: string): boolean {
  const inside = relative(root, path);
  return inside !== "" && inside !== ".." && !inside.startsWith("../") && !isAbsolute(inside);
}

import { readdir, realpath, stat } from "node:fs/promises";
import { isAbsolute, join, relative } from "node:path";
import { isVideoName } from "@koma/library";

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
  const realRoots = await resolveRoots(roots);
  const videos: string[] = [];
  for (const path of paths) {
    const real = await resolvePath(path);
    if (real === undefined || !realRoots.some((root) => isBelow(real, root))) {
      throw new PathOutsideRootsError();
    }
    if (isVideoName(real) && (await stat(real)).isFile()) videos.push(real);
  }
  return videos;
}

/**
 * The videos at this path, a folder or a video, with links resolved. The folder can be one of the roots.
 * Throws PathOutsideRootsError as `findVideosInRoots`.
 */
export async function listVideosAt(path: string, roots: readonly string[]): Promise<string[]> {
  const real = await resolvePath(path);
  if (real === undefined) throw new PathOutsideRootsError();
  const isRoot = (await resolveRoots(roots)).includes(real);
  const videos = isRoot ? [] : await findVideosInRoots([real], roots);
  return (await stat(real)).isDirectory() ? await listVideos([real]) : videos;
}

async function resolveRoots(roots: readonly string[]): Promise<string[]> {
  const resolved = await Promise.all(roots.map((root) => realpath(root).catch(() => undefined)));
  return resolved.filter((root) => root !== undefined);
}

async function resolvePath(path: string): Promise<string | undefined> {
  if (!isAbsolute(path) || path.includes("\0")) return undefined;
  return await realpath(path).catch(() => undefined);
}

/**
 * All videos below the roots, without hidden and unreadable folders. Links are not followed, because they can
 * point outside.
 */
export async function listVideos(roots: readonly string[]): Promise<string[]> {
  const videos: string[] = [];
  for (const root of roots) {
    const real = await realpath(root).catch(() => undefined);
    const folders = real === undefined ? [] : [real];
    for (const folder of folders) {
      const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
      for (const entry of entries) {
        if (entry.name.startsWith(".")) continue;
        const path = join(folder, entry.name);
        if (entry.isDirectory()) folders.push(path);
        else if (entry.isFile() && isVideoName(entry.name)) videos.push(path);
      }
    }
  }
  return videos.sort();
}

function isBelow(path: string, root: string): boolean {
  const inside = relative(root, path);
  return inside !== "" && inside !== ".." && !inside.startsWith("../") && !isAbsolute(inside);
}

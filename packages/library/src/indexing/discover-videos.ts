import type { Dirent } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { extname, join, resolve } from "node:path";

/** A video file on disk; the time is in whole milliseconds. */
export type FoundVideo = { path: string; sizeBytes: number; modifiedAtMs: number };

/** File name extensions that are indexed, in lower case. */
export const videoExtensions: ReadonlySet<string> = new Set([
  ...[".mp4", ".mkv", ".webm", ".avi", ".mov", ".m4v", ".ts", ".gif", ".m2ts", ".mpg", ".mpeg"],
  ...[".vob", ".wmv", ".flv", ".ogm", ".ogv", ".rmvb", ".3gp"],
]);

/**
 * Lists the videos under files and folders, each once, in natural order of names. Hidden files and folders
 * below a given path are skipped, links are followed. An unreadable entry becomes a problem and does not stop
 * the walk.
 */
export async function discoverVideos(
  paths: readonly string[],
  signal?: AbortSignal,
): Promise<{ videos: FoundVideo[]; problems: { file: string; problem: string }[] }> {
  const videos = new Map<string, FoundVideo>();
  const problems: { file: string; problem: string }[] = [];
  const seenFolders = new Set<string>();
  for (const path of paths) await visit(resolve(path), true);
  return { videos: [...videos.values()], problems };

  async function visit(path: string, isExplicit: boolean): Promise<void> {
    signal?.throwIfAborted();
    try {
      const facts = await stat(path);
      if (facts.isDirectory()) await walk(path);
      else if (videoExtensions.has(extname(path).toLowerCase())) {
        if (!facts.isFile()) return;
        videos.set(path, { path, sizeBytes: facts.size, modifiedAtMs: Math.trunc(facts.mtimeMs) });
      } else if (isExplicit) {
        const known = [...videoExtensions].join(" ");
        problems.push({
          file: path,
          problem: `This file name is not that of a video; known extensions are ${known}.`,
        });
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (isExplicit || extname(path) === "" || videoExtensions.has(extname(path).toLowerCase())) {
        problems.push({ file: path, problem: describeFileError(error) });
      }
    }
  }

  async function walk(folder: string): Promise<void> {
    const real = await realpath(folder);
    if (seenFolders.has(real)) return;
    seenFolders.add(real);
    const entries = await readdir(folder, { withFileTypes: true });
    for (const entry of entries.filter(isSelected).sort(byName)) await visit(join(folder, entry.name), false);
  }
}

/** Returns one sentence for a failed file operation, without the path. */
export function describeFileError(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "ENOENT") return "The file or folder does not exist.";
  if (code === "EACCES" || code === "EPERM") return "Read permission is missing.";
  return `It cannot be read: ${error instanceof Error ? error.message : String(error)}`;
}

function isSelected(entry: Dirent): boolean {
  if (entry.name.startsWith(".")) return false;
  return !entry.isFile() || videoExtensions.has(extname(entry.name).toLowerCase());
}

const collator = new Intl.Collator("en", { numeric: true });

function byName(left: Dirent, right: Dirent): number {
  return collator.compare(left.name, right.name);
}

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

/** Whether a file is a video by the ending of its name. */
export function isVideoName(name: string): boolean {
  return videoExtensions.has(extname(name).toLowerCase());
}

export type DiscoverOptions = {
  /** Whether a video is left out of this run, such as one that is still being written. */
  postpone?: ((video: FoundVideo) => Promise<boolean>) | undefined;
  signal?: AbortSignal | undefined;
};

/** Why a file or folder cannot be read or indexed, as a sentence. */
export type VideoFailure = { file: string; problem: string };

/** A number of files that are no videos by their names; the extension is in lower case, or empty. */
export type IgnoredFiles = { extension: string; files: number };

/**
 * Lists the videos under files and folders, each once, in natural order of names. Hidden files and folders
 * below a given path are skipped, links are followed. An unreadable entry becomes a problem and does not stop
 * the walk.
 */
export async function discoverVideos(
  paths: readonly string[],
  { postpone, signal }: DiscoverOptions = {},
): Promise<{
  videos: FoundVideo[];
  problems: VideoFailure[];
  ignored: IgnoredFiles[];
}> {
  const videos = new Map<string, FoundVideo>();
  const problems: VideoFailure[] = [];
  const ignored = new Map<string, number>();
  const seenFolders = new Set<string>();
  for (const path of paths) await visit(resolve(path), true);
  const counts = [...ignored].map(([extension, files]) => ({ extension, files }));
  return { videos: [...videos.values()], problems, ignored: counts.sort(byCount) };

  async function visit(path: string, isExplicit: boolean): Promise<void> {
    signal?.throwIfAborted();
    try {
      const facts = await stat(path);
      if (facts.isDirectory()) await walk(path);
      else if (isVideoName(path)) {
        if (!facts.isFile()) return;
        const video = { path, sizeBytes: facts.size, modifiedAtMs: Math.trunc(facts.mtimeMs) };
        if ((await postpone?.(video)) !== true) videos.set(path, video);
      } else if (isExplicit) {
        const known = [...videoExtensions].join(" ");
        problems.push({
          file: path,
          problem: `This file name is not that of a video; known extensions are ${known}.`,
        });
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (isExplicit || extname(path) === "" || isVideoName(path)) {
        const isNamedWrong = path.includes("\uFFFD");
        problems.push({ file: path, problem: isNamedWrong ? encodingProblem : describeFileError(error) });
      }
    }
  }

  async function walk(folder: string): Promise<void> {
    const real = await realpath(folder);
    if (seenFolders.has(real)) return;
    seenFolders.add(real);
    const entries = await readdir(folder, { withFileTypes: true });
    const visible = entries.filter(({ name }) => !name.startsWith("."));
    const [others, selected] = [visible.filter(isOther), visible.filter((entry) => !isOther(entry))];
    for (const { name } of others) {
      const extension = extname(name).toLowerCase();
      ignored.set(extension, (ignored.get(extension) ?? 0) + 1);
    }
    for (const entry of selected.sort(byName)) await visit(join(folder, entry.name), false);
  }
}

/** Returns one sentence for a failed file operation, without the path. */
export function describeFileError(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "ENOENT") return "The file or folder does not exist.";
  if (code === "EACCES" || code === "EPERM") return "Read permission is missing.";
  return `It cannot be read: ${error instanceof Error ? error.message : String(error)}`;
}

// Node replaces the bytes of such a name, so that it names no file.
const encodingProblem =
  'Its name is not in UTF-8, so it cannot be opened. Rename it, for example with "convmv -f latin1 -t utf8 --notest".';

/** Whether it is a file that is no video by its name. */
function isOther(entry: Dirent): boolean {
  return entry.isFile() && !isVideoName(entry.name);
}

/** The largest number first. */
function byCount(left: IgnoredFiles, right: IgnoredFiles): number {
  return right.files - left.files || collator.compare(left.extension, right.extension);
}

const collator = new Intl.Collator("en", { numeric: true });

function byName(left: Dirent, right: Dirent): number {
  return collator.compare(left.name, right.name);
}

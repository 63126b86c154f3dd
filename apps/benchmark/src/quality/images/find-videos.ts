import { readdir } from "node:fs/promises";
import { basename, extname, join, relative } from "node:path";

const videoExtensions = new Set(".mkv .mp4 .m4v .mov .webm .avi .flv .ts .gif .ogv .wmv .mpg".split(" "));

/** Returns the video files of a folder and its subfolders, by name. */
export async function findVideos(folder: string): Promise<{ file: string; name: string; work: string }[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && videoExtensions.has(extname(entry.name).toLowerCase()))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((file) => ({ file, name: relative(folder, file), work: workOf(file) }));
}

/**
 * Returns the part of a file name before its number: `Show - 03.mkv` and `Show S01E04.mkv` are both `show`.
 */
export function workOf(file: string): string {
  const name = basename(file, extname(file)).replace(/[[(][^\])]*[\])]/g, " ");
  const numbered = /^(.*?)(?:[\s._-]+(?:s\d+)?(?:ep?|episode|part|#)?[\s._]*\d{1,4}(?:v\d)?)\s*$/i.exec(name);
  return (numbered?.[1] ?? name)
    .replace(/[\s._-]+/g, " ")
    .trim()
    .toLowerCase();
}

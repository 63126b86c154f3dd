import { copyFile, mkdir, rename, stat } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { discoverVideos } from "./discover-videos.ts";

/**
 * Copies the videos under one folder to another and returns the paths of the copies. Existing files stay,
 * because the database refers to their content. A copy is renamed when it is complete, so an interrupted run
 * can be repeated.
 */
export async function copyClips(fromFolder: string, toFolder: string): Promise<string[]> {
  const { videos } = await discoverVideos([fromFolder]);
  if (videos.length === 0) throw new Error(`There are no sample clips in ${fromFolder}.`);
  const copies: string[] = [];
  for (const { path } of videos) {
    const copy = join(toFolder, relative(fromFolder, path));
    copies.push(copy);
    if (await isFile(copy)) continue;
    await mkdir(dirname(copy), { recursive: true, mode: 0o700 });
    await copyFile(path, `${copy}.part`);
    await rename(`${copy}.part`, copy);
  }
  return copies;
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (facts) => facts.isFile() && facts.size > 0,
    () => false,
  );
}

import { resolve, sep } from "node:path";
import type { Database, EpisodeWithAnime } from "@koma/database";

/** Lists the episodes whose videos are these files, or in these folders. */
export async function listAtPaths(database: Database, names: readonly string[]): Promise<EpisodeWithAnime[]> {
  const paths = names.map((name) => resolve(name));
  return (await database.episodes.list()).filter(({ path: file }) =>
    paths.some((path) => file === path || file.startsWith(path.endsWith(sep) ? path : path + sep)),
  );
}

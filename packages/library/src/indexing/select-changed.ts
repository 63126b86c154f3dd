import type { Database } from "@koma/database";
import type { FoundVideo } from "./discover-videos.ts";
import { isPublished } from "./settle-video.ts";

const rowsPerLookup = 500;

/** Returns the videos that may need indexing; reports those whose size and time equal the published ones. */
export async function selectChanged(
  database: Database,
  videos: readonly FoundVideo[],
  o: { stale: ReadonlySet<string>; onUnchanged: (video: FoundVideo) => void },
): Promise<FoundVideo[]> {
  const changed: FoundVideo[] = [];
  for (let from = 0; from < videos.length; from += rowsPerLookup) {
    const slice = videos.slice(from, from + rowsPerLookup);
    const rows = await database.episodes.findByPaths(slice.map((video) => video.path));
    const byPath = new Map(rows.map((row) => [row.path, row]));
    for (const video of slice) {
      const row = byPath.get(video.path);
      if (row === undefined || o.stale.has(row.id) || !isPublished(row, video)) changed.push(video);
      else o.onUnchanged(video);
    }
  }
  return changed;
}

import type { Database } from "@koma/database";
import type { Scene } from "@koma/engine";
import type { LibraryMatch } from "./library-match.ts";

/** Scenes as matches, with one look-up for all; scenes of episodes that were removed just now are left out. */
export async function toMatches(database: Database, scenes: readonly Scene[]): Promise<LibraryMatch[]> {
  const rows = await database.episodes.getMany([...new Set(scenes.map((scene) => scene.episodeKey))]);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const matches: LibraryMatch[] = [];
  for (const scene of scenes) {
    const row = byId.get(scene.episodeKey);
    if (row === undefined) continue;
    const { similarity, isConfident, isMirrored, region } = scene;
    matches.push({
      rank: matches.length + 1,
      anime: row.anime,
      episode: { id: row.id, season: row.season, number: row.number, title: row.title },
      fileName: row.fileName,
      durationSeconds: row.durationSeconds ?? scene.toSeconds,
      ...toTimes(scene),
      ...{ similarity, isConfident, isMirrored, region },
      recurring: null,
    });
  }
  return matches;
}

function toTimes(scene: Scene): { timestamp: number; from: number; to: number } {
  const timestamp = toMilliseconds(scene.atSeconds);
  const from = Math.min(toMilliseconds(scene.fromSeconds), timestamp);
  const to = Math.max(toMilliseconds(scene.toSeconds), timestamp);
  return { timestamp, from, to };
}

/** Seconds with three decimals. */
function toMilliseconds(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}

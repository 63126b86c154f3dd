/** Databases of anime whose ids media libraries write beside videos. */
export type IdSource = "anilist" | "anidb" | "tvdb";

/** The ids of a work, by their source. */
export type SeriesIds = Partial<Record<IdSource, number>>;

/** "[anidb-23]", "{tvdb-76885}", "[tvdbid=76885]", "[anilistid-1]": Shoko, HAMA, Sonarr and Jellyfin. */
const idTag = /\s*[[{(](?<source>anilist|anidb|tvdb)(?:id)?[-=](?<id>[1-9]\d{0,8})[\])}]/gi;

/** Returns the ids in the names of a path; those of the file and of near folders have priority. */
export function readIdTags(path: string): SeriesIds {
  const ids: SeriesIds = {};
  for (const segment of path.split(/[\\/]/).reverse().slice(0, 4)) {
    for (const { groups } of segment.matchAll(idTag)) {
      const source = String(groups?.source).toLowerCase() as IdSource;
      ids[source] ??= Number(groups?.id);
    }
  }
  return ids;
}

/** Returns a path without the ids in its names, which are no part of a title. */
export function withoutIdTags(path: string): string {
  return path.replace(idTag, "");
}

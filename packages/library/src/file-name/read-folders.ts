import { basename, dirname } from "node:path";
import { cleanTitle, tidyName, withoutTechnical } from "./clean-name.ts";
import { toKind } from "./find-numbering.ts";
import { findSeason } from "./find-season.ts";

/** The naming data in the folders of a path. */
export type Folders = {
  title: string | undefined;
  season: number | undefined;
  kind: string | undefined;
  isSeasonFolder: boolean;
};

const specialFolder = /^(?:specials?|sps?|ovas?|oads?|extras?|bonus|nc(?:op|ed)s?|season 0+|s0+)$/i;
const plainSeasonFolder =
  /^(?:(?:season|saison|staffel|temporada|s)[ ._-]*\d{1,2}|\d{1,2}(?:st|nd|rd|th) season|第?.{1,3}[期季])$/i;
// Folders that contain many works or do not describe one.
const generalFolder =
  /^(?:anime|animes|animation|videos?|movies?|films?|downloads?|tv|tv[ -]?shows?|shows?|series|media|library|tmp|temp|home|mnt|data|torrents?|batch|(?:480|720|1080|2160)p?|bd|blu-?ray|dvd|web-?dl)$/i;

/** Reads title, season and kind from a folder and the folders above it. */
export function readFolders(folder: string): Folders {
  const found: Folders = { title: undefined, season: undefined, kind: undefined, isSeasonFolder: false };
  let current = folder;
  for (let depth = 0; depth < 4 && basename(current) !== ""; depth += 1, current = dirname(current)) {
    const name = withoutTechnical(tidyName(basename(current)));
    if (specialFolder.test(name)) {
      found.kind ??= folderKind(name);
      found.isSeasonFolder = true;
      continue;
    }
    const season = findSeason(name);
    if (depth < 3) found.season ??= season?.season;
    if (plainSeasonFolder.test(name)) {
      found.isSeasonFolder = true;
      continue;
    }
    if (generalFolder.test(name) || /^\d+$/.test(name)) continue;
    const title = cleanTitle(season === undefined ? name : season.before);
    if (title === "") continue;
    return { ...found, title };
  }
  return found;
}

function folderKind(name: string): string | undefined {
  if (/^(?:extras?|bonus)$/i.test(name)) return undefined;
  return /^s(?:eason)?\s*0+$/i.test(name) ? "Special" : toKind(name);
}

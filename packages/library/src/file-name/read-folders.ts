import { cleanTitle, tidyName, withoutTechnical } from "./clean-name.ts";
import { findNumbering } from "./find-numbering.ts";
import { findSeason, seasonWord } from "./find-season.ts";
import { toKind } from "./numbering-rules.ts";

/** The naming data in the folders of a path. */
export type Folders = {
  title: string | undefined;
  season: number | undefined;
  kind: string | undefined;
  isSeasonFolder: boolean;
  /** True when the title is that of a folder above one of many works ("Movies"). */
  isCollection: boolean;
};

const specialFolder = /^(?:specials?|sps?|ovas?|oads?|extras?|bonus|nc(?:op|ed)s?|season 0+|s0+)$/i;
const plainSeasonFolder = new RegExp(
  `^(?:(?:${seasonWord}|s)[ ._-]*\\d{1,4}|\\d{1,2}(?:st|nd|rd|th) season|\\d{1,2}\\. ?${seasonWord}|第?.{1,3}[期季])$`,
  "iu",
);
const collectionFolder =
  /^(?:anime|animes|animation|videos?|movies?|films?|downloads?|tv|tv[ -]?shows?|shows?|series|media|library|tmp|temp|home|mnt|data|torrents?|unsorted|incomplete|completed?)$/i;
const technicalFolder = /^(?:batch|(?:480|720|1080|2160)p?|bd|blu-?ray|dvd|web-?dl|\d+)$/i;

/** Reads title, season and kind from the names of folders, the nearest first. */
export function readFolders(names: readonly string[]): Folders {
  const found: Folders = {
    title: undefined,
    season: undefined,
    kind: undefined,
    isSeasonFolder: false,
    isCollection: false,
  };
  for (const [depth, folder] of names.slice(0, 4).entries()) {
    const fullName = tidyName(folder);
    const name = withoutTechnical(fullName);
    if (specialFolder.test(name)) {
      found.kind ??= folderKind(name);
      found.isSeasonFolder = true;
      continue;
    }
    const season = findSeason(name);
    if (depth < 3) found.season ??= season?.season ?? readYearSeason(name);
    if (plainSeasonFolder.test(name)) {
      found.isSeasonFolder = true;
      continue;
    }
    if (collectionFolder.test(name)) found.isCollection = true;
    if (collectionFolder.test(name) || technicalFolder.test(name)) continue;
    const title = readTitle(fullName, season?.before);
    if (title === "") continue;
    return { ...found, title };
  }
  return found;
}

/** A folder of a single episode has the name of its file, so its number is no part of the title. */
function readTitle(fullName: string, beforeSeason: string | undefined): string {
  const numbering = findNumbering(fullName);
  if (numbering !== undefined && numbering.isWeak !== true && numbering.number !== null) {
    return numbering.title ?? cleanTitle(findSeason(numbering.before)?.before ?? numbering.before);
  }
  return cleanTitle(beforeSeason ?? fullName);
}

/** "Season 2009": media servers number the seasons of some shows by years. */
function readYearSeason(name: string): number | undefined {
  const year = /^(?:season|s) ?(?<year>(?:19|20)\d\d)$/i.exec(name)?.groups?.year;
  return year === undefined ? undefined : Number(year);
}

function folderKind(name: string): string | undefined {
  if (/^(?:extras?|bonus)$/i.test(name)) return undefined;
  return /^s(?:eason)?\s*0+$/i.test(name) ? "Special" : toKind(name);
}

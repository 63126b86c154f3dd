import { basename, dirname, extname } from "node:path";
import { cleanTitle, tidyName, trimTitle, withoutTechnical } from "./clean-name.ts";
import { findNumbering, findSeason, type Numbering, toKind } from "./find-numbering.ts";

/** The naming data in the path of a video file. */
export type VideoName = {
  /** The title; never empty. */
  title: string;
  season: number | null;
  /** "3", or a non-integer number: "13.5", "1-2", "OVA 2"; null for a video without a number. */
  number: string | null;
  episodeTitle: string | null;
  /** From a folder whose name is a number, as users of trace.moe have it. */
  anilistId: number | null;
};

const specialFolder = /^(?:specials?|sps?|ovas?|oads?|extras?|bonus|nc(?:op|ed)s?|season 0+|s0+)$/i;
const plainSeasonFolder =
  /^(?:(?:season|saison|staffel|temporada|s)[ ._-]*\d{1,2}|\d{1,2}(?:st|nd|rd|th) season|第?.{1,3}[期季])$/i;
// Folders that contain many works or do not describe one.
const generalFolder =
  /^(?:anime|animes|animation|videos?|movies?|films?|downloads?|tv|tv[ -]?shows?|shows?|series|media|library|tmp|temp|home|mnt|data|torrents?|batch|(?:480|720|1080|2160)p?|bd|blu-?ray|dvd|web-?dl)$/i;

/**
 * Reads title, season and episode from the absolute path of a video. The file name has priority; missing
 * parts come from its nearest folders.
 */
export function parseVideoPath(path: string): VideoName {
  const stem = tidyName(basename(path).slice(0, -extname(path).length || undefined));
  const folders = readFolders(dirname(path));
  const name = withoutTechnical(stem);
  const numbering = withoutTitlesOwnNumber(findNumbering(name), name, folders.title);
  const anilistId = readAnilistId(basename(dirname(path)), name);
  return { ...compose(name, numbering, folders), anilistId };
}

type Folders = {
  title: string | undefined;
  season: number | undefined;
  kind: string | undefined;
  isSeasonFolder: boolean;
};

function compose(
  name: string,
  numbering: Numbering | undefined,
  folders: Folders,
): Omit<VideoName, "anilistId"> {
  const season = findSeason(numbering?.before ?? name);
  const ownTitle = cleanTitle(season === undefined ? (numbering?.before ?? name) : season.before);
  const seasonNumber = numbering?.season ?? season?.season ?? folders.season ?? null;
  if (numbering === undefined && folders.isSeasonFolder && folders.title !== undefined) {
    return {
      title: folders.title,
      season: seasonNumber,
      number: folders.kind ?? null,
      episodeTitle: ownTitle || null,
    };
  }
  const number = numbering?.number ?? null;
  return {
    title: ownTitle || folders.title || trimTitle(name) || name || "Untitled",
    season:
      number !== null && /^\p{L}/u.test(number) && seasonNumber === folders.season ? null : seasonNumber,
    number:
      folders.kind !== undefined && number !== null && /^\d/.test(number)
        ? `${folders.kind} ${number}`
        : number,
    episodeTitle: numbering === undefined ? null : readEpisodeTitle(numbering.after),
  };
}

/** "Mob Psycho 100" in a folder "Mob Psycho 100" has no number, and "Title 5" in a folder "Title" has one. */
function withoutTitlesOwnNumber(
  numbering: Numbering | undefined,
  name: string,
  folderTitle: string | undefined,
): Numbering | undefined {
  if (folderTitle === undefined) return numbering;
  if (numbering?.after === "" && isSame(cleanTitle(name), folderTitle)) return undefined;
  if (numbering !== undefined) return numbering;
  const single = /^(?<before>.+) (?<digit>\d)$/.exec(name);
  const { before = "", digit = "" } = single?.groups ?? {};
  return isSame(cleanTitle(before), folderTitle) ? { number: digit, before, after: "" } : undefined;
}

function readEpisodeTitle(after: string): string | null {
  const quoted = /^\s*[「『“"](?<title>[^」』”"]+)[」』”"]/u.exec(after)?.groups?.title;
  const title =
    quoted ??
    trimTitle(withoutTechnical(after.replace(/[[【(][^\])】]*[\])】]/g, " ")).replace(/^[.\])】]+/, ""));
  return /\p{L}|\d/u.test(title) && !/^(?:end|fin|final|v\d)$/i.test(title) ? trimTitle(title) : null;
}

function readFolders(folder: string): Folders {
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

/**
 * Only the parent folder of the video counts, and not when the title of the video is that number ("86/86 -
 * 03").
 */
function readAnilistId(folder: string, name: string): number | null {
  if (!/^[1-9]\d{0,6}$/.test(folder)) return null;
  const before = findNumbering(name)?.before ?? name;
  return cleanTitle(before) === folder ? null : Number(folder);
}

function isSame(left: string, right: string): boolean {
  return left !== "" && left.localeCompare(right, "en", { sensitivity: "base" }) === 0;
}

import { basename, dirname, extname } from "node:path";
import { cleanTitle, tidyName, trimTitle, withoutTechnical } from "./clean-name.ts";
import { findNumbering, type Numbering } from "./find-numbering.ts";
import { findSeason } from "./find-season.ts";
import { type Folders, readFolders } from "./read-folders.ts";

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

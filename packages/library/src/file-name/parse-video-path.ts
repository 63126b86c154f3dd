import { posix, win32 } from "node:path";
import { cleanTitle, tidyName, trimTitle, withoutTechnical, withoutTrailingGroup } from "./clean-name.ts";
import { type FolderNames, findVaryingNumber, hasCommonEnd, withoutExtension } from "./compare-siblings.ts";
import { findNumbering } from "./find-numbering.ts";
import { findSeason } from "./find-season.ts";
import type { Numbering } from "./numbering-rules.ts";
import { type Folders, readFolders } from "./read-folders.ts";

/** The naming data in the path of a video file. */
export type VideoName = {
  /** The title; never empty. */
  title: string;
  season: number | null;
  /** "3", or a non-integer number: "13.5", "1-2", "9a", "OVA 2"; null for a video without a number. */
  number: string | null;
  episodeTitle: string | null;
  /** From a folder whose name is a number, as users of trace.moe have it. */
  anilistId: number | null;
};

/**
 * Reads title, season and episode from the absolute path of a video. The file name has priority; missing
 * parts come from its nearest folders. `siblings` has the names of all videos in the same folder: a bare number
 * counts as an episode when it differs between them.
 */
export function parseVideoPath(path: string, siblings: FolderNames = { names: [] }): VideoName {
  const { names, stem } = splitPath(path);
  const fullName = tidyName(stem);
  const folders = readFolders(names);
  const own = decideNumbering(fullName, folders, siblings);
  const anilistId = readAnilistId(names[0] ?? "", own, fullName);
  const released = readReleaseFolder(names[0] ?? "", stem, own);
  if (released !== undefined) {
    const above = readFolders(names.slice(1));
    return { ...compose(released.name, released.numbering, above, { names: [] }), anilistId };
  }
  return { ...compose(fullName, own, folders, siblings), anilistId };
}

function compose(
  fullName: string,
  numbering: Numbering | undefined,
  folders: Folders,
  siblings: FolderNames,
): Omit<VideoName, "anilistId"> {
  const name = withoutTechnical(withoutTrailingGroup(fullName));
  const text = numbering?.title ?? numbering?.before ?? name;
  const season = findSeason(text);
  const ownTitle = cleanTitle(season === undefined ? text : season.before || season.after, {
    isBeforeNumber: numbering?.isExplicit === true,
  });
  const seasonNumber = numbering?.season ?? season?.season ?? folders.season ?? null;
  if (numbering === undefined && folders.isSeasonFolder && folders.title !== undefined) {
    return {
      title: folders.title,
      season: seasonNumber,
      number: folders.kind ?? null,
      episodeTitle: ownTitle || null,
    };
  }
  const episodeTitle = numbering === undefined ? null : readEpisodeTitle(numbering.after);
  const following = ownTitle === "" ? readFollowingTitle(numbering, folders, siblings) : undefined;
  const number = withoutSeasonDigit(numbering, folders);
  return {
    title: ownTitle || following?.title || folders.title || trimTitle(name) || name || "Untitled",
    season:
      number !== null && /^\p{L}/u.test(number) && seasonNumber === folders.season
        ? null
        : (following?.season ?? seasonNumber),
    number:
      folders.kind !== undefined && number !== null && /^\d/.test(number)
        ? `${folders.kind} ${number}`
        : number,
    episodeTitle: following === undefined ? episodeTitle : following.episodeTitle,
  };
}

/** Weighs the number that the name states against the folder's title and the other videos of the folder. */
function decideNumbering(fullName: string, folders: Folders, siblings: FolderNames): Numbering | undefined {
  const name = withoutTechnical(fullName);
  const numbering = withoutTitlesOwnNumber(findNumbering(fullName), name, folders.title);
  if (numbering !== undefined && numbering.isWeak !== true) return numbering;
  const varying = findVaryingNumber(fullName, siblings);
  const isVarying = varying !== undefined && varying.before === numbering?.before;
  if (varying !== undefined && !isVarying && isUsable(varying, folders, siblings, true)) return varying;
  if (numbering === undefined) return undefined;
  return isUsable(numbering, folders, siblings, isVarying) ? numbering : undefined;
}

/**
 * A name that starts with a number and goes on with words may be a title ("91 Days"). The number counts with
 * a dash or point behind it, and with a folder that states the title. One digit needs other videos with other
 * numbers.
 */
function isUsable(
  numbering: Numbering,
  folders: Folders,
  siblings: FolderNames,
  isVarying: boolean,
): boolean {
  if (numbering.isLeading !== true || !/^[ .-]?\p{L}/u.test(numbering.after)) return true;
  if (hasCommonEnd(numbering.after, siblings)) return true;
  if (folders.isSeasonFolder || numbering.isPadded === true) return true;
  return (
    folders.title !== undefined && !folders.isCollection && (isVarying || (numbering.number?.length ?? 0) > 1)
  );
}

/** "Mob Psycho 100" in a folder "Mob Psycho 100" has no number, and "Title 5" in a folder "Title" has one. */
function withoutTitlesOwnNumber(
  numbering: Numbering | undefined,
  name: string,
  folderTitle: string | undefined,
): Numbering | undefined {
  if (folderTitle === undefined) return numbering;
  const isBare = numbering?.isWeak === true && numbering.isPadded !== true;
  if (isBare && numbering.after === "" && isSame(cleanTitle(name), folderTitle)) return undefined;
  if (numbering !== undefined) return numbering;
  const single = /^(?<before>.+) (?<digit>\d)$/.exec(name);
  const { before = "", digit = "" } = single?.groups ?? {};
  return isSame(cleanTitle(before), folderTitle) ? { number: digit, before, after: "" } : undefined;
}

/**
 * A download program puts a single episode into a folder with the name of the release, and the file may have
 * a random name.
 */
function readReleaseFolder(
  folder: string,
  stem: string,
  own: Numbering | undefined,
): { name: string; numbering: Numbering | undefined } | undefined {
  const name = tidyName(folder);
  const numbering = findNumbering(name);
  const isSingle = numbering?.number != null && !numbering.number.includes("-");
  if (isRandomName(stem)) return isSingle || /\d{3,4}p/.test(folder) ? { name, numbering } : undefined;
  if (isAbbreviated(own, numbering)) return { name, numbering };
  const isStated = own !== undefined && (own.isWeak !== true || /^\p{L}/u.test(own.number ?? ""));
  return isSingle && numbering.isExplicit === true && !isStated ? { name, numbering } : undefined;
}

/** "moss-hna.s01e04" in "Hoshi.no.Ame.S01E04-MOSS": scene groups shorten the names of files. */
function isAbbreviated(own: Numbering | undefined, release: Numbering | undefined): boolean {
  if (own?.isExplicit !== true || release?.isExplicit !== true) return false;
  const isSameEpisode = own.season === release.season && own.number === release.number;
  return isSameEpisode && /^[a-z0-9]+-[a-z0-9]+ ?$/.test(own.before) && release.before.includes(" ");
}

function isRandomName(stem: string): boolean {
  if (/^[0-9a-f]{16,}$/i.test(stem) || /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(stem))
    return true;
  return /^[a-z0-9]{16,}$/i.test(stem) && /\d/.test(stem) && /[a-z]/.test(stem) && /[A-Z]/.test(stem);
}

/** "01 - Title - Name" in a folder that states no title, or among files that all have this title. */
function readFollowingTitle(
  numbering: Numbering | undefined,
  folders: Folders,
  siblings: FolderNames,
): { title: string; season: number | null; episodeTitle: string | null } | undefined {
  if (numbering === undefined || numbering.number === null) return undefined;
  if (folders.title !== undefined && !folders.isCollection && !hasCommonEnd(numbering.after, siblings)) {
    return undefined;
  }
  const [first = "", ...rest] = numbering.after
    .replace(/^[\s.\])】-]+/u, "")
    .split(/\s+-\s+/u)
    .filter((part) => part !== "");
  const season = findSeason(first);
  const title = cleanTitle(season === undefined ? first : season.before);
  if (!/\p{L}/u.test(title)) return undefined;
  return {
    title,
    season: season?.season ?? numbering.season ?? folders.season ?? null,
    episodeTitle: readEpisodeTitle(rest.join(" - ")),
  };
}

/** "Season 4/Title 401": the first digit repeats the season of the folder. */
function withoutSeasonDigit(numbering: Numbering | undefined, folders: Folders): string | null {
  const number = numbering?.number ?? null;
  if (numbering === undefined || numbering.isExplicit === true || !folders.isSeasonFolder) return number;
  if (number === null || !/^[1-9]\d\d$/.test(number) || Number(number[0]) !== folders.season) return number;
  return String(Number(number) % 100);
}

function readEpisodeTitle(following: string): string | null {
  // Sonarr writes the absolute number behind season and episode: "S01E02 - 014 - Name [1080p]-Group".
  const after = withoutTrailingGroup(following.replace(/^\s*- \d{3,4}(?= - \p{L})/u, ""));
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
function readAnilistId(folder: string, numbering: Numbering | undefined, fullName: string): number | null {
  if (!/^[1-9]\d{0,6}$/.test(folder)) return null;
  return cleanTitle(numbering?.before ?? fullName) === folder ? null : Number(folder);
}

/** Paths of Windows are read everywhere, because a library may be indexed on another machine. */
function splitPath(path: string): { names: string[]; stem: string } {
  const { dirname, basename } = /^[a-z]:\\/i.test(path) ? win32 : posix;
  const names: string[] = [];
  for (let folder = dirname(path); basename(folder) !== "" && names.length < 5; folder = dirname(folder)) {
    names.push(basename(folder));
  }
  return { names, stem: withoutExtension(basename(path)) };
}

function isSame(left: string, right: string): boolean {
  return left !== "" && left.localeCompare(right, "en", { sensitivity: "base" }) === 0;
}

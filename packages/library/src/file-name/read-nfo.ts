import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { basename, dirname, extname, join } from "node:path";
import type { X2jOptions } from "fast-xml-parser";
import { ofSeason } from "./numbering-rules.ts";
import { type IdSource, readIdTags, type SeriesIds } from "./series-ids.ts";
import { toEpisodeNumber } from "./written-numbers.ts";

/** The data of NFO files and folder names about a video; undefined where they contain none. */
type MediaInfo = {
  ids: SeriesIds;
  title?: string | undefined;
  season?: number | undefined;
  number?: string | undefined;
  episodeTitle?: string | undefined;
};

const limitBytes = 1024 * 1024;
const parserOptions: X2jOptions = {
  ignoreAttributes: false,
  attributeNamePrefix: "@",
  parseTagValue: false,
  // The parser counts numbers such as &#233; as HTML entities.
  htmlEntities: true,
  // Entities that a file defines could expand without limit.
  processEntities: { enabled: true, maxTotalExpansions: 1000 },
};

/**
 * Reads the NFO files of Kodi, Jellyfin, Sonarr and Radarr beside a video (`NAME.nfo` or `movie.nfo`, and
 * `tvshow.nfo` in its folder or the parent folder), and the ids in the names of its path. A file that cannot
 * be read counts as missing. Format: https://kodi.wiki/view/NFO_files
 */
export async function readMediaInfo(path: string): Promise<MediaInfo> {
  const folder = dirname(path);
  const own =
    (await readNfo(join(folder, `${basename(path, extname(path))}.nfo`))) ??
    (await readNfo(join(folder, "movie.nfo")));
  const series =
    (await readNfo(join(folder, "tvshow.nfo"))) ?? (await readNfo(join(dirname(folder), "tvshow.nfo")));
  const tags = readIdTags(path);
  if (own?.root === "movie") {
    return { ids: { ...readIds(own), ...tags }, title: textOf(own, "title") };
  }
  const show = series?.root === "tvshow" ? series : undefined;
  const episode = own?.root === "episodedetails" ? own : undefined;
  return {
    ids: { ...(show && readIds(show)), ...tags },
    title: textOf(show, "title") ?? textOf(episode, "showtitle"),
    ...numberingOf(episode),
    episodeTitle: textOf(episode, "title"),
  };
}

/** `others` are the further roots of the same name: a file of several episodes has one for each. */
type Nfo = { root: string; fields: Fields; others: Fields[] };
type Fields = Record<string, unknown>;

/** "1-2" for several episodes; season 0 is the specials. */
function numberingOf(episode: Nfo | undefined): Pick<MediaInfo, "season" | "number"> {
  const season = numberOf(episode?.fields, "season");
  const first = numberOf(episode?.fields, "episode");
  if (episode === undefined || first === undefined) return { season: season || undefined };
  const last = Math.max(
    first,
    numberOf(episode.fields, "episodenumberend") ?? first,
    ...episode.others.map((fields) => numberOf(fields, "episode") ?? first),
  );
  const number = toEpisodeNumber(String(first), String(last));
  return season === undefined ? { number } : ofSeason(season, number);
}

async function readNfo(path: string): Promise<Nfo | undefined> {
  const text = await readText(path);
  if (text === undefined) return undefined;
  // Few videos have such a file.
  const { XMLParser } = await import("fast-xml-parser");
  try {
    const document = new XMLParser(parserOptions).parse(text) as Record<string, unknown>;
    // Several episodes in one file are several root elements of one name.
    const root = ["tvshow", "episodedetails", "movie"].find((name) => name in document);
    const [fields, ...others] = root === undefined ? [] : [document[root]].flat().filter(isFields);
    return root !== undefined && fields !== undefined ? { root, fields, others } : undefined;
  } catch {
    return undefined;
  }
}

async function readText(path: string): Promise<string | undefined> {
  try {
    // Without this flag the open of a named pipe waits for a writer.
    await using handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const found = await handle.stat();
    return found.isFile() && found.size <= limitBytes ? await handle.readFile("utf8") : undefined;
  } catch {
    return undefined;
  }
}

/** `<uniqueid type="anidb">23</uniqueid>`, and Jellyfin's `<anidbid>23</anidbid>`. */
function readIds({ fields }: Nfo): SeriesIds {
  const ids: SeriesIds = {};
  for (const one of [fields.uniqueid].flat()) {
    if (isFields(one)) addId(ids, String(one["@type"]).toLowerCase(), one["#text"]);
  }
  for (const source of sources) addId(ids, source, fields[`${source}id`]);
  return ids;
}

const sources: IdSource[] = ["anilist", "anidb", "tvdb"];

function addId(ids: SeriesIds, name: string, written: unknown): void {
  const source = sources.find((one) => one === name);
  const text = textIn(written);
  if (source !== undefined && text !== undefined && /^[1-9]\d{0,8}$/.test(text)) ids[source] ??= Number(text);
}

function textOf(nfo: Nfo | undefined, name: string): string | undefined {
  return textIn(nfo?.fields[name])?.slice(0, 500);
}

function numberOf(fields: Fields | undefined, name: string): number | undefined {
  const text = textIn(fields?.[name]);
  return text !== undefined && /^\d{1,4}$/.test(text) ? Number(text) : undefined;
}

/** The text of the first element of a name; one with attributes has it in a field of its own. */
function textIn(written: unknown): string | undefined {
  const [value] = [written].flat();
  const text = isFields(value) ? value["#text"] : value;
  return typeof text === "string" ? text.trim() || undefined : undefined;
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null;
}

import { open } from "node:fs/promises";
import { basename, dirname, extname, join } from "node:path";
import { XMLParser } from "fast-xml-parser";
import { type IdSource, readIdTags, type SeriesIds } from "./series-ids.ts";

/** The data of NFO files and folder names about a video; undefined where they contain none. */
type MediaInfo = {
  ids: SeriesIds;
  title?: string | undefined;
  season?: number | undefined;
  number?: string | undefined;
  episodeTitle?: string | undefined;
};

const limitBytes = 1024 * 1024;
const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: "@",
  parseTagValue: false,
  // Entities that a file defines could expand without limit.
  processEntities: { enabled: true, maxTotalExpansions: 1000 },
});

/**
 * Reads the NFO files of Kodi, Jellyfin and Sonarr beside a video (`NAME.nfo`, and `tvshow.nfo` in its folder
 * or the parent folder), and the ids in the names of its path. A file that cannot be read counts as missing.
 * Format: https://kodi.wiki/view/NFO_files
 */
export async function readMediaInfo(path: string): Promise<MediaInfo> {
  const folder = dirname(path);
  const own = await readNfo(join(folder, `${basename(path, extname(path))}.nfo`));
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
    season: numberOf(episode, "season"),
    number: numberOf(episode, "episode")?.toString(),
    episodeTitle: textOf(episode, "title"),
  };
}

type Nfo = { root: string; fields: Record<string, unknown> };

async function readNfo(path: string): Promise<Nfo | undefined> {
  const text = await readText(path);
  if (text === undefined) return undefined;
  try {
    const document = parser.parse(text) as Record<string, unknown>;
    // Several episodes in one file are several root elements of one name.
    const root = ["tvshow", "episodedetails", "movie"].find((name) => name in document);
    const fields = root === undefined ? undefined : [document[root]].flat()[0];
    return root !== undefined && isFields(fields) ? { root, fields } : undefined;
  } catch {
    return undefined;
  }
}

async function readText(path: string): Promise<string | undefined> {
  try {
    const handle = await open(path);
    try {
      const { size } = await handle.stat();
      return size > limitBytes ? undefined : await handle.readFile("utf8");
    } finally {
      await handle.close();
    }
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
  if (source !== undefined && /^\s*[1-9]\d{0,8}\s*$/.test(String(written))) ids[source] ??= Number(written);
}

function textOf(nfo: Nfo | undefined, name: string): string | undefined {
  const value = [nfo?.fields[name]].flat()[0];
  return typeof value === "string" ? value.trim().slice(0, 500) || undefined : undefined;
}

function numberOf(nfo: Nfo | undefined, name: string): number | undefined {
  const text = textOf(nfo, name);
  return text !== undefined && /^\d{1,4}$/.test(text) ? Number(text) : undefined;
}

function isFields(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

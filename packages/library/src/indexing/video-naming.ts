import { readdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import type { Database, Episode, EpisodeNaming } from "@koma/database";
import { type FolderNames, readFolderNames } from "../file-name/compare-siblings.ts";
import { parseVideoPath, type VideoName } from "../file-name/parse-video-path.ts";
import { readMediaInfo } from "../file-name/read-nfo.ts";
import { type SeriesIds, withoutIdTags } from "../file-name/series-ids.ts";
import { normaliseTitle, seasonKey } from "../titles/normalise-title.ts";
import { isVideoName } from "./discover-videos.ts";
import type { IndexOptions } from "./index-event.ts";

/**
 * Names videos by their paths and by the options of the user. `toLocal` finds the files beside a video whose
 * stored path belongs to another machine.
 */
export function createVideoNaming(
  database: Database,
  o: NamingOptions,
  toLocal: (path: string) => string | undefined = (path) => path,
) {
  const isExplicit = [o.title, o.season, o.episode, o.anilistId].some((value) => value !== undefined);
  const readName = createNameReader(o, toLocal);
  return {
    /** True when the user set a name, so a known video may need it. */
    isExplicit,

    /** Returns the anime (created when new), season and number of the video at a path. */
    async resolve(path: string): Promise<EpisodeNaming> {
      const { title, season, number, episodeTitle, ids } = await readName(path);
      const named = { title, season, ids, isSample: o.isSample };
      const { animeId, isOwnSeason } = await findNamedAnime(database, named);
      return { animeId, season: isOwnSeason ? null : season, number, title: episodeTitle };
    },
  };
}

/**
 * Returns the anime of a title and a season, by an id where there is one; it is created when new. `isOwnSeason`:
 * metadata lists the season as an anime of its own.
 */
export async function findNamedAnime(
  database: Database,
  named: { title: string; season: number | null; ids: SeriesIds; isSample?: boolean | undefined },
): Promise<{ animeId: string; isOwnSeason: boolean }> {
  const { title, season, ids, isSample } = named;
  const { anilist: anilistId, anidb, tvdb } = ids;
  const plainKey = normaliseTitle(title);
  if (anilistId !== undefined) {
    const anime = await database.anime.findOrCreate({ key: `anilist:${anilistId}`, anilistId, title });
    return { animeId: anime.id, isOwnSeason: false };
  }
  const idKey = anidb !== undefined ? `anidb:${anidb}` : tvdb !== undefined ? `tvdb:${tvdb}` : undefined;
  if (idKey !== undefined) {
    const anime = await database.anime.findOrCreate({ key: idKey, title });
    return { animeId: anime.id, isOwnSeason: false };
  }
  if (season !== null && season > 1 && isSample !== true) {
    const own = await database.anime.findByKey(seasonKey(plainKey, season));
    if (own !== undefined) return { animeId: own.id, isOwnSeason: true };
  }
  const key = isSample === true ? `sample:${plainKey}` : plainKey;
  const anime = await database.anime.findOrCreate({ key, title, isSample });
  return { animeId: anime.id, isOwnSeason: false };
}

/**
 * Returns a function that reads the names of the videos in a folder. It remembers the last folder until that
 * changes, because the videos of a folder are named one after the other.
 */
function createFolderReader(): (folder: string) => Promise<FolderNames> {
  let last: { folder: string; changedAtMs: number; names: FolderNames } | undefined;
  return async (folder) => {
    try {
      const { mtimeMs: changedAtMs } = await stat(folder);
      if (last?.folder === folder && last.changedAtMs === changedAtMs) return last.names;
      const fileNames = await readdir(folder);
      const videos = fileNames.filter(isVideoName);
      last = { folder, changedAtMs, names: readFolderNames(videos.map(withoutIdTags)) };
      return last.names;
    } catch {
      // The folder may be on another machine; the name of the video must suffice.
      return { names: [] };
    }
  };
}

/** The name of a video by its path, the files beside it and the options of the user. */
export type ReadName = Pick<VideoName, "title" | "season" | "number" | "episodeTitle"> & { ids: SeriesIds };

/** Returns a function that reads the name of a video without a database. */
export function createNameReader(
  o: NamingOptions,
  toLocal: (path: string) => string | undefined = (path) => path,
): (path: string) => Promise<ReadName> {
  const listFolder = createFolderReader();
  return async (path) => {
    const localPath = toLocal(path) ?? path;
    const name = parseVideoPath(withoutIdTags(path), await listFolder(dirname(localPath)));
    const info = await readMediaInfo(localPath);
    const ids = o.title === undefined ? withAnilistId(info.ids, name.anilistId) : {};
    return {
      title: o.title?.trim() || info.title || name.title,
      season: o.season ?? info.season ?? name.season,
      number: o.episode?.trim() || info.number || name.number,
      episodeTitle: info.episodeTitle ?? name.episodeTitle,
      ids: withAnilistId(ids, o.anilistId ?? null),
    };
  };
}

type NamingOptions = Pick<IndexOptions, "title" | "season" | "episode" | "anilistId" | "isSample">;

export type VideoNaming = ReturnType<typeof createVideoNaming>;

/** True when an episode already has this naming. */
export function isNamed(episode: Episode, naming: EpisodeNaming): boolean {
  return (
    episode.animeId === naming.animeId &&
    episode.season === naming.season &&
    episode.number === naming.number &&
    episode.title === naming.title
  );
}

/** An AniList id from the user has priority over one from a file. */
function withAnilistId(ids: SeriesIds, anilistId: number | null): SeriesIds {
  return anilistId === null ? ids : { ...ids, anilist: anilistId };
}

import type { Anime, AnimeMetadata, Database } from "@koma/database";
import { parseVideoPath } from "../file-name/parse-video-path.ts";
import { type LibraryEntry, listEntries } from "../library-entry.ts";
import type { ProgressOptions } from "../progress-options.ts";
import { normaliseTitle, seasonKey } from "../titles/normalise-title.ts";
import type { TitleQuery } from "../titles/title-matcher.ts";

/** The number of anime of the library with metadata, and the titles without a match. */
export type MetadataResult = { matched: number; unmatched: string[] };

/**
 * An anime that lacks metadata, or one of its later seasons, which metadata may list as an anime of its own.
 */
export type MetadataTarget = TitleQuery & LibraryEntry;

/** Returns all anime of the library except the samples, and each of their later seasons. */
export async function listMetadataTargets(database: Database): Promise<MetadataTarget[]> {
  const entries = await listEntries(database, { isSample: false });
  return entries.flatMap(({ anime, episodes }) => {
    const title = anime.titleRomaji ?? anime.titleEnglish ?? anime.titleNative ?? "";
    const whole = { id: anime.id, title, anilistId: anime.anilistId ?? undefined, anime, episodes };
    const seasons = [...new Set(episodes.map((episode) => episode.season ?? 1))].filter(
      (season) => season > 1,
    );
    const later = seasons.map((season) => ({
      id: `${anime.id} ${season}`,
      title,
      season,
      anime,
      episodes: episodes.filter((episode) => episode.season === season),
    }));
    return [whole, ...later];
  });
}

/**
 * Writes the metadata of the targets, by their ids. A season that is found as its own anime receives its
 * episodes.
 */
export async function applyMetadata(
  database: Database,
  targets: readonly MetadataTarget[],
  found: ReadonlyMap<string, AnimeMetadata>,
  o: ProgressOptions = {},
): Promise<MetadataResult> {
  const result: MetadataResult = { matched: 0, unmatched: [] };
  let done = 0;
  const next = (): void => {
    o.signal?.throwIfAborted();
    o.onProgress?.({ done, total: targets.length });
    done += 1;
  };
  // Seasons first: their anime may merge with another one and lose its id.
  for (const target of targets) {
    if (target.season === undefined) continue;
    next();
    const metadata = found.get(target.id);
    if (metadata === undefined) continue;
    if (isSameWork(metadata, found.get(target.anime.id) ?? target.anime)) continue;
    await splitSeason(database, target, target.season, metadata);
    result.matched += 1;
  }
  for (const target of targets) {
    if (target.season !== undefined) continue;
    next();
    const metadata = found.get(target.id);
    if (metadata !== undefined) {
      await database.anime.applyMetadata(target.id, metadata);
      result.matched += 1;
    } else if (target.anime.metadataAt === null && !isWhollySplit(target, targets, found)) {
      result.unmatched.push(target.title);
    }
  }
  o.onProgress?.({ done, total: targets.length });
  return result;
}

async function splitSeason(
  database: Database,
  target: MetadataTarget,
  season: number,
  metadata: AnimeMetadata,
): Promise<void> {
  // Names under which files of this season look up their anime when they are indexed again.
  const files = target.episodes.filter(({ packName }) => packName === null);
  const titles = [target.title, ...files.map(({ path }) => parseVideoPath(path).title)];
  const keys = new Set(titles.map((title) => seasonKey(normaliseTitle(title), season)));
  const anilistId = metadata.anilistId ?? undefined;
  // An operator merged the season into this anime.
  for (const key of anilistId === undefined ? keys : [...keys, `anilist:${anilistId}`])
    if ((await database.anime.findByKey(key))?.id === target.anime.id) return;
  let own: Anime | undefined;
  for (const key of keys) {
    const title = metadata.titleRomaji ?? key;
    const anime = await database.anime.findOrCreate({ key, title, anilistId });
    own = (await database.anime.applyMetadata(anime.id, metadata)) ?? anime;
    if (anilistId === undefined) break;
  }
  if (own === undefined) return;
  const ids = target.episodes.map((episode) => episode.id);
  await database.episodes.reassign(ids, { animeId: own.id, season: null });
}

function isSameWork(left: AnimeMetadata, right: AnimeMetadata): boolean {
  return left.anilistId !== null && right.anilistId !== null
    ? left.anilistId === right.anilistId
    : left.titleRomaji === right.titleRomaji;
}

function isWhollySplit(
  target: MetadataTarget,
  targets: readonly MetadataTarget[],
  found: ReadonlyMap<string, AnimeMetadata>,
): boolean {
  const seasons = targets.filter((other) => other.anime === target.anime && other.season !== undefined);
  const moved = seasons.filter((season) => found.has(season.id)).flatMap((season) => season.episodes);
  return moved.length === target.episodes.length;
}

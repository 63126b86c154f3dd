import type { Database } from "@koma/database";
import { findNamedAnime } from "../indexing/video-naming.ts";
import { normaliseTitle } from "../titles/normalise-title.ts";
import { cleanText, type PackAnime, toPackAnime } from "./pack-anime.ts";
import { PackError } from "./pack-error.ts";

/**
 * Returns the anime of an episode of a pack and its season there: the one with its AniList id, otherwise the one
 * with its title, as for videos, otherwise a new one with the titles and ids of the pack. An anime that exists stays
 * as it is.
 */
export async function findPackAnime(
  database: Database,
  named: { title: string; season: number | null; anime?: PackAnime | undefined },
): Promise<{ animeId: string; season: number | null }> {
  const { season } = named;
  const title = cleanText(named.title, 500);
  const key = normaliseTitle(title);
  if (title === "" || key === "") throw new PackError("An episode of the pack has no title.");
  const details = named.anime && toPackAnime(named.anime);
  const anilistId = details?.anilistId ?? undefined;
  const known = await database.anime.findByKey(key);
  if (anilistId === undefined) {
    if (known === undefined && details !== undefined)
      await database.anime.findOrCreate({ key, title, details });
    const { animeId, isOwnSeason } = await findNamedAnime(database, { title, season, ids: {} });
    return { animeId, season: isOwnSeason ? null : season };
  }
  // Another work has this title.
  const isOther = known !== undefined && known.anilistId !== null && known.anilistId !== anilistId;
  const hasId =
    (await database.anime.findByAnilistId(anilistId)) ??
    (await database.anime.findByKey(`anilist:${anilistId}`));
  const owned = hasId !== undefined || isOther ? `anilist:${anilistId}` : key;
  const { id } = await database.anime.findOrCreate({ key: owned, anilistId, title, details });
  return { animeId: id, season };
}

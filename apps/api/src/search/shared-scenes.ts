import type { Anime, Episode } from "@koma/contract";
import type { Database } from "@koma/database";
import { presentAnime, presentEpisode } from "@koma/library";
import { StoredScene } from "./stored-scene.ts";

/** The confirmed scene of a search that everyone may see. */
export type SharedScene = { anime: Anime; episode: Episode | null; episodeId: string; timestamp: number };

export type SharedScenes = ReturnType<typeof createSharedScenes>;

/** Finds the confirmed scenes of public searches. Scenes of adult anime are not shared. */
export function createSharedScenes({ database }: { database: Database }) {
  return {
    /** The scene of a search; undefined for an unknown, private, unconfirmed or adult one. */
    async find(id: string): Promise<SharedScene | undefined> {
      const search = await database.searches.findListed(id);
      if (search === undefined) return undefined;
      const { episode, timestamp } = StoredScene.parse(search.match);
      return {
        anime: presentAnime(search.anime),
        episode: presentEpisode(episode),
        episodeId: episode.id,
        timestamp,
      };
    },
  };
}

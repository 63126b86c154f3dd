import { Match, Occurrence, type Surroundings } from "@koma/contract";
import type { Anime, Database, JsonObject, StoredMatch } from "@koma/database";
import {
  type LibraryMatch,
  PreviewGoneError,
  type Previews,
  presentAnime,
  presentMatch,
} from "@koma/library";
import { z } from "zod";
import type { PreviewAddresses } from "../previews/preview-addresses.ts";

const StoredEpisode = z.object({
  id: z.string(),
  season: z.int().nullable(),
  number: z.string().nullable(),
  title: z.string().nullable(),
  hasVideo: z.boolean().optional(),
});

/** A match as it is stored with a search: the fields that are needed to show it again. */
export const StoredScene = Match.pick({
  rank: true,
  timestamp: true,
  from: true,
  to: true,
  // Searches of earlier versions do not have these three; they have defaults.
  looksSameFrom: true,
  looksSameTo: true,
  label: true,
  similarity: true,
  isConfident: true,
  isMirrored: true,
  region: true,
  recurring: true,
}).extend({
  animeId: z.string(),
  episode: StoredEpisode,
  durationSeconds: z.number(),
  /** Searches of earlier versions do not have this field. */
  otherOccurrences: z.array(Occurrence.extend({ episode: StoredEpisode })).default([]),
});

/** The stored form of a match: its fields that `StoredScene` has. */
export function toStoredMatch(match: LibraryMatch): StoredMatch {
  return StoredScene.parse({ ...match, animeId: match.anime.id });
}

/** Shots up to this far from the timestamp surround it. */
const surroundingSeconds = 30;

export type StoredScenes = ReturnType<typeof createStoredScenes>;

/** Restores stored matches for responses. */
export function createStoredScenes(options: {
  database: Database;
  addresses: PreviewAddresses;
  listShots: Previews["listShots"];
}) {
  const { database, addresses } = options;
  return {
    /**
     * Loads the anime of stored matches. Returns a function that restores a match with new preview addresses
     * and the current anime data; it returns undefined for matches of deleted anime.
     */
    async open(matches: readonly StoredMatch[]): Promise<(match: StoredMatch) => Match | undefined> {
      const anime = await database.anime.resolve([...new Set(matches.map(({ animeId }) => animeId))]);
      return (match) => {
        const known = anime.get(match.animeId);
        if (match.upstream !== undefined) return showUpstream(match.upstream, known);
        return known === undefined ? undefined : show(match, known);
      };
    },

    /** Restores a stored match of this anime. */
    show,

    /** The shots and clips around a stored match; none when its episode is gone, and of another service. */
    async surround(match: StoredMatch): Promise<Surroundings> {
      if (match.upstream !== undefined) return { shots: [], clips: [], occurrences: [] };
      const scene = StoredScene.parse(match);
      const fromSeconds = scene.timestamp - surroundingSeconds;
      const toSeconds = scene.timestamp + surroundingSeconds;
      try {
        const shots = await options.listShots(scene.episode.id, { fromSeconds, toSeconds });
        return addresses.describeSurroundings(scene, shots);
      } catch (error) {
        if (error instanceof PreviewGoneError) return { shots: [], clips: [], occurrences: [] };
        throw error;
      }
    },
  };

  /** The stored match of another service, with the current data of its anime if the library has it. */
  function showUpstream(stored: JsonObject, anime: Anime | undefined): Match {
    const match = Match.parse(stored);
    return anime === undefined ? match : { ...match, anime: presentAnime(anime) };
  }

  function show(match: StoredMatch, anime: Anime): Match {
    const scene = StoredScene.parse(match);
    return presentMatch({ ...scene, anime }, addresses.describe(scene));
  }
}

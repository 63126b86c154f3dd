import type { SceneSpeaker } from "./speaker.ts";

/** The parts of an episode that name it, as the service answers them. */
export interface EpisodeParts {
  readonly season: number | null;
  readonly number: number | string | null;
  readonly title: string | null;
}

/** How alike picture and scene are, in words: `sure`, `likely`, or perhaps just a `lookAlike`. */
export function likenessOf(match: {
  similarity: number;
  isConfident: boolean;
}): "sure" | "likely" | "lookAlike" {
  if (!match.isConfident) return "lookAlike";
  return match.similarity >= 0.95 ? "sure" : "likely";
}

/** `Almost certain · 97.3%`. */
export function sayLikeness(
  speaker: SceneSpeaker,
  match: { similarity: number; isConfident: boolean },
): string {
  return speaker.say(`scene.likeness.${likenessOf(match)}`, { share: match.similarity });
}

/** `Season 2, episode 3 “Title”`; what is not known is left out, and nothing is left where nothing is known. */
export function sayEpisode(speaker: SceneSpeaker, episode: EpisodeParts | null): string | undefined {
  const name = sayNumber(speaker, episode);
  const title = episode?.title ?? undefined;
  if (name === undefined) return title;
  return title === undefined ? name : speaker.say("scene.episodeTitle", { episode: name, title });
}

/** The kind of anime (`TV`, `MOVIE`, …) in words; unknown ones as they are. */
export function sayKind(speaker: SceneSpeaker, format: string): string {
  return isKind(format) ? speaker.say(`scene.kind.${format}`) : format;
}

function sayNumber({ say }: SceneSpeaker, episode: EpisodeParts | null): string | undefined {
  const { season, number } = episode ?? { season: null, number: null };
  if (number === null) return season === null ? undefined : say("scene.season", { season });
  if (typeof number === "string" && !/^\d/.test(number)) {
    return season === null ? number : `${say("scene.season", { season })}, ${number}`;
  }
  const isSeveral = typeof number === "string" && /[-–~,&+]/.test(number);
  if (season === null) return say(isSeveral ? "scene.episodes" : "scene.episode", { number });
  return say(isSeveral ? "scene.seasonEpisodes" : "scene.seasonEpisode", { season, number });
}

const kinds = ["TV", "TV_SHORT", "MOVIE", "SPECIAL", "OVA", "ONA", "MUSIC"] as const;

function isKind(format: string): format is (typeof kinds)[number] {
  return (kinds as readonly string[]).includes(format);
}

import type { Anime, Episode } from "@koma/contract";
import { chooseSecondTitle, chooseTitle, sayEpisode, sayKind } from "@koma/messages/page";
import { say, words } from "../state/language.ts";

/** The title of an anime for the reader. */
export function sayTitle(anime: Anime): string {
  return chooseTitle(anime.title, words().language);
}

/** A second title, kind and year; what is not known is left out. */
export function sayAbout(anime: Anime): string {
  const speaker = words();
  const kind = anime.format === null ? undefined : sayKind(speaker, anime.format);
  const parts = [chooseSecondTitle(anime.title, speaker.language), kind, anime.year?.toString()];
  return parts.filter((part) => part !== undefined).join(" · ");
}

/** The episode in words. */
export function sayEpisodeOf(episode: Episode | null): string {
  return sayEpisode(words(), episode) ?? say("scene.episodeUnknown");
}

/** What a still shows, for those who do not see it. */
export function sayStill(scene: { anime: Anime; episode: Episode | null; timestamp: number }): string {
  const anime = sayTitle(scene.anime);
  const episode = sayEpisode(words(), scene.episode);
  if (episode === undefined) return say("scene.previewOf", { anime, at: scene.timestamp });
  return say("scene.previewOfEpisode", { anime, episode, at: scene.timestamp });
}

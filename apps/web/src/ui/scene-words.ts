import type { Anime, Episode, Match } from "@koma/contract";
import {
  chooseSecondTitle,
  chooseTitle,
  describeOutcome,
  formatEpisode,
  formatKind,
  formatOccurrences,
} from "@koma/messages/page";
import { t, words } from "../state/language.ts";

/** The title of an anime in the reader's language. */
export function formatTitle(anime: Anime): string {
  return chooseTitle(anime.title, words().language);
}

/** The second title, kind and year, as far as they are known. */
export function describeAbout(anime: Anime): string {
  const translator = words();
  const kind = anime.format === null ? undefined : formatKind(translator, anime.format);
  const parts = [chooseSecondTitle(anime.title, translator.language), kind, anime.year?.toString()];
  return parts.filter((part) => part !== undefined).join(" · ");
}

/** The second title, kind, year and studios, as far as they are known. */
export function describeWork(anime: Anime): string {
  // Isolated (UAX #9), because neighbouring Latin names would be read as one in a text from right to left.
  const studios = (anime.studios ?? []).map((studio) => `\u2068${studio}\u2069`);
  return [describeAbout(anime), ...studios].filter((part) => part !== "").join(" · ");
}

/** The episode in words. */
export function formatEpisodeOf(episode: Episode | null): string {
  return formatEpisode(words(), episode) ?? t("scene.episodeUnknown");
}

/** The episode of a match and the other ones with the same shot, in words. */
export function formatEpisodesOf({ episode, otherOccurrences }: Match): string {
  const others = otherOccurrences.map((occurrence) => occurrence.episode);
  return formatOccurrences(words(), episode, others) ?? t("scene.episodeUnknown");
}

/** The title, episode and time of a match in one line. */
export function nameMatch({
  anime,
  episode,
  timestamp: at,
}: Pick<Match, "anime" | "episode" | "timestamp">): string {
  const title = formatTitle(anime);
  const numbered = formatEpisode(words(), episode);
  if (numbered === undefined) return t("web.result.headlineAnime", { anime: title, at });
  return t("web.result.headline", { anime: title, episode: numbered, at });
}

/** The statement that an image is not in the library, or not in the anime that the search was limited to. */
export function formatAbsence(onlyIn: Anime | undefined): string {
  if (onlyIn === undefined) return describeOutcome(words(), "not_in_library").title;
  return t("web.result.absentIn", { anime: formatTitle(onlyIn) });
}

/** The alternative text of a still. */
export function describeStill(scene: { anime: Anime; episode: Episode | null; timestamp: number }): string {
  const anime = formatTitle(scene.anime);
  const episode = formatEpisode(words(), scene.episode);
  if (episode === undefined) return t("scene.previewOf", { anime, at: scene.timestamp });
  return t("scene.previewOfEpisode", { anime, episode, at: scene.timestamp });
}

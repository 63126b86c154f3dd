import type { Match } from "@koma/contract";
import {
  chooseSecondTitle,
  chooseTitle,
  durationOf,
  formatEpisode,
  formatKind,
  formatLabel,
  formatOccurrences,
} from "@koma/messages/page";
import { translator } from "../scene-texts.ts";

/** The words for a match. */
export function describeMatch(match: Match) {
  const { anime, episode, timestamp } = match;
  const title = chooseTitle(anime.title, translator.language);
  const kind = anime.format === null ? undefined : formatKind(translator, anime.format);
  const about = [chooseSecondTitle(anime.title, translator.language), kind, anime.year?.toString()];
  const others = match.otherOccurrences.map((occurrence) => occurrence.episode);
  const duration = durationOf(match);
  const episodeName = formatEpisode(translator, episode);
  return {
    title,
    about: about.filter((part) => part !== undefined).join(" · "),
    episode: formatOccurrences(translator, episode, others) ?? translator.t("scene.episodeUnknown"),
    time: translator.formatTime(timestamp),
    duration: duration === undefined ? undefined : translator.formatTime(duration),
    label: formatLabel(translator, match),
    alternative:
      episodeName === undefined
        ? translator.t("scene.previewOf", { anime: title, at: timestamp })
        : translator.t("scene.previewOfEpisode", { anime: title, episode: episodeName, at: timestamp }),
    copy: [title, episodeName, translator.formatTime(timestamp)]
      .filter((part) => part !== undefined)
      .join(", "),
  };
}

/** The pages of an anime on other sites. */
export function listSites({ anilistId, malId }: Match["anime"]): { name: string; address: string }[] {
  const sites = [];
  if (anilistId !== null) sites.push({ name: "AniList", address: `https://anilist.co/anime/${anilistId}` });
  if (malId !== null) sites.push({ name: "MyAnimeList", address: `https://myanimelist.net/anime/${malId}` });
  return sites;
}

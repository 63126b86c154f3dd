import type { Match } from "@koma/contract";
import { type BotSpeaker, chooseSecondTitle, chooseTitle, sayEpisode, sayLikeness } from "@koma/messages";
import type { MatchCard } from "../model/reply.ts";
import type { Result } from "./kept-results.ts";

/** One match in words. */
export function describeMatch(result: Result, match: Match, speaker: BotSpeaker): MatchCard {
  const { say, language } = speaker;
  const { anime, rank, recurring } = match;
  const { confirmedRank } = result;
  return {
    ...{ rank, count: result.content.matches.length, hasSpoiler: result.content.hasSpoiler },
    title: chooseTitle(anime.title, language),
    subtitle: chooseSecondTitle(anime.title, language),
    episodeLine: sayEpisode(speaker, match.episode),
    timeLine: sayTime(match, speaker),
    similarityLine: sayLikeness(speaker, match),
    notes: [
      ...(recurring === null ? [] : [say("scene.recurring", { count: recurring.episodes })]),
      ...(match.isMirrored ? [say("scene.mirrored")] : []),
    ],
    ...{ isConfident: match.isConfident, isAdult: anime.isAdult, links: listLinks(match) },
    confirmation:
      confirmedRank === null
        ? undefined
        : confirmedRank === 0
          ? "none"
          : confirmedRank === rank
            ? "this"
            : "other",
  };
}

function sayTime({ timestamp, from, to, duration }: Match, { say }: BotSpeaker): string {
  const at = say("scene.at", { at: timestamp, duration });
  return Math.floor(from) === Math.floor(to) ? at : `${at} (${say("scene.range", { from, to })})`;
}

/** What a preview shows, for people who cannot see it; no more than its spoiler mark lets others see. */
export function describePreview(
  { content: { hasSpoiler } }: Result,
  { anime, episode, timestamp }: Match,
  speaker: BotSpeaker,
): string {
  if (hasSpoiler) return speaker.say("scene.previewHidden");
  const named = { anime: chooseTitle(anime.title, speaker.language), at: timestamp };
  const written = sayEpisode(speaker, episode);
  return written === undefined
    ? speaker.say("scene.previewOf", named)
    : speaker.say("scene.previewOfEpisode", { ...named, episode: written });
}

/** The anime at other sites. */
export function listLinks({ anime: { anilistId, malId } }: Match): { label: string; url: string }[] {
  return [
    ...(anilistId === null ? [] : [{ label: "AniList", url: `https://anilist.co/anime/${anilistId}` }]),
    ...(malId === null ? [] : [{ label: "MyAnimeList", url: `https://myanimelist.net/anime/${malId}` }]),
  ];
}

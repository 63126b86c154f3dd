import type { Anime, Match } from "@koma/contract";
import {
  type BotTranslator,
  chooseSecondTitle,
  chooseTitle,
  claimsOf,
  durationOf,
  formatEpisode,
  formatKind,
  formatLabel,
  formatOccurrences,
  formatSimilarity,
} from "@koma/messages";
import type { MatchCard } from "../model/reply.ts";
import { isPublicAddress, publicPreview } from "../replies/public-address.ts";
import { isRejected, listCandidates } from "./candidates.ts";
import type { Result } from "./saved-results.ts";

/** One match as text. */
export function describeMatch(result: Result, match: Match, translator: BotTranslator): MatchCard {
  const { t, language } = translator;
  const { anime, rank, recurring, source } = match;
  return {
    rank,
    count: listCandidates(result).length,
    hasSpoiler: result.content.hasSpoiler,
    title: chooseTitle(anime.title, language),
    subtitle: chooseSecondTitle(anime.title, language),
    workLine: formatWork(translator, anime),
    coverUrl: result.content.hasSpoiler ? undefined : findCover(match),
    episodeLine: formatOccurrences(
      translator,
      match.episode,
      match.otherOccurrences.map(({ episode }) => episode),
    ),
    timeLine: describeTime(match, translator),
    similarityLine: formatSimilarity(translator, match),
    notes: [
      ...(source === null ? [] : [t("scene.source", { source: source.name })]),
      ...(recurring === null ? [] : [t("scene.recurring", { count: recurring.episodes })]),
      ...(claimsOf(match).isMirrored ? [t("scene.mirrored")] : []),
      ...(match.previewPaths?.clips === null ? [t("scene.noVideo")] : []),
    ],
    isConfident: match.isConfident,
    isAdult: anime.isAdult,
    links: [...listLinks(match), ...listSources(match)],
    confirmation: describeConfirmation(result, match),
  };
}

function describeConfirmation(result: Result, match: Match): MatchCard["confirmation"] {
  if (isRejected(result, match)) return "none";
  if (result.confirmedRank === null) return undefined;
  return result.confirmedRank === match.rank ? "this" : "other";
}

/** The time, and the named part of the episode: `At 1:04 of 23:55 · Opening`. */
function describeTime(match: Match, translator: BotTranslator): string {
  const label = formatLabel(translator, match);
  const time = formatMatchTime(match, translator);
  return label === undefined ? time : `${time} · ${label}`;
}

function formatMatchTime(match: Match, { t }: BotTranslator): string {
  const { timestamp: at, from, to } = match;
  const duration = durationOf(match);
  const isMoment = Math.floor(from) === Math.floor(to);
  if (duration === undefined)
    return isMoment ? t("scene.atOnly", { at }) : t("scene.atOnlyInRange", { at, from, to });
  return isMoment ? t("scene.at", { at, duration }) : t("scene.atInRange", { at, duration, from, to });
}

/** The public address of the anime's cover, beside the previews of the site. */
function findCover({ anime: { coverPath }, imageUrl }: Match): string | undefined {
  return coverPath ? publicPreview(imageUrl, coverPath) : undefined;
}

/** An anime can have many studios; the first ones are the main ones. */
const studioLimit = 2;

/** `TV series · 1998 · Sunrise`; undefined if nothing is known. */
export function formatWork(
  translator: BotTranslator,
  { format, year, studios = [] }: Pick<Anime, "format" | "year" | "studios">,
): string | undefined {
  const kind = format === null ? null : formatKind(translator, format);
  const facts: (string | number | null)[] = [kind, year, ...studios.slice(0, studioLimit)];
  return facts.filter((fact) => fact !== null).join(" · ") || undefined;
}

/** The text alternative of a preview. It does not reveal what a spoiler mark hides. */
export function describePreview(
  { content: { hasSpoiler } }: Result,
  { anime, episode, timestamp }: Match,
  translator: BotTranslator,
): string {
  if (hasSpoiler) return translator.t("scene.previewHidden");
  const named = { anime: chooseTitle(anime.title, translator.language), at: timestamp };
  const written = formatEpisode(translator, episode);
  return written === undefined
    ? translator.t("scene.previewOf", named)
    : translator.t("scene.previewOfEpisode", { ...named, episode: written });
}

/** The page of the other service that found a match, if platforms accept its address. */
function listSources({ source }: Match): { label: string; url: string }[] {
  if (source === null || !isPublicAddress(source.url)) return [];
  return [{ label: source.name, url: source.url }];
}

/** Links to the anime on other sites. */
export function listLinks({
  anime: { anilistId, malId },
}: Pick<Match, "anime">): { label: string; url: string }[] {
  return [
    ...(anilistId === null ? [] : [{ label: "AniList", url: `https://anilist.co/anime/${anilistId}` }]),
    ...(malId === null ? [] : [{ label: "MyAnimeList", url: `https://myanimelist.net/anime/${malId}` }]),
  ];
}

import type { TFunction } from "i18next";
import type { SceneTranslator } from "./translator.ts";

/** The fields that identify an episode, in the API's form. */
export interface EpisodeParts {
  readonly season: number | null;
  readonly number: number | string | null;
  readonly title: string | null;
}

/** The similarity of image and scene in words: `sure`, `likely`, or only a `lookAlike`. */
export function likenessOf(match: {
  similarity: number;
  isConfident: boolean;
}): "sure" | "likely" | "lookAlike" {
  if (!match.isConfident) return "lookAlike";
  return match.similarity >= 0.95 ? "sure" : "likely";
}

/** The heading and the text of a search without a certain scene, the same on the page and in every chat. */
export function describeOutcome(
  translator: SceneTranslator,
  outcome: "uncertain" | "not_in_library",
): { title: string; text: string } {
  const t = sceneText(translator);
  if (outcome === "uncertain") {
    return { title: t("scene.outcome.uncertain.title"), text: t("scene.outcome.uncertain.text") };
  }
  return { title: t("scene.outcome.notInLibrary.title"), text: t("scene.outcome.notInLibrary.text") };
}

/** What is said of the searched image: that it is mirrored, and the part that shows the scene. */
export interface ImageClaims<Region> {
  readonly isMirrored: boolean;
  readonly region: Region | null;
}

/** The claims about the searched image that a match supports: none if it is uncertain, no part that is nearly all. */
export function claimsOf<Region extends { width: number; height: number }>(
  match: ImageClaims<Region> & { isConfident: boolean },
): ImageClaims<Region> {
  const { region } = match;
  if (!match.isConfident) return { isMirrored: false, region: null };
  const isPart = region !== null && region.width * region.height <= 0.95;
  return { isMirrored: match.isMirrored, region: isPart ? region : null };
}

/**
 * The duration of the video of a match; undefined if the other service that found it does not state one. The end of
 * the scene then replaces it.
 */
export function durationOf(match: {
  to: number;
  duration: number;
  source?: object | null;
}): number | undefined {
  return match.source && match.duration <= match.to ? undefined : match.duration;
}

/** The named part of the episode that a match is in; undefined without one, and from a server of an earlier version. */
export function formatLabel(
  translator: SceneTranslator,
  { label }: { label?: "opening" | "ending" | "preview" | "pv" | null },
): string | undefined {
  return label ? sceneText(translator)(`scene.label.${label}`) : undefined;
}

/** `Almost certain · 97.3%`; a look-alike of 0 % is named without a number. */
export function formatSimilarity(
  translator: SceneTranslator,
  match: { similarity: number; isConfident: boolean },
): string {
  const t = sceneText(translator);
  const likeness = likenessOf(match);
  if (likeness === "lookAlike" && match.similarity < leastShown) return t("scene.likeness.lookAlikeOnly");
  return t(`scene.likeness.${likeness}`, { share: match.similarity });
}

/** Smaller shares are rounded down to 0 %. */
const leastShown = 0.001;

/** `Season 2, episode 3 “Title”`; unknown parts are omitted, and the result is empty without known parts. */
export function formatEpisode(translator: SceneTranslator, episode: EpisodeParts | null): string | undefined {
  const name = formatEpisodeNumber(translator, episode);
  const title = episode?.title ?? undefined;
  if (name === undefined) return title;
  return title === undefined ? name : sceneText(translator)("scene.episodeTitle", { episode: name, title });
}

/**
 * An episode and the other ones with the same shot: `Episode 1, also 2 to 12 · Season 2, episodes 1 to 3 · OVA 2`.
 * Each episode is named once, in order; unknown ones are omitted. The result is empty without known parts.
 */
export function formatOccurrences(
  translator: SceneTranslator,
  episode: EpisodeParts | null,
  others: readonly (EpisodeParts | null)[],
): string | undefined {
  const t = sceneText(translator);
  const own = formatEpisode(translator, episode);
  const isOwn = (other: EpisodeParts) =>
    other.number === episode?.number && seasonOf(other) === seasonOf(episode);
  const numbersOfSeasons = new Map<number, Set<number>>();
  const named = new Set<string>();
  for (const other of others) {
    if (other === null || isOwn(other)) continue;
    const season = seasonOf(other);
    if (typeof other.number === "number") {
      numbersOfSeasons.set(season, (numbersOfSeasons.get(season) ?? new Set()).add(other.number));
    } else {
      const name = formatEpisodeNumber(translator, other) ?? other.title;
      if (name !== null && name !== own) named.add(name);
    }
  }
  const ownSeason = typeof episode?.number === "number" ? seasonOf(episode) : undefined;
  const seasons = [...numbersOfSeasons].sort(([a], [b]) => a - b);
  const inOwn = seasons.flatMap(([season, numbers]) => (season === ownSeason ? joinRanges(t, numbers) : []));
  const inOthers = seasons.flatMap(([season, numbers]) => {
    if (season === ownSeason) return [];
    const ranges = joinRanges(t, numbers);
    const number = translator.formatList(ranges);
    const isSeveral = numbers.size > 1;
    if (!others.some((other) => other?.season === season))
      return [t(isSeveral ? "scene.episodes" : "scene.episode", { number })];
    return [t(isSeveral ? "scene.seasonEpisodes" : "scene.seasonEpisode", { season, number })];
  });
  const first =
    own === undefined || inOwn.length === 0 ? own : t("scene.alsoIn", { episode: own, others: inOwn });
  return [first, ...inOthers, ...named].filter((part) => part !== undefined).join(" · ") || undefined;
}

/** An episode without a season is of the first one. */
function seasonOf(episode: EpisodeParts | null): number {
  return episode?.season ?? 1;
}

/** Three and more consecutive numbers become a range: `2 to 12`, `14`, `15`. */
function joinRanges(t: TFunction<"page">, numbers: ReadonlySet<number>): string[] {
  const runs: { from: number; to: number }[] = [];
  for (const number of [...numbers].sort((a, b) => a - b)) {
    const last = runs.at(-1);
    if (last !== undefined && number === last.to + 1) last.to = number;
    else runs.push({ from: number, to: number });
  }
  return runs.flatMap(({ from, to }) => {
    if (to - from >= 2) return [t("scene.episodeRange", { from, to })];
    return from === to ? [`${from}`] : [`${from}`, `${to}`];
  });
}

/** The kind of anime (`TV`, `MOVIE`, …) in words; unknown kinds unchanged. */
export function formatKind(translator: SceneTranslator, format: string): string {
  return isKind(format) ? sceneText(translator)(`scene.kind.${format}`) : format;
}

/** Both sets of texts have the area `scene`, but the type of `t` is bound to one set. */
function sceneText(translator: SceneTranslator): TFunction<"page"> {
  return translator.t as TFunction<"page">;
}

function formatEpisodeNumber(translator: SceneTranslator, episode: EpisodeParts | null): string | undefined {
  const t = sceneText(translator);
  const { season, number } = episode ?? { season: null, number: null };
  if (number === null) return season === null ? undefined : t("scene.season", { season });
  if (typeof number === "string" && !/^\d/.test(number)) {
    return season === null
      ? number
      : t("scene.pair", { first: t("scene.season", { season }), second: number });
  }
  const isSeveral = typeof number === "string" && /[-–~,&+]/.test(number);
  if (season === null) return t(isSeveral ? "scene.episodes" : "scene.episode", { number });
  return t(isSeveral ? "scene.seasonEpisodes" : "scene.seasonEpisode", { season, number });
}

const kinds = ["TV", "TV_SHORT", "MOVIE", "SPECIAL", "OVA", "ONA", "MUSIC"] as const;

function isKind(format: string): format is (typeof kinds)[number] {
  return (kinds as readonly string[]).includes(format);
}

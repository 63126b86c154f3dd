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

/** `Almost certain · 97.3%`. */
export function formatSimilarity(
  translator: SceneTranslator,
  match: { similarity: number; isConfident: boolean },
): string {
  return sceneText(translator)(`scene.likeness.${likenessOf(match)}`, { share: match.similarity });
}

/** `Season 2, episode 3 “Title”`; unknown parts are omitted, and the result is empty without known parts. */
export function formatEpisode(translator: SceneTranslator, episode: EpisodeParts | null): string | undefined {
  const name = formatEpisodeNumber(translator, episode);
  const title = episode?.title ?? undefined;
  if (name === undefined) return title;
  return title === undefined ? name : sceneText(translator)("scene.episodeTitle", { episode: name, title });
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

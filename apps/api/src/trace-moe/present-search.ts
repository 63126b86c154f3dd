import type { SearchResult } from "@koma/contract";
import type { LibraryMatch, LibrarySearch } from "@koma/library";
import { toTraceMoeQuota } from "./trace-moe-error.ts";

/** The search result in trace.moe's response format. */
export function presentSearch(
  found: { result: SearchResult; matches: LibraryMatch[] },
  options: {
    hasAnilistInfo: boolean;
    thresholds: LibrarySearch["thresholds"];
    describePreviews: (match: LibraryMatch) => { imageUrl: string; videoUrl: string };
  },
) {
  return {
    ...toTraceMoeQuota(found.result.quota),
    frameCount: found.result.frameCount,
    error: "",
    result: found.matches.map((match) => presentTraceMoeMatch(match, options)),
  };
}

function presentTraceMoeMatch(match: LibraryMatch, options: Parameters<typeof presentSearch>[1]) {
  const { imageUrl, videoUrl } = options.describePreviews(match);
  const { number } = match.episode;
  const [start = null, end = start] = (number?.match(/^\d+(?:\.\d+)?(?:-\d+(?:\.\d+)?)?$/)?.[0] ?? "")
    .split("-")
    .flatMap((part) => (part === "" ? [] : [Number(part)]));
  return {
    anilist: options.hasAnilistInfo ? presentAnilistInfo(match.anime) : match.anime.anilistId,
    filename: match.fileName,
    episode: start !== null && start === end ? start : number,
    episode_start: start,
    episode_end: end,
    from: match.from,
    at: match.timestamp,
    to: match.to,
    same_from: match.looksSameFrom,
    same_to: match.looksSameTo,
    duration: match.durationSeconds,
    similarity: toTraceMoeSimilarity(match, options.thresholds),
    video: videoUrl,
    image: imageUrl,
  };
}

/**
 * Clients of trace.moe treat a similarity below 0.87 to 0.90 as unreliable, and Koma's similarities are
 * probabilities. The mapping is linear between four points: 0, the look-alike threshold at 0.80, the
 * confidence threshold at 0.90, and 1.
 */
export function toTraceMoeSimilarity(
  { similarity, isConfident }: Pick<LibraryMatch, "similarity" | "isConfident">,
  { absentBelow, confidentAt }: LibrarySearch["thresholds"],
): number {
  const interpolate = (from: number, to: number, low: number, high: number) =>
    to === from ? low : low + ((similarity - from) / (to - from)) * (high - low);
  if (similarity < absentBelow) return interpolate(0, absentBelow, 0, 0.8);
  if (similarity < confidentAt) return interpolate(absentBelow, confidentAt, 0.8, 0.9);
  // An image without content is never confident, whatever it resembles.
  return isConfident ? interpolate(confidentAt, 1, 0.9, 1) : 0.8999;
}

/** The library's metadata in the format of AniList, with the fields that trace.moe's own page uses. */
export function presentAnilistInfo(anime: LibraryMatch["anime"]) {
  return {
    id: anime.anilistId,
    idMal: anime.malId,
    title: { native: anime.titleNative, romaji: anime.titleRomaji, english: anime.titleEnglish },
    synonyms: anime.synonyms,
    isAdult: anime.isAdult,
    format: anime.format,
    startDate: { year: anime.year, month: null, day: null },
    genres: [],
    coverImage: { large: anime.coverUrl },
  };
}

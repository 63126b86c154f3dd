import type { Match, MatchSource } from "@koma/contract";
import { z } from "zod";
import { toUpstreamMatches, UpstreamResponseError, type UpstreamResult } from "./upstream-result.ts";

/** trace.moe documents that results below it "are most likely incorrect". */
const publishedThreshold = 0.9;

const id = z.int().min(1).max(1_000_000_000);
const seconds = z.number().min(0).max(1_000_000);
const title = z.string().nullish();
const numberOrText = z.union([z.number().min(0).max(100_000), z.string()]);

/** The response of trace.moe's `/search?anilistInfo`; `at` and `duration` are missing in its earlier version. */
const SearchResponse = z.object({
  error: z.string(),
  result: z
    .array(
      z.object({
        // A number when AniList did not respond.
        anilist: z.union([
          z.int(),
          z.object({
            id,
            idMal: id.nullish(),
            title: z.object({ native: title, romaji: title, english: title }),
            isAdult: z.boolean().nullish(),
            format: title,
            startDate: z.object({ year: z.int().min(1900).max(3000).nullish() }).nullish(),
          }),
        ]),
        episode: z.union([numberOrText, z.array(numberOrText)]).nullish(),
        from: seconds,
        at: seconds.nullish(),
        to: seconds,
        duration: seconds.nullish(),
        similarity: z.number().min(0).max(1),
      }),
    )
    .max(100),
});

/** The request that searches an image at a service with trace.moe's API. */
export function createTraceMoeRequest(image: Blob, key: string | undefined) {
  return {
    path: "/search?anilistInfo",
    body: image,
    headers: { "content-type": "image/jpeg", ...(key !== undefined && { "x-trace-key": key }) },
  };
}

/** Reads its response. Throws UpstreamResponseError. Results below the published threshold are omitted. */
export function readTraceMoeResponse(json: unknown, source: MatchSource): UpstreamResult {
  const { success, data, error } = SearchResponse.safeParse(json);
  if (!success) throw new UpstreamResponseError("The response has another form.", { cause: error });
  if (data.error !== "") throw new UpstreamResponseError("The service could not search.");
  const scenes = data.result.flatMap(({ anilist, ...scene }) => {
    if (typeof anilist === "number" || scene.similarity < publishedThreshold) return [];
    const { title, format, startDate } = anilist;
    return {
      anime: {
        anilistId: anilist.id,
        malId: anilist.idMal ?? null,
        title: { romaji: title.romaji ?? null, english: title.english ?? null, native: title.native ?? null },
        format: format ?? null,
        year: startDate?.year ?? null,
        // An anime about which AniList does not say so is treated with care.
        isAdult: anilist.isAdult ?? true,
      },
      episode: toEpisode(scene.episode),
      timestamp: scene.at ?? (scene.from + scene.to) / 2,
      from: scene.from,
      to: scene.to,
      duration: scene.duration ?? scene.to,
      similarity: scene.similarity,
      isConfident: true,
    };
  });
  const matches = toUpstreamMatches(scenes, source);
  return { outcome: matches.length > 0 ? "found" : "not_in_library", matches };
}

type WrittenEpisode = z.output<typeof SearchResponse>["result"][number]["episode"];

function toEpisode(written: WrittenEpisode): Match["episode"] {
  if (written == null) return null;
  const parts = Array.isArray(written) ? written : [written];
  const [first] = parts;
  if (first === undefined) return null;
  const number = parts.length === 1 && Number.isInteger(first) ? first : parts.join("-");
  return { season: null, number, title: null };
}

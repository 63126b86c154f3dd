import { Match, type MatchSource, matchLimit, SearchOutcome } from "@koma/contract";
import { z } from "zod";
import { toUpstreamMatches, UpstreamResponseError, type UpstreamResult } from "./upstream-result.ts";

const SearchResponse = z.object({ outcome: SearchOutcome, matches: z.array(Match).max(matchLimit) });

/** The request that searches an image at another Koma, which asks no third service. */
export function createKomaRequest(image: Blob, key: string | undefined) {
  const body = new FormData();
  body.append("image", image, "image.jpg");
  body.append("isPublic", "false");
  body.append("upstream", "false");
  return {
    path: "/api/anime/search",
    body,
    headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
  };
}

/**
 * Reads its response; its similarities are calibrated as ours. Throws UpstreamResponseError. Scenes that are most
 * likely unrelated, and those that it has from a third service, are omitted.
 */
export function readKomaResponse(json: unknown, source: MatchSource): UpstreamResult {
  const { success, data, error } = SearchResponse.safeParse(json);
  if (!success) throw new UpstreamResponseError("The response has another form.", { cause: error });
  if (data.outcome === "not_in_library") return { outcome: "not_in_library", matches: [] };
  const own = data.matches.filter((match) => match.source === null);
  const matches = toUpstreamMatches(own, source);
  const [first] = matches;
  if (first === undefined) return { outcome: "not_in_library", matches };
  return { outcome: data.outcome === "found" && first.isConfident ? "found" : "uncertain", matches };
}

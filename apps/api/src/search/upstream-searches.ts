import type { Configuration } from "@koma/config";
import { type Match, matchLimit, type SearchOutcome } from "@koma/contract";
import type { Database, JsonObject, StoredMatch } from "@koma/database";
import {
  type SearchOutcome as FoundScenes,
  presentAnime,
  type UpstreamResult,
  type Upstreams,
} from "@koma/library";
import type { Calendar } from "../calendar.ts";
import type { Caller } from "../caller.ts";
import type { SearchMetrics } from "../metrics/search-metrics.ts";
import type { SearchForm } from "./read-search-form.ts";

/** A match of a response, and the form in which it is stored. */
export type SettledMatch = { match: Match; stored: StoredMatch };

/** The result of the library, and what other services may do with its query. */
type UpstreamQuery = {
  caller: Caller;
  form: SearchForm;
  bytes: Uint8Array;
  found: Pick<FoundScenes, "outcome" | "frameAtSeconds" | "videoFrame">;
  limitMs: number;
  signal: AbortSignal;
};

export type UpstreamSearches = ReturnType<typeof createUpstreamSearches>;

/** Searches images that are not in the library at other services, within the number of requests of a day. */
export function createUpstreamSearches(options: {
  config: Configuration;
  upstreams: Pick<Upstreams, "sources" | "search">;
  database: Pick<Database, "anime" | "rateLimits">;
  calendar: Calendar;
  metrics: Pick<SearchMetrics, "time">;
}) {
  const { config, upstreams, database, calendar } = options;
  const { KOMA_UPSTREAM_SEARCHES_PER_DAY: perDay, KOMA_UPSTREAM_UNCERTAIN: searchesUncertain } = config;

  return {
    /** The names and pages of the services. */
    sources: upstreams.sources,

    /**
     * The scenes that another service found; undefined when none was searched, or none of them has it. Throws the
     * reason of the signal.
     */
    async find(query: UpstreamQuery): Promise<UpstreamResult | undefined> {
      const { caller, form, bytes, found, limitMs, signal } = query;
      const isMissing =
        found.outcome === "not_in_library" || (searchesUncertain && found.outcome === "uncertain");
      if (upstreams.sources.length === 0 || !isMissing || !form.upstream || form.animeId !== undefined)
        return undefined;
      const search = {
        bytes: found.videoFrame ?? bytes,
        atSeconds: found.videoFrame === undefined ? found.frameAtSeconds : undefined,
        takeRequest: () => takeRequest(caller),
        limitMs,
        signal,
      };
      const result = await options.metrics.time("upstream", () => upstreams.search(search));
      if (result === undefined || result.outcome === "not_in_library") return undefined;
      return { ...result, matches: await Promise.all(result.matches.map(withOwnAnime)) };
    },
  };

  /** Anime of the library have its data, by their AniList id. */
  async function withOwnAnime(match: Match): Promise<Match> {
    const { anilistId } = match.anime;
    const known = anilistId === null ? undefined : await database.anime.findByAnilistId(anilistId);
    return known === undefined ? match : { ...match, anime: presentAnime(known) };
  }

  /** Counts a request in the database, so that a restart and other instances do not begin a new day. */
  async function takeRequest(caller: Caller): Promise<boolean> {
    const { day, at, resetsAt } = calendar.today();
    const remainingMs = Math.max(1, resetsAt.getTime() - at.getTime());
    const limits = new Map([
      [`upstream:${day}`, perDay],
      [`upstream:${shareOf(caller)}:${day}`, Math.ceil(perDay / callersPerDay)],
    ]);
    const count = async (change: 1 | -1) =>
      await database.rateLimits.add([...limits.keys()].map((key) => ({ key, remainingMs, count: change })));
    const counts = await count(1);
    if (counts.every(({ key, count: total }) => total <= (limits.get(key) ?? 0))) return true;
    await count(-1);
    return false;
  }
}

/** A tenth of the day's requests is the share of a caller. */
const callersPerDay = 10;

/** The guests of an IPv6 /48 have one share, because one of them can have all its addresses. */
function shareOf(caller: Caller): string {
  return (caller.kind === "guest" && caller.wider?.at(-1)?.hash) || caller.hash;
}

/** The matches of the library and of another service, best first, and their outcome. */
export function mergeMatches(
  own: { outcome: SearchOutcome; matches: readonly SettledMatch[] },
  upstream: UpstreamResult | undefined,
): { outcome: SearchOutcome; matches: SettledMatch[] } {
  if (upstream === undefined) return { outcome: own.outcome, matches: [...own.matches] };
  const matches = [...own.matches, ...upstream.matches.map(toSettledMatch)]
    .toSorted((one, other) => other.match.similarity - one.match.similarity)
    .slice(0, matchLimit)
    .map(({ match, stored }, index) => withRank(match, stored, index + 1));
  return { outcome: matches[0]?.match.isConfident === true ? "found" : "uncertain", matches };
}

function toSettledMatch(match: Match): SettledMatch {
  const { rank, anime, isConfident } = match;
  return { match, stored: { rank, animeId: anime.id, isConfident, upstream: toJson(match) } };
}

function withRank(match: Match, stored: StoredMatch, rank: number): SettledMatch {
  const { upstream } = stored;
  return {
    match: { ...match, rank },
    stored: { ...stored, rank, ...(upstream !== undefined && { upstream: { ...upstream, rank } }) },
  };
}

function toJson(match: Match): JsonObject {
  return JSON.parse(JSON.stringify(match)) as JsonObject;
}

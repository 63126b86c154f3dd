import type {
  Confirmation,
  Match,
  RecentSearchList,
  SceneRankings,
  StoredSearch,
  Surroundings,
  UserSearch,
  UserSearchList,
  UserUsage,
} from "@koma/contract";
import type { Database, MakerProof, Search, StoredMatch } from "@koma/database";
import { ApiError, invalidRequest } from "../api-error.ts";
import { listUtcDays } from "../calendar.ts";
import type { Caller } from "../caller.ts";
import type { ConfirmTokens } from "./confirm-tokens.ts";
import type { StoredScenes } from "./stored-scene.ts";

type CorrectedScene = { text: string | undefined; animeId: string | undefined; number: string | undefined };

/** The id of a search, its caller, and the token that proves who created it. */
type StoredSearchQuery = { id: string; caller: Caller; confirmToken: string | undefined };

type Page = { page: number; pageSize: number };
type User = Extract<Caller, { kind: "user" }>;

export type StoredSearches = ReturnType<typeof createStoredSearches>;

/** Reads, confirms and lists stored searches. */
export function createStoredSearches(options: {
  database: Database;
  scenes: StoredScenes;
  tokens: ConfirmTokens;
  now: () => Date;
}) {
  const { database, scenes, tokens, now } = options;
  const { searches } = database;

  return {
    /** Returns a search. Throws ApiError `not_found` for callers that may not read it. */
    async get(params: StoredSearchQuery): Promise<StoredSearch> {
      const search = await searches.find({ id: params.id, by: proofOf(params), at: now() });
      if (search === undefined) throw unknownSearch();
      const show = await scenes.open(search.matches);
      return {
        id: search.id,
        createdAt: search.createdAt.toISOString(),
        isOwn: search.isOwn,
        isPublic: search.isPublic,
        outcome: search.outcome,
        matches: search.matches.flatMap((match) => show(match) ?? []),
        confirmation: describeConfirmation(search),
      };
    },

    /**
     * The shots and clips around the match with this rank. Throws ApiError `not_found` for callers that may
     * not read the search, and `invalid_request`.
     */
    async surround(params: StoredSearchQuery & { rank: number }): Promise<Surroundings> {
      const search = await searches.find({ id: params.id, by: proofOf(params), at: now() });
      if (search === undefined) throw unknownSearch();
      const match = search.matches.find(({ rank }) => rank === params.rank);
      if (match === undefined) throw invalidRequest("rank", "is not the rank of a match");
      return await scenes.surround(match);
    },

    /**
     * Confirms the match with this rank, 0 for none; `corrected` is what the image shows instead. Throws
     * ApiError `not_found`, `confirmation_expired`, `invalid_request`.
     */
    async confirm(
      params: StoredSearchQuery & { rank: number; corrected: CorrectedScene },
    ): Promise<Confirmation> {
      const { id, rank, corrected } = params;
      const { text = null, number = null } = corrected;
      const animeId = await resolveCorrected(corrected.animeId);
      const correction = text === null && animeId === null ? undefined : { text, animeId, number };
      const response = await searches.confirm({ id, rank, correction, by: proofOf(params), at: now() });
      if (response.state === "confirmed")
        return { id, rank, confirmedAt: response.confirmedAt.toISOString() };
      if (response.state === "no_such_rank") throw invalidRequest("rank", "is not the rank of a match");
      throw response.state === "expired" ? expired() : expiredOrUnknown(params);
    },

    /** Removes a confirmation. Throws ApiError `not_found`, `confirmation_expired`. */
    async unconfirm(params: StoredSearchQuery): Promise<void> {
      const { state } = await searches.unconfirm({ id: params.id, by: proofOf(params), at: now() });
      if (state === "expired") throw expired();
      if (state === "unknown") throw expiredOrUnknown(params);
    },

    /** A page of a user's own searches. */
    async listOwn({ hash: callerHash }: User, params: Page): Promise<UserSearchList> {
      const { total, items } = await searches.listHistory({ callerHash, ...params });
      const show = await scenes.open(items.flatMap((search) => findScene(search) ?? []));
      return { ...params, total, items: items.map((search) => describeOwn(search, show)) };
    },

    /** Adds searches of a guest, whose tokens the user has, to the user's own; the number of them. */
    async addOwn(
      { hash: callerHash }: User,
      guests: readonly { id: string; confirmToken: string }[],
    ): Promise<number> {
      const proven = guests.map(({ id, confirmToken }) => ({
        id,
        confirmTokenHash: tokens.hash(confirmToken),
      }));
      return await searches.addToHistory({ searches: proven, callerHash, at: now() });
    },

    /** A user's own searches per UTC day in the last 30 days, oldest first. */
    async countOwn({ hash: callerHash }: User): Promise<UserUsage> {
      const days = listUtcDays({ until: now(), count: usageDays });
      const counts = await searches.countHistoryByDay({ callerHash, from: new Date(days[0] ?? now()) });
      return { days: days.map((day) => ({ day, searches: counts.get(day) ?? 0 })) };
    },

    /** Deletes one of a user's own searches. Throws ApiError `not_found`. */
    async removeOwn({ hash: callerHash }: User, id: string): Promise<void> {
      if (!(await searches.removeFromHistory({ id, callerHash }))) throw unknownSearch();
    },

    /** The scenes that most callers found in the last 30 days. */
    async rankScenes({ limit }: { limit: number }): Promise<SceneRankings> {
      const counted = await searches.rankScenes({ limit, at: now() });
      return {
        entries: counted.map(({ id, anime, match, searches: count }) => ({
          id,
          ...toScene(scenes.show(match, anime)),
          searches: count,
        })),
      };
    },

    /** Confirmed public searches. */
    async listRecent(params: { limit: number; offset: number }): Promise<RecentSearchList> {
      const { total, items } = await searches.listRecent(params);
      return {
        ...params,
        total,
        items: items.map(({ id, anime, match, confirmedAt }) => ({
          id,
          ...toScene(scenes.show(match, anime)),
          confirmedAt: confirmedAt.toISOString(),
        })),
      };
    },
  };

  /** The current id of the anime that a correction names. */
  async function resolveCorrected(id: string | undefined): Promise<string | null> {
    if (id === undefined) return null;
    const anime = (await database.anime.resolve([id])).get(id);
    if (anime === undefined) throw invalidRequest("correctedAnimeId", "is not the id of an indexed anime");
    return anime.id;
  }

  /**
   * A guest's search is deleted some time after 24 hours. The holder of its token gets the same error before
   * and after.
   */
  function expiredOrUnknown({ id, confirmToken }: StoredSearchQuery): ApiError {
    const createdAt = confirmToken === undefined ? undefined : tokens.readTime(confirmToken, id);
    const isOver = createdAt !== undefined && createdAt.getTime() <= now().getTime() - openMs;
    return isOver ? expired() : unknownSearch();
  }

  /** Many people can share a guest's address, so only the token identifies a guest. */
  function proofOf({ caller, confirmToken }: StoredSearchQuery): MakerProof {
    return {
      callerHash: caller.kind === "guest" ? undefined : caller.hash,
      confirmTokenHash: confirmToken === undefined ? undefined : tokens.hash(confirmToken),
    };
  }
}

const usageDays = 30;

function describeOwn(search: Search, show: (match: StoredMatch) => Match | undefined): UserSearch {
  const match = findScene(search);
  const shown = match === undefined ? undefined : show(match);
  return {
    id: search.id,
    createdAt: search.createdAt.toISOString(),
    isPublic: search.isPublic,
    outcome: search.outcome,
    confirmation: describeConfirmation(search),
    scene: shown === undefined ? null : toScene(shown),
  };
}

/** The confirmed match, or the first one unless the image is not in the library. */
function findScene({ matches, confirmedRank, outcome }: Search): StoredMatch | undefined {
  if (confirmedRank !== null) return matches.find(({ rank }) => rank === confirmedRank);
  return outcome === "not_in_library" ? undefined : matches[0];
}

function toScene({
  anime,
  episode,
  timestamp,
  similarity,
  imageUrl,
  previewPaths,
}: Match): NonNullable<UserSearch["scene"]> {
  const stills = previewPaths === null ? null : { stills: previewPaths.stills };
  return { anime, episode, timestamp, similarity, imageUrl, previewPaths: stills };
}

function describeConfirmation({ id, confirmedRank: rank, confirmedAt }: Search): Confirmation | null {
  if (rank === null || confirmedAt === null) return null;
  return { id, rank, confirmedAt: confirmedAt.toISOString() };
}

/** The time for which a search can be confirmed. */
const openMs = 24 * 60 * 60 * 1000;

function unknownSearch(): ApiError {
  return new ApiError("not_found", "This search does not exist, or it is not yours.");
}

function expired(): ApiError {
  return new ApiError("confirmation_expired", "A search can be confirmed for 24 hours.");
}

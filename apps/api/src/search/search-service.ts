import { randomBytes } from "node:crypto";
import { matchLimit, SearchResult } from "@koma/contract";
import type { Database, JsonValue, StoredMatch } from "@koma/database";
import type { FetchImage } from "@koma/image-fetch";
import { isVideoFile, type LibraryMatch, type LibrarySearch, presentMatch } from "@koma/library";
import { ApiError, invalidRequest } from "../api-error.ts";
import { type Caller, describeCaller } from "../caller.ts";
import type { SearchMetrics } from "../metrics/search-metrics.ts";
import type { PreviewAddresses } from "../previews/preview-addresses.ts";
import type { ConfirmTokens } from "./confirm-tokens.ts";
import { type HeldKey, hashForm, type IdempotentResponses } from "./idempotent-responses.ts";
import type { MissingScenes } from "./missing-scenes.ts";
import type { Allowance, CallerQuota, Reservation } from "./quota.ts";
import type { SearchForm } from "./read-search-form.ts";
import type { SearchQueue } from "./search-queue.ts";
import { toStoredMatch } from "./stored-scene.ts";
import type { ByteShare } from "./upload-budget.ts";
import { mergeMatches, type UpstreamSearches } from "./upstream-searches.ts";

/** One search of one caller. */
export type SearchOrder = {
  caller: Caller;
  /** The network that the limits count. */
  network: string;
  form: SearchForm;
  idempotencyKey: string | undefined;
  /** Accounts for the bytes of a fetched image. */
  share: ByteShare;
  /** Aborts when the caller disconnects. */
  signal: AbortSignal;
  /** Converts the file before it is searched, in its slot of the queue. */
  prepare?: ((bytes: Uint8Array) => Promise<Uint8Array>) | undefined;
  /** Matches to find; the response of Koma's own API and the stored search have the first five. Default: 5. */
  limit?: number | undefined;
  /** Receives the remaining quota when it is known, and again when it changes. */
  onAllowance: (allowance: Allowance) => void;
};

export type SearchService = ReturnType<typeof createSearchService>;

/** Runs searches. A search is charged exactly when its response is stored. */
export function createSearchService(options: {
  database: Database;
  getSearch: () => LibrarySearch | undefined;
  quota: CallerQuota;
  idempotentResponses: IdempotentResponses;
  queue: SearchQueue;
  /** The slots of videos, which are decoded one at a time. */
  videoQueue: SearchQueue;
  upstreams: UpstreamSearches;
  missingScenes: MissingScenes;
  fetchImage: FetchImage;
  previews: PreviewAddresses;
  tokens: ConfirmTokens;
  metrics: SearchMetrics;
  /** The lease of a reservation. */
  leaseSeconds: number;
  /** Receives the error of a failed release; the lease then expires. */
  onLeftover: (error: unknown) => void;
}) {
  const { database, quota, idempotentResponses, metrics } = options;

  return {
    /** Throws ApiError if the queue would refuse a search of this origin now. */
    checkQueue: options.queue.check,

    /**
     * Runs a search, once per idempotency key. Throws ApiError, PictureError, EngineBusyError; a search that
     * throws costs no credit.
     */
    async search(order: SearchOrder): Promise<SearchResult> {
      if (order.idempotencyKey === undefined) return (await searchForQuota(order, undefined)).result;
      const { caller, idempotencyKey: key } = order;
      // Guests share addresses, so a key alone does not identify the guest.
      const requestHash = caller.kind === "guest" ? hashForm(order.form) : "";
      return await idempotentResponses.once(
        { callerHash: caller.hash, key, requestHash },
        order.signal,
        async (hold) => (await searchForQuota(order, hold)).result,
      );
    },

    /**
     * A search for another protocol: the response together with the library's own matches. Throws as `search`
     * does.
     */
    async searchWithMatches(
      order: Omit<SearchOrder, "idempotencyKey">,
    ): Promise<{ result: SearchResult; matches: LibraryMatch[] }> {
      return await searchForQuota({ ...order, idempotencyKey: undefined }, undefined);
    },
  };

  /** Reserves, searches and settles. The reservation is released on every failure. */
  async function searchForQuota(
    order: SearchOrder,
    hold: HeldKey | undefined,
  ): Promise<{ result: SearchResult; matches: LibraryMatch[] }> {
    const startedMs = performance.now();
    const library = getReadyLibrary();
    const animeId = await resolveAnime(order.form.animeId);
    const leave = options.queue.start(order);
    try {
      return await searchStarted({ order, library, animeId, hold, startedMs });
    } finally {
      leave();
    }
  }

  async function searchStarted({ order, library, animeId, hold, startedMs }: StartedSearch) {
    const reservedMs = performance.now();
    const reservation = await quota.reserve(order.caller, createToken(), order.onAllowance);
    let databaseMs = performance.now() - reservedMs;
    return await withRollback(
      async () => {
        const { found, outcome, settled, upstream } = await withinLease(order.signal, (signal) =>
          findAnywhere(library, { ...order, signal }, animeId),
        );
        const id = createToken();
        const result: SearchResult = SearchResult.parse({
          id,
          outcome,
          queryFrame: found.frameAtSeconds === undefined ? undefined : { timestamp: found.frameAtSeconds },
          matches: settled.map(({ match }) => match),
          confirmToken: options.tokens.issue({ id, at: reservation.at }),
          frameCount: found.frameCount,
          tookMs: Math.round(performance.now() - startedMs),
          quota: reservation.allowance.quota,
        });
        const settledMs = performance.now();
        const matches = settled.map(({ stored }) => stored);
        await settle(order, { result, matches, reservation, hold });
        databaseMs += performance.now() - settledMs;
        // A scene of one anime can be in the library under another one.
        if (found.outcome === "not_in_library" && animeId === undefined)
          options.missingScenes.add({ descriptor: found.descriptor, upstream, at: reservation.at });
        metrics.observeSettled(found.timings, databaseMs, reservation);
        return { result, matches: found.matches };
      },
      async () => {
        options.queue.charge(order, rollbackMs);
        await quota.release(reservation, order.caller);
        order.onAllowance(reservation.allowanceWithout);
      },
    );
  }

  /**
   * Settles the reservation and stores the search and the response in one transaction. Throws ApiError after
   * the lease has expired.
   */
  async function settle({ caller, form }: SearchOrder, outcome: SearchToSettle): Promise<void> {
    const { result, matches, reservation, hold } = outcome;
    const { id: reservationId, owner, userId, at } = reservation;
    const isSettled = await database.searches.settle({
      search: {
        id: result.id,
        callerHash: caller.hash,
        callerKind: describeCaller(caller),
        inHistory: caller.kind === "user",
        isPublic: form.isPublic,
        confirmTokenHash: options.tokens.hash(result.confirmToken),
        outcome: result.outcome,
        matches,
        queryKind: form.query.kind,
        frameCount: result.frameCount,
        tookMs: result.tookMs,
      },
      reservation: { id: reservationId, owner, userId },
      idempotency: hold === undefined ? undefined : { ...hold, response: toJson(result) },
      at,
    });
    if (!isSettled) throw tooLate();
  }

  /** Aborts work whose lease expires, for example in the queue: its result could not be settled. */
  async function withinLease<T>(caller: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const expiry = new AbortController();
    const timer = setTimeout(() => expiry.abort(tooLate()), options.leaseSeconds * 1000);
    try {
      return await work(AbortSignal.any([caller, expiry.signal]));
    } finally {
      clearTimeout(timer);
    }
  }

  function getReadyLibrary(): LibrarySearch {
    const library = options.getSearch();
    if (library === undefined) {
      throw new ApiError("not_ready", "The library is not loaded.", {
        retryAfterSeconds: 5,
      });
    }
    if (!library.isReady()) {
      throw new ApiError("not_ready", "Nothing has been indexed yet.", {
        retryAfterSeconds: 30,
      });
    }
    return library;
  }

  /** The current id of an anime that can be merged into another one. */
  async function resolveAnime(id: string | undefined): Promise<string | undefined> {
    if (id === undefined) return undefined;
    const anime = (await database.anime.resolve([id])).get(id);
    if (anime === undefined) throw invalidRequest("animeId", "is not the id of an indexed anime");
    return anime.id;
  }

  /** The scenes of the library, and those of another service when it has none. The slots are free meanwhile. */
  async function findAnywhere(library: LibrarySearch, order: SearchOrder, animeId: string | undefined) {
    const startedMs = performance.now();
    const { bytes, found } = await findScenes(library, order, animeId);
    const own = found.matches.slice(0, matchLimit).map((match) => ({
      match: presentMatch(match, options.previews.describe(match)),
      stored: toStoredMatch(match),
    }));
    const leftMs = options.leaseSeconds * 1000 - settleMs - (performance.now() - startedMs);
    const upstream = await options.upstreams.find({ ...order, bytes, found, limitMs: Math.max(0, leftMs) });
    const { outcome, matches } = mergeMatches({ outcome: found.outcome, matches: own }, upstream);
    const best = upstream?.outcome === "found" ? upstream.matches[0] : undefined;
    return { found, outcome, settled: matches, upstream: best };
  }

  async function findScenes(library: LibrarySearch, order: SearchOrder, animeId: string | undefined) {
    const { caller, network, form, share, signal, prepare, limit = matchLimit } = order;
    const { query, trimBorders } = form;
    const bytes =
      query.kind === "file"
        ? query.bytes
        : await metrics.time("fetch", () => options.fetchImage(query.url, { share, signal }));
    const queuedMs = performance.now();
    const search = () =>
      options.queue.run({ caller, network }, signal, async () => {
        metrics.observeQueue(performance.now() - queuedMs);
        const image = prepare === undefined ? bytes : await prepare(bytes);
        const found = await library.search(image, { limit, animeId, trimBorders, signal });
        // The caller has disconnected, so the search counts as aborted, or its lease has expired.
        signal.throwIfAborted();
        return found;
      });
    // A video that waits for another one must not hold a slot that an image could use.
    const found = await (isVideoFile(bytes)
      ? options.videoQueue.run({ caller, network }, signal, search)
      : search());
    return { bytes, found };
  }

  async function withRollback<T>(work: () => Promise<T>, rollback: () => Promise<void>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      await rollback().catch(options.onLeftover);
      throw error;
    }
  }
}

type StartedSearch = {
  order: SearchOrder;
  library: LibrarySearch;
  animeId: string | undefined;
  hold: HeldKey | undefined;
  startedMs: number;
};

type SearchToSettle = {
  result: SearchResult;
  matches: StoredMatch[];
  reservation: Reservation;
  hold: HeldKey | undefined;
};

/**
 * What a reservation and its release cost. Their real duration is mostly that of other searches on a busy database: it
 * refused users who left three slow searches for five minutes.
 */
const rollbackMs = 100;

/** The part of a lease that no other service may use: its result must be settled. */
const settleMs = 5000;

function tooLate(): ApiError {
  return new ApiError("search_busy", "The search took too long. It was not charged.", {
    retryAfterSeconds: 5,
  });
}

function createToken(): string {
  return randomBytes(16).toString("base64url");
}

function toJson(value: unknown): JsonValue {
  return JSON.parse(JSON.stringify(value)) as JsonValue;
}

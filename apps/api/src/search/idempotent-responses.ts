import { createHash, randomBytes } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { SearchResult } from "@koma/contract";
import type { Database, JsonValue } from "@koma/database";
import { unlessAborted } from "@koma/image";
import { ApiError } from "../api-error.ts";
import type { SearchForm } from "./read-search-form.ts";

/** The key of a request whose lease is held by `owner`. */
export type HeldKey = { key: string; owner: string };

type KeyedRequest = { callerHash: string; key: string; requestHash: string };

type Keyed = { requestHash: string; response: SearchResult };

export type IdempotentResponses = ReturnType<typeof createIdempotentResponses>;

/** Stores the first responses to requests with an `Idempotency-Key`. */
export function createIdempotentResponses(options: {
  database: Database;
  leaseSeconds: number;
  /** Receives an error of a release; the lease then expires. */
  onLeftover: (error: unknown) => void;
}) {
  const { idempotency } = options.database;
  const { leaseSeconds } = options;
  // One request per key queries the database; the others of this process wait for it.
  const running = new Map<string, Promise<Keyed | undefined>>();
  // Therefore the leases of a process have one owner, and the process continues a lease whose release failed.
  const owner = randomBytes(16).toString("base64url");

  return {
    /**
     * The first response under this key, or that of `search` if there is none. A `requestHash` other than ""
     * must equal that of the first request. Throws ApiError `idempotency_key_reused` and `search_busy`, and
     * the reason of the signal.
     */
    async once(
      request: KeyedRequest,
      signal: AbortSignal,
      search: (hold: HeldKey) => Promise<SearchResult>,
    ): Promise<SearchResult> {
      const id = JSON.stringify([request.callerHash, request.key]);
      for (;;) {
        const other = running.get(id);
        if (other === undefined) break;
        const keyed = await unlessAborted(other, signal);
        if (keyed !== undefined) return readKeyed(keyed, request.requestHash);
      }
      const first = findOrSearch(request, signal, search);
      running.set(
        id,
        first.catch(() => undefined).finally(() => running.delete(id)),
      );
      return readKeyed(await first, request.requestHash);
    },
  };

  async function findOrSearch(
    request: KeyedRequest,
    signal: AbortSignal,
    search: (hold: HeldKey) => Promise<SearchResult>,
  ): Promise<Keyed> {
    const { callerHash, key, requestHash } = request;
    const giveUpAtMs = performance.now() + leaseSeconds * 1000;
    // Here only another process can hold the lease of the key.
    for (let waitMs = 250; performance.now() < giveUpAtMs; waitMs = Math.min(2 * waitMs, 2000)) {
      const found = await idempotency.begin({ ...request, owner, leaseSeconds });
      if (found.state === "done")
        return { requestHash: found.requestHash, response: readResponse(found.response) };
      if (found.state === "new") {
        try {
          return { requestHash, response: await search({ key, owner }) };
        } catch (error) {
          await idempotency.release({ callerHash, key, owner }).catch(options.onLeftover);
          throw error;
        }
      }
      await wait(waitMs, undefined, { signal });
    }
    throw new ApiError("search_busy", "The first request with this key is still in progress.", {
      retryAfterSeconds: 5,
    });
  }
}

/** A hash of all fields of a search form. */
export function hashForm({ query, animeId, isPublic, trimBorders, upstream }: SearchForm): string {
  const hash = createHash("sha256").update(
    // Hashes of earlier versions have no \`upstream\`, whose default is true.
    JSON.stringify([query.kind, animeId ?? null, isPublic, trimBorders, ...(upstream ? [] : [upstream])]),
  );
  return hash.update(query.kind === "file" ? query.bytes : query.url).digest("base64url");
}

/** Responses of earlier versions and of signed-in callers have no hash. */
function readKeyed({ requestHash, response }: Keyed, expectedHash: string): SearchResult {
  if (expectedHash === "" || requestHash === "" || requestHash === expectedHash) return response;
  throw new ApiError(
    "idempotency_key_reused",
    "This Idempotency-Key belongs to a request with other values. Use a new key.",
  );
}

/**
 * Responses that an earlier version stored have no outcome; it follows from the confidence of their first
 * match.
 */
function readResponse(stored: JsonValue): SearchResult {
  const parsed = SearchResult.partial({ outcome: true }).parse(stored);
  const [first] = parsed.matches;
  const derived = first === undefined ? "not_in_library" : first.isConfident ? "found" : "uncertain";
  return { ...parsed, outcome: parsed.outcome ?? derived };
}

import { createHash } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { SearchResult } from "@koma/contract";
import type { Database, JsonValue } from "@koma/database";
import { ApiError } from "../api-error.ts";
import { unlessAborted } from "../unless-aborted.ts";
import type { SearchForm } from "./read-search-form.ts";

/** The lease of an idempotency key: its owner runs the search. */
export type Hold = { callerHash: string; key: string; owner: string };

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

  return {
    /**
     * The first response under this key, or that of `search` if there is none. A `requestHash` other than ""
     * must equal that of the first request. Throws ApiError `idempotency_key_reused` and `search_busy`, and
     * the reason of the signal.
     */
    async once(
      hold: Hold & { requestHash: string },
      signal: AbortSignal,
      search: () => Promise<SearchResult>,
    ): Promise<SearchResult> {
      const id = JSON.stringify([hold.callerHash, hold.key]);
      for (;;) {
        const other = running.get(id);
        if (other === undefined) break;
        const keyed = await unlessAborted(other, signal);
        if (keyed !== undefined) return readKeyed(keyed, hold.requestHash);
      }
      const first = findOrSearch(hold, signal, search);
      running.set(
        id,
        first.catch(() => undefined).finally(() => running.delete(id)),
      );
      return readKeyed(await first, hold.requestHash);
    },
  };

  async function findOrSearch(
    hold: Hold & { requestHash: string },
    signal: AbortSignal,
    search: () => Promise<SearchResult>,
  ): Promise<Keyed> {
    const giveUpAtMs = performance.now() + leaseSeconds * 1000;
    // Here only another process can hold the lease of the key.
    for (let waitMs = 250; performance.now() < giveUpAtMs; waitMs = Math.min(2 * waitMs, 2000)) {
      const found = await idempotency.begin({ ...hold, leaseSeconds });
      if (found.state === "done")
        return { requestHash: found.requestHash, response: readResponse(found.response) };
      if (found.state === "new") {
        try {
          return { requestHash: hold.requestHash, response: await search() };
        } catch (error) {
          await idempotency.release(hold).catch(options.onLeftover);
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
export function hashForm({ query, animeId, isPublic, trimBorders }: SearchForm): string {
  const hash = createHash("sha256").update(
    JSON.stringify([query.kind, animeId ?? null, isPublic, trimBorders]),
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

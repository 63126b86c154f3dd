import { setTimeout as wait } from "node:timers/promises";
import { SearchResult } from "@koma/contract";
import type { Database, JsonValue } from "@koma/database";
import { ApiError } from "../api-error.ts";

/** The right to answer an idempotency key first. */
export type Hold = { callerHash: string; key: string; owner: string };

export type IdempotentResponses = ReturnType<typeof createIdempotentResponses>;

/** The first answers to requests with an `Idempotency-Key`. */
export function createIdempotentResponses(options: { database: Database; leaseSeconds: number }) {
  const { idempotency } = options.database;
  return {
    /**
     * The first answer under this key, whatever was asked for then; undefined when the caller is the first and now holds the
     * key. While the first request is at work, later ones wait for its answer.
     */
    async acquire(hold: Hold, signal: AbortSignal): Promise<SearchResult | undefined> {
      for (const giveUpAtMs = Date.now() + options.leaseSeconds * 1000; Date.now() < giveUpAtMs; ) {
        // The column of earlier versions, which is compared with nothing any more.
        const params = { ...hold, requestHash: "", leaseSeconds: options.leaseSeconds };
        const found = await idempotency.begin(params);
        if (found.state === "new") return undefined;
        if (found.state === "done") return readResponse(found.response);
        await wait(100, undefined, { signal });
      }
      throw new ApiError("search_busy", "The first request with this key is still at work.", {
        retryAfterSeconds: 5,
      });
    },

    /** Lets a key go that was not answered. */
    release: (hold: Hold): Promise<void> => idempotency.release(hold),
  };
}

/** Responses that an earlier version stored have no outcome; it follows from the confidence of their first match. */
function readResponse(stored: JsonValue): SearchResult {
  const parsed = SearchResult.partial({ outcome: true }).parse(stored);
  const [first] = parsed.matches;
  const derived = first === undefined ? "not_in_library" : first.isConfident ? "found" : "uncertain";
  return { ...parsed, outcome: parsed.outcome ?? derived };
}

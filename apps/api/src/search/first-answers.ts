import { createHash, webcrypto } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { SearchResult } from "@koma/contract";
import type { Database } from "@koma/database";
import { ApiError, invalidRequest } from "../api-error.ts";
import type { SearchForm } from "./read-search-form.ts";

/** The right to answer an idempotency key first. */
export type Hold = { callerHash: string; key: string; owner: string };

export type FirstAnswers = ReturnType<typeof createFirstAnswers>;

/** The first answers to requests with an `Idempotency-Key`. */
export function createFirstAnswers(options: { database: Database; leaseSeconds: number }) {
  const { idempotency } = options.database;
  return {
    /**
     * The first answer under this key; undefined when the caller is the first and now holds the key. While the first
     * request is at work, later ones wait for its answer. Throws ApiError when the key was used for another request.
     */
    async findOrHold(hold: Hold, form: SearchForm, signal: AbortSignal): Promise<SearchResult | undefined> {
      const requestHash = await hashRequest(form);
      for (const giveUpAtMs = Date.now() + options.leaseSeconds * 1000; Date.now() < giveUpAtMs; ) {
        const found = await idempotency.begin({
          ...hold,
          requestHash,
          leaseSeconds: options.leaseSeconds,
        });
        if (found.state === "new") return undefined;
        if (found.state === "done") {
          if (found.requestHash === requestHash) return SearchResult.parse(found.answer);
          throw invalidRequest("idempotency-key", "was used for another request");
        }
        await wait(100, undefined, { signal });
      }
      throw new ApiError("search_busy", "The first request with this key is still at work.", {
        retryAfterSeconds: 5,
      });
    },

    /** Lets a key go that was not answered. */
    abandon: (hold: Hold): Promise<void> => idempotency.abandon(hold),
  };
}

async function hashRequest(form: SearchForm): Promise<string> {
  const picture = form.query.kind === "file" ? await hashPicture(form.query.bytes) : form.query.url;
  const request = JSON.stringify([form.query.kind, picture, form.animeId ?? null, form.isPublic]);
  return createHash("sha256").update(request).digest("base64url");
}

/** Off the event loop, which ten megabytes would hold up. */
async function hashPicture(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return Buffer.from(await webcrypto.subtle.digest("SHA-256", bytes)).toString("base64url");
}

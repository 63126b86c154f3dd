import { getHealth, getReadiness } from "@koma/contract";
import { type Database, DatabaseLostError } from "@koma/database";
import type { LibrarySearch } from "@koma/library";
import type { FastifyInstance } from "fastify";
import { ApiError } from "../api-error.ts";
import { registerEndpoint } from "../register-endpoint.ts";

/** `GET /healthz` and `GET /readyz`. */
export function registerHealth(
  app: FastifyInstance,
  options: { database: Database; getSearch: () => LibrarySearch | undefined },
): void {
  let ping: { atMs: number; done: Promise<void> } | undefined;
  const pingDatabase = () => {
    const atMs = performance.now();
    if (ping === undefined || atMs - ping.atMs >= pingTtlMs) {
      ping = { atMs, done: options.database.ping() };
    }
    return ping.done;
  };

  registerEndpoint(app, getHealth, async () => ({ status: "ok" as const }), {
    isUnlimited: true,
  });

  registerEndpoint(
    app,
    getReadiness,
    async () => {
      const search = options.getSearch();
      if (search === undefined) throw notReady("The library is not loaded.");
      if (!search.isReady()) throw notReady("Nothing has been indexed yet.");
      await pingDatabase().catch((error: unknown) => {
        const isLost = error instanceof DatabaseLostError;
        throw notReady(
          isLost
            ? "The database was deleted or replaced; the log of the API names its folder."
            : "The database does not respond.",
        );
      });
      return { status: "ready" as const, frameCount: search.frameCount() };
    },
    { isUnlimited: true },
  );
}

/** The endpoint is public and has no request limit, so requests share the result of one ping. */
const pingTtlMs = 1000;

function notReady(detail: string): ApiError {
  return new ApiError("not_ready", detail, { retryAfterSeconds: 5 });
}

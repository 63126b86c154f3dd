import { getHealth, getReadiness } from "@koma/contract";
import type { Database } from "@koma/database";
import type { LibrarySearch } from "@koma/library";
import type { FastifyInstance } from "fastify";
import { ApiError } from "../api-error.ts";
import { registerEndpoint } from "../register-endpoint.ts";

/** `GET /healthz` and `GET /readyz`. */
export function registerHealth(
  app: FastifyInstance,
  options: { database: Database; getSearch: () => LibrarySearch | undefined },
): void {
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
      await options.database.ping().catch(() => {
        throw notReady("The database does not answer.");
      });
      return { status: "ready" as const, frameCount: search.frameCount() };
    },
    { isUnlimited: true },
  );
}

function notReady(detail: string): ApiError {
  return new ApiError("not_ready", detail, { retryAfterSeconds: 5 });
}

import { getOperatorOverview, grantCredits, listOperatorUsers } from "@koma/contract";
import { CreditLimitError, type Database } from "@koma/database";
import type { LibrarySearch } from "@koma/library";
import type { FastifyInstance } from "fastify";
import { ApiError, invalidRequest } from "../api-error.ts";
import { registerEndpoint } from "../register-endpoint.ts";
import { describeAction } from "./operator-library.ts";

/** The overview and the users of `/api/operator/*`: the data and actions of the operator page. */
export function registerOperator(
  app: FastifyInstance,
  options: {
    database: Database;
    getSearch: () => LibrarySearch | undefined;
    version: string;
    now: () => Date;
  },
): void {
  const { database, now } = options;
  const startedAt = new Date().toISOString();

  registerEndpoint(app, getOperatorOverview, async () => {
    const search = options.getSearch();
    const [{ library, ...figures }, outdated = 0] = await Promise.all([
      database.statistics.count(now()),
      search?.countOutdated(),
    ]);
    return {
      version: options.version,
      startedAt,
      memoryBytes: process.memoryUsage.rss(),
      index: { isOpen: search?.isReady() ?? false, frames: search?.frameCount() ?? 0 },
      ...figures,
      library: { ...library, outdated },
    };
  });

  registerEndpoint(app, listOperatorUsers, async ({ query }) => {
    const { total, items } = await database.users.list({ ...query, order: "newest" });
    const users = items.map(({ createdAt, ...user }) => ({ ...user, createdAt: createdAt.toISOString() }));
    return { ...query, total, items: users };
  });

  registerEndpoint(app, grantCredits, async ({ caller, params, json }) => {
    const { amount, reason } = json;
    const granted = await database.credits
      .grant({
        userId: params.id,
        amount,
        reason,
        reference: `operator:${caller.userId}:${json.reference}`,
        audit: describeAction(caller, "credits.grant", `user:${params.id}`, { amount, reason }),
      })
      .catch((error: unknown) => {
        throw error instanceof CreditLimitError ? invalidRequest("amount", error.message) : error;
      });
    if (granted === undefined) throw new ApiError("not_found", "This user does not exist.");
    return { isNew: granted.isNew, purchasedCredits: granted.balance };
  });
}

import type { FastifyInstance } from "fastify";
import { registerAuth } from "./auth/register-auth.ts";
import { registerConnect } from "./connect/register-connect.ts";
import { registerApiKeys } from "./routes/api-keys.ts";
import { registerCheckout } from "./routes/checkout.ts";
import { registerCovers } from "./routes/covers.ts";
import { registerDailyTotals } from "./routes/daily-totals.ts";
import { registerDeviceLinks } from "./routes/device-links.ts";
import { registerFindAnime } from "./routes/find-anime.ts";
import { registerHealth } from "./routes/health.ts";
import { registerLibrary } from "./routes/library.ts";
import { registerLibraryWebhooks } from "./routes/library-webhooks.ts";
import { registerMcp } from "./routes/mcp.ts";
import { registerOperator } from "./routes/operator.ts";
import { registerOperatorLibrary } from "./routes/operator-library.ts";
import { registerOperatorMissing } from "./routes/operator-missing.ts";
import { registerOperatorQueue } from "./routes/operator-queue.ts";
import { registerOperatorRecords } from "./routes/operator-records.ts";
import { registerOperatorUsers } from "./routes/operator-users.ts";
import { registerPreviews } from "./routes/previews.ts";
import { registerQuota } from "./routes/quota.ts";
import { registerRankings } from "./routes/rankings.ts";
import { registerRankingsFeed } from "./routes/rankings-feed.ts";
import { registerSearchAnime } from "./routes/search-anime.ts";
import { registerSearches } from "./routes/searches.ts";
import { registerSite } from "./routes/site.ts";
import { registerStatus } from "./routes/status.ts";
import { registerStripeEvents } from "./routes/stripe-events.ts";
import type { Services } from "./services.ts";
import { registerTraceMoe } from "./trace-moe/register-trace-moe.ts";

/** Registers the routes of an area; each takes the services that it needs. */
type RegisterRoutes = (app: FastifyInstance, services: Services) => void;

/** The routes of the API, in the order of their registration. */
const routes: readonly RegisterRoutes[] = [
  registerSearchAnime,
  registerSearches,
  registerFindAnime,
  registerQuota,
  registerRankings,
  registerRankingsFeed,
  registerLibrary,
  registerAuth,
  registerApiKeys,
  registerDeviceLinks,
  registerCheckout,
  registerStripeEvents,
  registerPreviews,
  registerCovers,
  registerSite,
  registerOperator,
  registerOperatorUsers,
  registerDailyTotals,
  registerOperatorLibrary,
  registerOperatorQueue,
  registerOperatorRecords,
  registerOperatorMissing,
  registerMcp,
  registerTraceMoe,
  registerConnect,
  registerLibraryWebhooks,
  registerHealth,
  registerStatus,
];

/** Registers every endpoint of the contract, and the paths for other programs. */
export function registerRoutes(app: FastifyInstance, services: Services): void {
  for (const register of routes) register(app, services);
}

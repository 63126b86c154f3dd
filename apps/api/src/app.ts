import multipart from "@fastify/multipart";
import { type Accounts, type CallerHashes, createCallerHashes, deriveKey } from "@koma/accounts";
import type { Configuration } from "@koma/config";
import type { Database } from "@koma/database";
import { createImageFetch, type ImageNetwork, publicNetwork } from "@koma/image-fetch";
import {
  chooseWorkerCount,
  imageLimits,
  type Library,
  type LibrarySearch,
  type Previews,
  readMemoryLimit,
} from "@koma/library";
import type { FastifyInstance, FastifyServerOptions } from "fastify";
import { Registry } from "prom-client";
import { registerAuth } from "./auth/register-auth.ts";
import { readBaseUrl } from "./base-url.ts";
import { createBotKeys } from "./bot-keys.ts";
import { createCalendar } from "./calendar.ts";
import { createCallerIdentification } from "./caller.ts";
import { registerConnect } from "./connect/register-connect.ts";
import { createServer } from "./create-server.ts";
import { createDeviceLinks } from "./device-links/device-links.ts";
import { createLeakedKeys } from "./device-links/leaked-keys.ts";
import { createLinkCodes } from "./device-links/link-codes.ts";
import type { IndexQueue } from "./library-events/index-queue.ts";
import { type ApiMetrics, createApiMetrics } from "./metrics/api-metrics.ts";
import { registerRequestDurations } from "./metrics/request-durations.ts";
import { addResourceGauges } from "./metrics/resource-gauges.ts";
import { registerDocs } from "./plugins/docs.ts";
import { registerProblems } from "./plugins/problem.ts";
import { registerRateLimit } from "./plugins/rate-limit.ts";
import type { ResponseLimits } from "./plugins/response-budget.ts";
import { registerWebPage } from "./plugins/web-page.ts";
import { registerWebSecurity } from "./plugins/web-security.ts";
import { createPreviewAddresses } from "./previews/preview-addresses.ts";
import { createPreviewSlots } from "./previews/preview-slots.ts";
import { registerApiKeys } from "./routes/api-keys.ts";
import { registerCheckout } from "./routes/checkout.ts";
import { registerCovers } from "./routes/covers.ts";
import { registerCredits } from "./routes/credits.ts";
import { registerDailyTotals } from "./routes/daily-totals.ts";
import { registerDeviceLinks } from "./routes/device-links.ts";
import { registerFindAnime } from "./routes/find-anime.ts";
import { registerGetQuota } from "./routes/get-quota.ts";
import { registerHealth } from "./routes/health.ts";
import { registerLibrary } from "./routes/library.ts";
import { registerLibraryEvents } from "./routes/library-events.ts";
import { registerMcp } from "./routes/mcp.ts";
import { registerOperator } from "./routes/operator.ts";
import { registerOperatorLibrary } from "./routes/operator-library.ts";
import { registerOperatorQueue } from "./routes/operator-queue.ts";
import { registerOperatorRecords } from "./routes/operator-records.ts";
import { registerPreviews } from "./routes/previews.ts";
import { registerRankings } from "./routes/rankings.ts";
import { registerRecentSearches } from "./routes/recent-searches.ts";
import { registerSearchAnime } from "./routes/search-anime.ts";
import { registerSearches } from "./routes/searches.ts";
import { registerSite } from "./routes/site.ts";
import { registerStatus } from "./routes/status.ts";
import { registerStripeEvents } from "./routes/stripe-events.ts";
import { registerUserSearches } from "./routes/user-searches.ts";
import { createConfirmTokens } from "./search/confirm-tokens.ts";
import { createIdempotentResponses } from "./search/idempotent-responses.ts";
import { createCallerQuota } from "./search/quota.ts";
import { createSearchQueue } from "./search/search-queue.ts";
import { createSearchService } from "./search/search-service.ts";
import { createSharedScenes } from "./search/shared-scenes.ts";
import { createStoredScenes } from "./search/stored-scene.ts";
import { createStoredSearches } from "./search/stored-searches.ts";
import { createUploadBudget } from "./search/upload-budget.ts";
import { chooseUploadBytes } from "./search/upload-bytes.ts";
import { registerTraceMoe } from "./trace-moe/register-trace-moe.ts";

/** The dependencies and settings of the API. */
export type AppOptions = {
  config: Configuration;
  database: Database;
  accounts: Accounts;
  /** The search library; undefined while it loads and after its threads have failed. */
  getSearch: () => LibrarySearch | undefined;
  previews: Previews;
  /** The library, from which operators remove episodes. */
  library: Pick<Library, "hasFfmpeg" | "remove">;
  /** Indexes videos in the background. Without it neither events nor operators start indexing. */
  indexQueue?: Pick<IndexQueue, "add" | "status">;
  /** The key that signs preview addresses and hashes callers. */
  secret: string;
  version: string;
  logger?: NonNullable<FastifyServerOptions["logger"]>;
  /** The metrics of this API; by default they are in a registry of their own, which nothing reads. */
  metrics?: ApiMetrics;
  /** The bytes of unsent responses; by default those of the memory limit of the process. */
  responseLimits?: ResponseLimits;
  /** The network that image addresses are fetched from; the internet by default. */
  network?: ImageNetwork;
  now?: () => Date;
  /**
   * The folder of the built web page; that of apps/web by default. Without a folder the API serves no page.
   */
  pageFolder?: string;
  /** The seconds for which an unfinished search holds its reservation. */
  leaseSeconds?: number;
};

/** Creates the API without listening. */
export async function createApp(options: AppOptions): Promise<FastifyInstance> {
  const { config, database, accounts, secret } = options;
  const app = createServer(options);
  const metrics = options.metrics ?? createApiMetrics(new Registry());
  registerRequestDurations(app, metrics.registry);
  const getBaseUrl = () => readBaseUrl(config, app);
  const isTrustedOrigin = (origin: string) =>
    origin === new URL(getBaseUrl()).origin || config.KOMA_TRUSTED_ORIGINS.includes(origin);

  const hashes = createCallerHashes(secret);
  const botKeys = createBotKeys();
  await registerRateLimit(app, {
    requestsPerMinute: config.KOMA_REQUESTS_PER_MINUTE,
    siteRequestsPerMinute: config.KOMA_SITE_REQUESTS_PER_MINUTE,
    rateLimits: database.rateLimits,
    hash: hashes.requests,
    botKeys,
  });
  registerProblems(app);
  await registerWebSecurity(app, { isHttps: getBaseUrl().startsWith("https:"), isTrustedOrigin });
  app.removeAllContentTypeParsers();
  await app.register(multipart);
  app.decorate(
    "identifyCaller",
    createCallerIdentification({
      accounts,
      database,
      hashes,
      botKeys,
      isTrustedOrigin,
      requireTwoFactor: config.KOMA_REQUIRE_2FA,
    }),
  );

  const services = createServices(app, { ...options, metrics, getBaseUrl, hashes });
  addResourceGauges(metrics.registry, { ...options, ...services });
  registerRoutes(app, { ...options, metrics, getBaseUrl, hashes, ...services });
  await registerWebPage(app, { getBaseUrl, folder: options.pageFolder, sharedScenes: services.sharedScenes });
  await registerDocs(app, { baseUrl: config.KOMA_BASE_URL ?? "/", getBaseUrl, version: options.version });
  return app;
}

function readServerHost({ KOMA_BASE_URL }: Configuration): string | undefined {
  return KOMA_BASE_URL === undefined ? undefined : new URL(KOMA_BASE_URL).hostname.replace(/^\[|\]$/g, "");
}

type Services = ReturnType<typeof createServices>;

/** Creates the services behind the routes. */
function createServices(
  app: FastifyInstance,
  options: AppOptions & { metrics: ApiMetrics; getBaseUrl: () => string; hashes: CallerHashes },
) {
  const { config, database, accounts, secret, getBaseUrl, hashes } = options;
  const now = options.now ?? (() => new Date());
  const leaseSeconds = options.leaseSeconds ?? 30;
  const addresses = createPreviewAddresses({ key: deriveKey(secret, "preview"), getBaseUrl, now });
  const quota = createCallerQuota({
    database,
    calendar: createCalendar(config.KOMA_TIME_ZONE, now),
    limits: {
      guestSearchesPerDay: config.KOMA_GUEST_SEARCHES_PER_DAY,
      freeCreditsPerDay: config.KOMA_FREE_CREDITS_PER_DAY,
      searchesPerHour: config.KOMA_SEARCHES_PER_HOUR,
    },
    leaseSeconds,
  });
  const tokens = createConfirmTokens(deriveKey(secret, "confirm"));
  const scenes = createStoredScenes({ database, addresses, listShots: options.previews.listShots });
  const searches = createStoredSearches({ database, scenes, tokens, now });
  const sharedScenes = createSharedScenes({ database });
  const onLeftover = (error: unknown) => app.log.warn({ err: error }, "a lease could not be released");
  const queue = createSearchQueue({
    // One search more than workers: a worker describes the next image while the index is searched.
    atOnce: (config.KOMA_ENGINE_WORKERS ?? chooseWorkerCount()) + 1,
    guestQueued: config.KOMA_GUEST_QUEUED_IMAGES,
    failedMs: config.KOMA_FAILED_SEARCH_SECONDS * 1000,
  });
  const videoQueue = createSearchQueue({
    atOnce: 1,
    guestQueued: config.KOMA_GUEST_QUEUED_IMAGES,
    // The other queue counts the time of failed searches.
    failedMs: Number.POSITIVE_INFINITY,
  });
  const search = createSearchService({
    database,
    getSearch: options.getSearch,
    quota,
    previews: addresses,
    idempotentResponses: createIdempotentResponses({ database, leaseSeconds, onLeftover }),
    fetchImage: createImageFetch({
      network: { serverHost: readServerHost(config), ...(options.network ?? publicNetwork) },
      limitBytes: imageLimits.bytes,
      timeoutMs: 10_000,
      userAgent: `Koma/${options.version}`,
    }),
    tokens,
    queue,
    videoQueue,
    metrics: options.metrics.searches,
    leaseSeconds,
    onLeftover,
  });
  const uploads = createUploadBudget({
    ...chooseUploadBytes(config, readMemoryLimit()),
    idleMs: config.KOMA_UPLOAD_IDLE_SECONDS * 1000,
    minimumBytesPerSecond: config.KOMA_UPLOAD_KIB_PER_SECOND * 1024,
  });
  const codes = createLinkCodes(deriveKey(secret, "link"));
  const deviceLinks = createDeviceLinks({ database, accounts, codes, hashes, getBaseUrl, now });
  const leakedKeys = createLeakedKeys({ database, accounts, hashes, now });
  const previewKey = deriveKey(secret, "preview");
  const previewSlots = createPreviewSlots({ atOnce: config.KOMA_PREVIEWS_PER_NETWORK });
  return {
    now,
    addresses,
    previewKey,
    previewSlots,
    quota,
    search,
    searches,
    scenes,
    sharedScenes,
    deviceLinks,
    leakedKeys,
    uploads,
    queue,
    videoQueue,
  };
}

/** Registers every endpoint of the contract. */
function registerRoutes(
  app: FastifyInstance,
  parts: Omit<AppOptions, "now"> &
    Services & { metrics: ApiMetrics; getBaseUrl: () => string; hashes: CallerHashes },
): void {
  registerSearchAnime(app, parts);
  registerSearches(app, parts);
  registerFindAnime(app, parts);
  registerGetQuota(app, parts);
  registerRankings(app, parts);
  registerRecentSearches(app, parts);
  registerLibrary(app, parts);
  registerCredits(app, parts);
  registerUserSearches(app, parts);
  registerAuth(app, parts);
  registerApiKeys(app, parts);
  registerDeviceLinks(app, parts);
  registerCheckout(app, parts.accounts);
  registerStripeEvents(app, parts);
  registerPreviews(app, parts);
  registerCovers(app, parts);
  registerSite(app, parts);
  registerOperator(app, parts);
  registerDailyTotals(app, parts);
  registerOperatorLibrary(app, parts);
  registerOperatorQueue(app, parts);
  registerOperatorRecords(app, parts);
  registerMcp(app, parts);
  registerTraceMoe(app, parts);
  registerConnect(app, parts);
  registerLibraryEvents(app, parts);
  registerHealth(app, parts);
  registerStatus(app, parts);
}

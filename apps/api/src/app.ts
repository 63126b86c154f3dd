import multipart from "@fastify/multipart";
import { createCallerHashes } from "@koma/accounts";
import type { FastifyInstance, FastifyServerOptions } from "fastify";
import { Registry } from "prom-client";
import { readBaseUrl } from "./base-url.ts";
import { createBotKeys } from "./bot-keys.ts";
import { createCallerIdentification } from "./caller.ts";
import { createServer } from "./create-server.ts";
import { type ApiMetrics, createApiMetrics } from "./metrics/api-metrics.ts";
import { registerRequestDurations } from "./metrics/request-durations.ts";
import { addResourceGauges } from "./metrics/resource-gauges.ts";
import { registerDocs } from "./plugins/docs.ts";
import { registerProblems } from "./plugins/problem.ts";
import { registerRateLimit } from "./plugins/rate-limit.ts";
import type { ResponseLimits } from "./plugins/response-budget.ts";
import { registerWebPage } from "./plugins/web-page.ts";
import { registerWebSecurity } from "./plugins/web-security.ts";
import { registerRoutes } from "./routes.ts";
import { createServices, type ServiceOptions } from "./services.ts";

/** The dependencies and settings of the API. */
export type AppOptions = ServiceOptions & {
  logger?: NonNullable<FastifyServerOptions["logger"]>;
  /** The metrics of this API; by default they are in a registry of their own, which nothing reads. */
  metrics?: ApiMetrics;
  /** The bytes of unsent responses; by default those of the memory limit of the process. */
  responseLimits?: ResponseLimits;
  now?: () => Date;
  /**
   * The folder of the built web page; that of apps/web by default. Without a folder the API serves no page.
   */
  pageFolder?: string;
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

  const now = options.now ?? (() => new Date());
  const services = createServices({ ...options, metrics, getBaseUrl, hashes, now, log: app.log });
  addResourceGauges(metrics.registry, services);
  registerRoutes(app, services);
  await registerWebPage(app, { getBaseUrl, folder: options.pageFolder, sharedScenes: services.sharedScenes });
  registerDocs(app, { baseUrl: config.KOMA_BASE_URL ?? "/", getBaseUrl, version: options.version });
  return app;
}

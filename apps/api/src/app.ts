import { randomUUID } from "node:crypto";
import multipart from "@fastify/multipart";
import type { Configuration } from "@koma/contract/configuration";
import type { Database } from "@koma/database";
import { imageLimits, type LibrarySearch, type Previews } from "@koma/library";
import fastify, { type FastifyInstance, type FastifyServerOptions, LogController } from "fastify";
import { stripPrefix, toBaseUrl } from "./base-url.ts";
import { createCalendar } from "./calendar.ts";
import { createCallerIdentification } from "./caller.ts";
import { createPictureFetch } from "./picture-fetch/fetch-picture.ts";
import { type PictureNetwork, publicNetwork } from "./picture-fetch/network.ts";
import { registerDocs } from "./plugins/docs.ts";
import { registerGracefulClose } from "./plugins/graceful-close.ts";
import { registerProblems, sendProblem, toApiError } from "./plugins/problem.ts";
import { registerRateLimit } from "./plugins/rate-limit.ts";
import { answerUnreadableRequest } from "./plugins/unreadable-request.ts";
import { registerWebSecurity } from "./plugins/web-security.ts";
import { createPreviewAddresses } from "./previews/preview-addresses.ts";
import { registerFindAnime } from "./routes/find-anime.ts";
import { registerGetQuota } from "./routes/get-quota.ts";
import { registerHealth } from "./routes/health.ts";
import { registerPreviews } from "./routes/previews.ts";
import { registerSearchAnime } from "./routes/search-anime.ts";
import { createFirstAnswers } from "./search/first-answers.ts";
import { createGuestQuota } from "./search/guest-quota.ts";
import { createSearchService } from "./search/search-service.ts";
import { deriveKey } from "./secret.ts";

/** What the API is made of. */
export type AppOptions = {
  config: Configuration;
  database: Database;
  /** The films open for search; undefined while they are being loaded, and once their threads have died. */
  getSearch: () => LibrarySearch | undefined;
  previews: Previews;
  /** Signs preview addresses and hides who asked. */
  secret: string;
  version: string;
  logger?: NonNullable<FastifyServerOptions["logger"]>;
  /** How pictures behind addresses are reached; by default the internet. */
  network?: PictureNetwork;
  now?: () => Date;
  /** For how long an unfinished search holds its place in the quota. */
  leaseSeconds?: number;
};

/** The API, not yet listening. */
export async function createApp(options: AppOptions): Promise<FastifyInstance> {
  const { config, database, getSearch, secret } = options;
  const now = options.now ?? (() => new Date());
  const leaseSeconds = options.leaseSeconds ?? 30;
  const app = createServer(options);
  const getBaseUrl = () => config.KOMA_BASE_URL ?? toBaseUrl(config.HOST, getPort(app) ?? config.PORT);
  const isTrustedOrigin = (origin: string) =>
    origin === new URL(getBaseUrl()).origin || config.KOMA_TRUSTED_ORIGINS.includes(origin);

  const identifyCaller = createCallerIdentification({
    key: deriveKey(secret, "caller"),
    isTrustedOrigin,
  });
  const calendar = createCalendar(config.KOMA_TIME_ZONE, now);
  const quota = createGuestQuota({
    database,
    calendar,
    limit: config.KOMA_GUEST_SEARCHES_PER_DAY,
    leaseSeconds,
  });
  const addresses = createPreviewAddresses({
    key: deriveKey(secret, "preview"),
    getBaseUrl,
    now,
  });
  const search = createSearchService({
    database,
    getSearch,
    quota,
    firstAnswers: createFirstAnswers({ database, leaseSeconds }),
    fetchPicture: createPictureFetch({
      network: options.network ?? publicNetwork,
      limitBytes: imageLimits.bytes,
      timeoutMs: 10_000,
      userAgent: `Koma/${options.version}`,
    }),
    previews: addresses,
    confirmKey: deriveKey(secret, "confirm"),
    onLeftover: (error) => app.log.warn({ err: error }, "a lease could not be given back"),
  });

  await registerWebSecurity(app, {
    isHttps: getBaseUrl().startsWith("https:"),
    isTrustedOrigin,
  });
  await registerRateLimit(app, {
    requestsPerMinute: config.KOMA_REQUESTS_PER_MINUTE,
  });
  registerProblems(app);
  app.removeAllContentTypeParsers();
  await app.register(multipart);

  registerSearchAnime(app, { identifyCaller, search, quota, now });
  registerFindAnime(app, { database });
  registerGetQuota(app, { identifyCaller, quota });
  registerPreviews(app, { addresses, previews: options.previews });
  registerHealth(app, { database, getSearch });
  await registerDocs(app, {
    baseUrl: config.KOMA_BASE_URL ?? "/",
    version: options.version,
  });
  return app;
}

function createServer({ config, logger }: AppOptions): FastifyInstance {
  const proxies = config.KOMA_TRUSTED_PROXIES;
  const prefix =
    config.KOMA_BASE_URL === undefined ? "" : new URL(config.KOMA_BASE_URL).pathname.replace(/\/$/, "");
  const app = fastify({
    logger: logger ?? false,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    trustProxy: proxies.length === 0 ? false : proxies,
    rewriteUrl: (request) => stripPrefix(request.url ?? "/", prefix),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 100 },
    bodyLimit: imageLimits.bytes,
    // A phone on a slow line needs time for 10 MiB; one that sends nothing does not.
    requestTimeout: 120_000,
    forceCloseConnections: "idle",
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) => sendProblem(toApiError(error), request, reply),
    clientErrorHandler: answerUnreadableRequest,
  });
  registerGracefulClose(app);
  app.addHook("onRequest", async (request, reply) => {
    reply.header("x-request-id", request.id);
  });
  app.addHook("onResponse", async (request, reply) => {
    // Known addresses by their pattern: what stands in them (a signature, say) is nobody's business.
    const path = request.is404 ? request.url.split("?", 1)[0] : request.routeOptions.url;
    request.log.info(`${request.method} ${path} ${reply.statusCode} ${Math.round(reply.elapsedTime)} ms`);
  });
  return app;
}

function getPort(app: FastifyInstance): number | undefined {
  const address = app.server.address();
  return typeof address === "object" && address !== null ? address.port : undefined;
}

import type { RateLimitOptions, RateLimitPluginOptions } from "@fastify/rate-limit";
import type { Configuration } from "@koma/config";
import type { Database } from "@koma/database";
import type { LibraryMatch, LibrarySearch, Previews } from "@koma/library";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type Caller, readNetwork } from "../caller.ts";
import { readClientAddress } from "../client-network.ts";
import type { ApiMetrics } from "../metrics/api-metrics.ts";
import { createPreviewAddresses } from "../previews/preview-addresses.ts";
import type { PreviewSlots } from "../previews/preview-slots.ts";
import { watchCaller } from "../routes/search-anime.ts";
import type { Allowance, CallerQuota } from "../search/quota.ts";
import { addRateLimit } from "../search/rate-limit-headers.ts";
import type { SearchService } from "../search/search-service.ts";
import type { UploadBudget } from "../search/upload-budget.ts";
import { watchUpload } from "../search/watch-upload.ts";
import { describeClip } from "./clip-range.ts";
import { createConcurrency, toConcurrency } from "./concurrency.ts";
import { presentSearch } from "./present-search.ts";
import { readImage } from "./read-image.ts";
import { reduceImage } from "./reduce-image.ts";
import { presentCount, readPeriod, registerInformation, startOf } from "./register-information.ts";
import { registerTraceMoePreviews } from "./register-previews.ts";
import { TraceMoeError, toTraceMoeError, toTraceMoeQuota } from "./trace-moe-error.ts";

type Options = {
  config: Pick<Configuration, "KOMA_PUBLIC_LIBRARY">;
  database: Database;
  previews: Previews;
  previewSlots: PreviewSlots;
  previewKey: Buffer;
  search: SearchService;
  quota: CallerQuota;
  uploads: UploadBudget;
  metrics: ApiMetrics;
  getSearch: () => LibrarySearch | undefined;
  getBaseUrl: () => string;
  now: () => Date;
};

/**
 * `/trace.moe/*`: the API of trace.moe, so that its clients work with Koma after a change of their address.
 */
export function registerTraceMoe(app: FastifyInstance, options: Options): void {
  const { database, previews, previewSlots, search, quota, uploads, now } = options;
  const metrics = options.metrics.searches;
  const concurrency = createConcurrency();
  const addresses = createPreviewAddresses({
    key: options.previewKey,
    getBaseUrl: () => `${options.getBaseUrl()}${prefix}`,
    now,
  });

  app.register(
    async (scope) => {
      // The handler reads the body after it has identified the caller.
      scope.addContentTypeParser("*", (_request, body, done) => done(null, body));
      scope.setErrorHandler(sendError);
      scope.addHook("onSend", async (_request, reply) => describeRequestLimit(reply, now()));
      scope.setNotFoundHandler({ preHandler: app.rateLimit(rateLimit) }, (request, reply) =>
        sendError(new TraceMoeError(404, "Not Found"), request, reply),
      );
      scope.get("/", { config }, async () => "ok");
      scope.get("/me", { config }, async (request, reply) => {
        reply.header("cache-control", "no-store");
        const caller = await identify(request);
        const { period } = request.query as { period?: unknown };
        if (period === undefined || period === "") return await describeCaller(caller, request);
        const unit = readPeriod(period);
        if (unit === undefined) throw new TraceMoeError(400, "Invalid period");
        const range = { unit, from: startOf(unit, now()), callerHash: caller.hash };
        return (await database.searches.countByTime(range)).map(presentCount);
      });
      registerInformation(scope, { config }, options);
      scope.route({ method: ["GET", "POST"], url: "/search", config, handler: handleSearch });
      scope.route({
        method: ["PUT", "PATCH", "DELETE"],
        url: "/search",
        config,
        handler: async () => {
          throw new TraceMoeError(405, "Method Not Allowed");
        },
      });
      registerTraceMoePreviews(scope, { addresses, previews, previewSlots, now });
    },
    { prefix },
  );

  async function handleSearch(request: FastifyRequest, reply: FastifyReply) {
    const signal = watchCaller(reply);
    const caller = await identify(request);
    const query = request.query as Record<string, unknown>;
    const network = readNetwork(caller, request);
    const leave = concurrency.enter(caller);
    const share = uploads.open({ caller: caller.hash, network });
    reply.header("cache-control", "no-store");
    let known: Allowance | undefined;
    const onAllowance = (allowance: Allowance) => {
      known = allowance;
    };
    try {
      const searchImage = async () => {
        const uploadSignal = watchUpload(request.raw, share);
        const reading = { url: readUrl(request), share, signal: uploadSignal };
        const image = await metrics.time("receive", () => readImage(request, reading));
        share.finish();
        const anime = await findAnime(query.anilistID);
        if (anime === "unknown") return undefined;
        const options = { isPublic: false, trimBorders: true, upstream: false };
        const form = { query: image, animeId: anime?.id, ...options };
        const order = { caller, network, form, share, signal, onAllowance };
        return await search.searchWithMatches({ ...order, prepare: reduceImage, limit: resultLimit });
      };
      const found = await metrics.count(
        { caller, protocol: "trace_moe", reply },
        searchImage,
        (outcome) => outcome?.result.outcome ?? "not_in_library",
      );
      if (found === undefined) return { frameCount: 0, error: "", result: [] };
      return presentSearch(found, {
        hasAnilistInfo: "anilistInfo" in query,
        thresholds: options.getSearch()?.thresholds ?? { absentBelow: 0, confidentAt: 1 },
        describePreviews: (match) => describePreviews(match, query),
      });
    } finally {
      leave();
      share.close();
      await addRateLimit(reply, { caller, quota, known, signal, now });
    }
  }

  /**
   * Identifies the caller by the key in the header or in the address. Cookies are ignored, because the API is
   * open to all sites.
   */
  async function identify(request: FastifyRequest): Promise<Caller> {
    const { key } = request.query as { key?: unknown };
    const sent = request.headers["x-trace-key"] ?? key;
    if (sent !== undefined && typeof sent !== "string") throw new TraceMoeError(403, "Invalid API key");
    request.headers = {
      cookie: undefined,
      ...(sent ? { authorization: `Bearer ${sent}` } : {}),
    };
    const caller = await app.identifyCaller(request, { security: ["guest", "apiKey"], scope: "search" });
    if (caller === undefined) throw new TraceMoeError(403, "Invalid API key");
    return caller;
  }

  async function describeCaller(caller: Caller, request: FastifyRequest) {
    const user = caller.kind === "user" ? await database.users.find(caller.userId) : undefined;
    const allowance = await quota.usage(caller);
    return {
      id: user?.email ?? readClientAddress(request),
      // Koma has no priorities.
      priority: 0,
      concurrency: toConcurrency(caller),
      ...toTraceMoeQuota(allowance.quota),
    };
  }

  async function findAnime(anilistId: unknown): Promise<{ id: string } | "unknown" | undefined> {
    if (typeof anilistId !== "string" || !/^\d{1,9}$/.test(anilistId)) return undefined;
    const id = Number(anilistId);
    const anime = await database.anime.findByAnilistId(id);
    // The id of a merged anime is a key of the remaining one.
    return anime ?? (await database.anime.findByKey(`anilist:${id}`)) ?? "unknown";
  }

  /** Their addresses are those of trace.moe: clients append `size`, `mute`, `minDuration` and `maxDuration`. */
  function describePreviews(match: LibraryMatch, query: Record<string, unknown>) {
    const { id } = match.episode;
    const size = typeof query.size === "string" && /^[sml]$/.test(query.size) ? [`size=${query.size}`] : [];
    const mute = "mute" in query ? ["mute"] : [];
    const withQuery = (address: string, options: string[]) =>
      options.length === 0 ? address : `${address}?${options.join("&")}`;
    const still = addresses.toAddress("still", id, `${Math.round(match.timestamp * 1000)}.jpg`);
    const clip = addresses.toAddress("clip", id, describeClip(match));
    return { imageUrl: withQuery(still, size), videoUrl: withQuery(clip, [...size, ...mute]) };
  }
}

const prefix = "/trace.moe";
const resultLimit = 10;

// trace.moe describes its limit of requests a minute in these headers; the rest of Koma does not have them.
const rateLimitHeaders = {
  "x-ratelimit-limit": true,
  "x-ratelimit-remaining": true,
  "x-ratelimit-reset": true,
};
// A route may have these options too, although the plugin's types say otherwise.
const rateLimit: RateLimitOptions & Pick<RateLimitPluginOptions, "addHeaders" | "addHeadersOnExceeding"> = {
  addHeaders: rateLimitHeaders,
  addHeadersOnExceeding: rateLimitHeaders,
};
const config = { rateLimit };

/**
 * The plugin gives the seconds until the reset; trace.moe gives its time, and the seconds in the other
 * header.
 */
function describeRequestLimit(reply: FastifyReply, now: Date): void {
  const seconds = reply.getHeader("x-ratelimit-reset");
  if (seconds === undefined) return;
  reply.headers({
    "x-ratelimit-reset": Math.ceil(now.getTime() / 1000) + Number(seconds),
    "ratelimit-limit": reply.getHeader("x-ratelimit-limit"),
    "ratelimit-remaining": reply.getHeader("x-ratelimit-remaining"),
    "ratelimit-reset": seconds,
  });
}

function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = toTraceMoeError(error, readUrl(request));
  const { retryAfterSeconds, ...quota } = known.extras;
  if (known.statusCode === 500 && !reply.raw.destroyed) request.log.error({ err: error }, "request failed");
  if (retryAfterSeconds !== undefined) reply.header("retry-after", Math.max(1, Math.ceil(retryAfterSeconds)));
  return reply
    .code(known.statusCode)
    .header("cache-control", "no-store")
    .type("application/json; charset=utf-8")
    .serializer(JSON.stringify)
    .send({ ...quota, error: known.message });
}

function readUrl(request: FastifyRequest): string | undefined {
  const { url } = request.query as { url?: unknown };
  return url === undefined || url === "" ? undefined : String(url);
}

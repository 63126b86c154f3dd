import rateLimit from "@fastify/rate-limit";
import { listLimitedNetworks } from "@koma/accounts";
import type { FastifyInstance } from "fastify";
import { ApiError } from "../api-error.ts";
import type { BotKeys } from "../bot-keys.ts";
import { readClientNetwork } from "../client-network.ts";
import { createRequestCounts } from "./request-counts.ts";

const windowMs = 60_000;
const noHeaders = { "x-ratelimit-limit": false, "x-ratelimit-remaining": false, "x-ratelimit-reset": false };

/**
 * The general limit against abuse, by client network, shared by all instances on one database. Requests of
 * bots count by chat user, because all chat users of a bot share its network. Routes opt out with `config: {
 * rateLimit: false }`.
 */
export async function registerRateLimit(
  app: FastifyInstance,
  options: { requestsPerMinute: number; siteRequestsPerMinute: number; botKeys: BotKeys } & Omit<
    Parameters<typeof createRequestCounts>[0],
    "windowMs"
  >,
): Promise<void> {
  const counts = createRequestCounts({ ...options, windowMs });
  app.addHook("onClose", () => counts.close());
  await app.register(rateLimit, {
    global: true,
    max: options.requestsPerMinute,
    timeWindow: windowMs,
    keyGenerator: (request) => options.botKeys.readChatUser(request) ?? readClientNetwork(request),
    allowList: (request) => options.botKeys.readChatUser(request) === "bot",
    store: class {
      incr(network: string, done: (error: null, counted: { current: number; ttl: number }) => void): void {
        const [own, ...wider] = listLimitedNetworks(network).map(({ network: counted, times }) => ({
          ...counts.take(counted),
          limit: counted.endsWith("/48") ? options.siteRequestsPerMinute : times * options.requestsPerMinute,
        }));
        const full = wider.find(({ count, limit }) => count > limit);
        const current = own?.count ?? 0;
        if (full === undefined) done(null, { current, ttl: own?.remainingMs ?? 0 });
        else done(null, { current: Math.max(current, options.requestsPerMinute + 1), ttl: full.remainingMs });
      }
      child() {
        return this;
      }
    },
    // The draft's RateLimit headers describe the quota; this limit uses only Retry-After.
    addHeaders: noHeaders,
    addHeadersOnExceeding: noHeaders,
    errorResponseBuilder: (_request, context) =>
      new ApiError("too_many_requests", `At most ${context.max} requests per minute.`, {
        retryAfterSeconds: context.ttl / 1000,
      }),
  });
}

import rateLimit from "@fastify/rate-limit";
import type { FastifyInstance } from "fastify";
import { ApiError } from "../api-error.ts";
import { toClientNetwork } from "../client-network.ts";

/** The general limit against abuse, by client network. Routes leave it with `config: { rateLimit: false }`. */
export async function registerRateLimit(
  app: FastifyInstance,
  options: { requestsPerMinute: number },
): Promise<void> {
  await app.register(rateLimit, {
    global: true,
    max: options.requestsPerMinute,
    timeWindow: 60_000,
    keyGenerator: (request) => toClientNetwork(request.ip),
    // The draft's RateLimit headers are the quota's; this limit speaks by Retry-After only.
    addHeaders: { "x-ratelimit-limit": false, "x-ratelimit-remaining": false, "x-ratelimit-reset": false },
    addHeadersOnExceeding: {
      "x-ratelimit-limit": false,
      "x-ratelimit-remaining": false,
      "x-ratelimit-reset": false,
    },
    errorResponseBuilder: (_request, context) =>
      new ApiError("too_many_requests", `At most ${context.max} requests a minute.`, {
        retryAfterSeconds: context.ttl / 1000,
      }),
  });
}

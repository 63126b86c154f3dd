import { getQuota } from "@koma/contract";
import type { FastifyInstance } from "fastify";
import { registerEndpoint } from "../register-endpoint.ts";
import type { CallerQuota } from "../search/quota.ts";

/** `GET /api/anime/quota`. */
export function registerGetQuota(app: FastifyInstance, options: { quota: CallerQuota }): void {
  registerEndpoint(app, getQuota, async ({ caller }) => {
    return (await options.quota.usage(caller)).quota;
  });
}

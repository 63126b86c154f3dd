import { getCredits, getQuota } from "@koma/contract";
import type { FastifyInstance } from "fastify";
import { registerEndpoint } from "../register-endpoint.ts";
import type { CallerQuota } from "../search/quota.ts";

/** `GET /api/anime/quota` and `/api/user/anime-credits`. */
export function registerQuota(app: FastifyInstance, { quota }: { quota: CallerQuota }): void {
  registerEndpoint(app, getQuota, async ({ caller }) => (await quota.usage(caller)).quota);

  registerEndpoint(app, getCredits, async ({ caller }) => await quota.creditsUsage(caller));
}

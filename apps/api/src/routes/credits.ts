import { getCredits } from "@koma/contract";
import type { FastifyInstance } from "fastify";
import { registerEndpoint } from "../register-endpoint.ts";
import type { CallerQuota } from "../search/quota.ts";

/** `GET /api/user/anime-credits`. */
export function registerCredits(app: FastifyInstance, { quota }: { quota: CallerQuota }): void {
  registerEndpoint(app, getCredits, async ({ caller }) => {
    return await quota.creditsUsage(caller);
  });
}

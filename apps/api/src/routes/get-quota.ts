import { getQuota } from "@koma/contract";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Caller } from "../caller.ts";
import { registerEndpoint } from "../register-endpoint.ts";
import type { GuestQuota } from "../search/guest-quota.ts";

/** `GET /api/anime/quota`. */
export function registerGetQuota(
  app: FastifyInstance,
  options: { identifyCaller: (request: FastifyRequest) => Caller; quota: GuestQuota },
): void {
  registerEndpoint(app, getQuota, async ({ raw, reply }) => {
    reply.header("cache-control", "no-store");
    return await options.quota.look(options.identifyCaller(raw));
  });
}

import { approveLink, claimLink, createLink, denyLink, getLink } from "@koma/contract";
import type { FastifyInstance } from "fastify";
import type { Links } from "../links/links.ts";
import { registerEndpoint } from "../register-endpoint.ts";

/**
 * `POST /api/links`, `POST /api/links/token`, `GET /api/links/{userCode}`, `POST
 * /api/links/{userCode}/approve` and `…/deny`.
 */
export function registerLinks(app: FastifyInstance, { links }: { links: Links }): void {
  registerEndpoint(app, createLink, async ({ caller, json }) => {
    return await links.create({ ...json, botUserId: caller.userId });
  });

  registerEndpoint(app, claimLink, async ({ caller, json }) => {
    return await links.claim({ botUserId: caller.userId, deviceCode: json.deviceCode });
  });

  registerEndpoint(app, getLink, async ({ caller, params }) => {
    return await links.show({ userId: caller.userId, userCode: params.userCode });
  });

  registerEndpoint(app, approveLink, async ({ caller, params }) => {
    await links.approve({ userId: caller.userId, userCode: params.userCode });
  });

  registerEndpoint(app, denyLink, async ({ caller, params }) => {
    await links.deny({ userId: caller.userId, userCode: params.userCode });
  });
}

import { approveLink, claimLink, createLink, denyLink, getLink } from "@koma/contract";
import type { FastifyInstance } from "fastify";
import type { DeviceLinks } from "../device-links/device-links.ts";
import { registerEndpoint } from "../register-endpoint.ts";

/**
 * `POST /api/links`, `POST /api/links/token`, `GET /api/links/{userCode}`, `POST
 * /api/links/{userCode}/approve` and `…/deny`.
 */
export function registerDeviceLinks(
  app: FastifyInstance,
  { deviceLinks }: { deviceLinks: DeviceLinks },
): void {
  registerEndpoint(app, createLink, async ({ caller, json }) => {
    return await deviceLinks.create({ ...json, botUserId: caller.userId });
  });

  registerEndpoint(app, claimLink, async ({ caller, json }) => {
    return await deviceLinks.claim({ botUserId: caller.userId, deviceCode: json.deviceCode });
  });

  registerEndpoint(app, getLink, async ({ caller, params }) => {
    return await deviceLinks.show({ userId: caller.userId, userCode: params.userCode });
  });

  registerEndpoint(app, approveLink, async ({ caller, params }) => {
    await deviceLinks.approve({ userId: caller.userId, userCode: params.userCode });
  });

  registerEndpoint(app, denyLink, async ({ caller, params }) => {
    await deviceLinks.deny({ userId: caller.userId, userCode: params.userCode });
  });
}

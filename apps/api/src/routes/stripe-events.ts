import type { Payments } from "@koma/accounts";
import { receiveStripeEvent } from "@koma/contract";
import type { FastifyInstance } from "fastify";
import { ApiError, invalidRequest } from "../api-error.ts";
import { type EndpointRequest, registerEndpoint } from "../register-endpoint.ts";

/** `POST /api/webhooks/stripe`. Stripe sends an event again after every response but 200. */
export function registerStripeEvents(app: FastifyInstance, { payments }: { payments: Payments }): void {
  const isServed = () => payments.takesEvents;
  const receive = async ({ bytes, headers, reply }: EndpointRequest<typeof receiveStripeEvent>) => {
    const { state } = await payments.receive({ body: bytes, signature: headers["stripe-signature"] });
    if (state === "forged")
      throw invalidRequest("stripe-signature", "is not signed with the configured secret");
    if (state === "too_early")
      throw new ApiError("not_ready", "The purchase of this refund is not recorded yet.", {
        retryAfterSeconds: 60,
      });
    if (state === "no_user") reply.log.warn("a purchase was paid or refunded by a user who no longer exists");
    return { received: true as const };
  };
  registerEndpoint(app, receiveStripeEvent, receive, { isServed });
}

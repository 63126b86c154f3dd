import type { Payments } from "@koma/accounts";
import { receiveStripeEvent } from "@koma/contract";
import type { FastifyInstance } from "fastify";
import { ApiError, invalidRequest } from "../api-error.ts";
import { type EndpointRequest, registerEndpoint } from "../register-endpoint.ts";

/** `POST /api/webhooks/stripe`. Every answer but 200 makes Stripe send the event again later. */
export function registerStripeEvents(app: FastifyInstance, { payments }: { payments: Payments }): void {
  const isServed = () => payments.takesEvents;
  const receive = async ({ bytes, headers, reply }: EndpointRequest<typeof receiveStripeEvent>) => {
    const { state } = await payments.receive({ body: bytes, signature: headers["stripe-signature"] });
    if (state === "forged") throw invalidRequest("stripe-signature", "is not by the configured secret");
    if (state === "too_early")
      throw new ApiError("not_ready", "The purchase was not told yet.", { retryAfterSeconds: 60 });
    if (state === "no_user") reply.log.warn("a purchase was paid or refunded by a user who is gone");
    return { received: true as const };
  };
  registerEndpoint(app, receiveStripeEvent, receive, { isServed });
}

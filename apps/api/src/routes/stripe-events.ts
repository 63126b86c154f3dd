import type { Accounts } from "@koma/accounts";
import { receiveStripeEvent } from "@koma/contract";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { ApiError, invalidRequest } from "../api-error.ts";
import { type EndpointRequest, registerEndpoint } from "../register-endpoint.ts";
import type { UploadBudget } from "../search/upload-budget.ts";

/** `POST /api/webhooks/stripe`. Stripe sends an event again after every response but 200. */
export function registerStripeEvents(
  app: FastifyInstance,
  { accounts: { payments }, uploads }: { accounts: Pick<Accounts, "payments">; uploads: UploadBudget },
): void {
  const isServed = () => payments.takesEvents;
  const receive = async ({ bytes, headers, reply }: EndpointRequest<typeof receiveStripeEvent>) => {
    const { state } = await payments.receive({ body: bytes, signature: headers["stripe-signature"] });
    if (state === "forged") throw forged();
    if (state === "malformed") throw new ApiError("invalid_request", "The body is not an event of Stripe.");
    if (state === "too_early")
      throw new ApiError("not_ready", "The purchase of this refund is not recorded yet.", {
        retryAfterSeconds: 60,
      });
    if (state === "no_user") reply.log.warn("a purchase was paid or refunded by a user who no longer exists");
    return { received: true as const };
  };
  const checkHead = ({ headers }: FastifyRequest) => {
    if (!payments.mayBeSigned(String(headers["stripe-signature"] ?? ""))) throw forged();
  };
  registerEndpoint(app, receiveStripeEvent, receive, { isServed, checkHead, uploads });
}

function forged(): ApiError {
  return invalidRequest("stripe-signature", "is not signed with the configured secret");
}

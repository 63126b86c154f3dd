import { type Accounts, PaymentsUnavailableError } from "@koma/accounts";
import { createCheckout, listProducts } from "@koma/contract";
import type { FastifyInstance } from "fastify";
import { ApiError } from "../api-error.ts";
import { type EndpointRequest, registerEndpoint } from "../register-endpoint.ts";

/** `/api/user/checkout`: lists the products and starts a purchase. */
export function registerCheckout(
  app: FastifyInstance,
  { accounts: { payments } }: { accounts: Pick<Accounts, "payments"> },
): void {
  registerEndpoint(app, listProducts, async () => ({ items: payments.listProducts() }));

  const isServed = () => payments.listProducts().length > 0;
  const start = async ({ caller, json, reply }: EndpointRequest<typeof createCheckout>) => {
    const started = await payments
      .startCheckout({ userId: caller.userId, productId: json.productId })
      .catch((error: unknown) => {
        if (!(error instanceof PaymentsUnavailableError)) throw error;
        reply.log.warn({ err: error.cause }, error.message);
        throw new ApiError("not_ready", "The purchase could not be started. Try again in a moment.", {
          retryAfterSeconds: 10,
        });
      });
    if (started === undefined) throw new ApiError("not_found", "This product does not exist.");
    return started;
  };
  registerEndpoint(app, createCheckout, start, { isServed });
}

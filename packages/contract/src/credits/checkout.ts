import { z } from "zod";
import { defineEndpoint } from "../endpoint/endpoint.ts";

/** The products for sale. */
export const ProductList = z
  .object({
    items: z
      .array(
        z.object({
          productId: z.string().describe("Its id, for the checkout."),
          credits: z.int().min(1).describe("The credits of the product."),
        }),
      )
      .describe("Fewest credits first; empty if nothing is sold."),
  })
  .describe("The products for sale.")
  .meta({ examples: [{ items: [{ productId: "price_1Qabc", credits: 100 }] }] });
export type ProductList = z.infer<typeof ProductList>;

/** The page for the payment. */
export const Checkout = z
  .object({ url: z.string().describe("The payment page of Stripe.") })
  .describe("Where to pay.")
  .meta({ examples: [{ url: "https://checkout.stripe.com/c/pay/cs_test_a1b2" }] });
export type Checkout = z.infer<typeof Checkout>;

/** The response to a payment event. */
export const WebhookReceipt = z
  .object({ received: z.literal(true).describe("Always `true`.") })
  .describe("The event was accepted, now or earlier.")
  .meta({ examples: [{ received: true }] });
export type WebhookReceipt = z.infer<typeof WebhookReceipt>;

/** Lists the products for sale. */
export const listProducts = defineEndpoint({
  id: "listProducts",
  method: "GET",
  path: "/api/user/checkout",
  tag: "Purchases",
  summary: "List the products for sale",
  security: [],
  replies: { 200: { description: "The products; empty if nothing is sold.", body: ProductList } },
  isWithoutDatabase: true,
});

/** Starts the purchase of credits. */
export const createCheckout = defineEndpoint({
  id: "createCheckout",
  method: "POST",
  path: "/api/user/checkout",
  tag: "Purchases",
  summary: "Buy credits",
  description: "The credits are added after Stripe has reported the payment. `not_found` if nothing is sold.",
  security: ["session"],
  json: z
    .object({
      productId: z
        .string()
        .regex(/^[\w-]{1,255}$/, "is not the id of a product")
        .describe("The id of a product."),
    })
    .meta({ examples: [{ productId: "price_1Qabc" }] }),
  replies: { 200: { description: "Where to pay.", body: Checkout } },
  errors: ["not_found", "not_ready"],
});

/** Receives Stripe's events. */
export const receiveStripeEvent = defineEndpoint({
  id: "receiveStripeEvent",
  method: "POST",
  path: "/api/webhooks/stripe",
  tag: "Purchases",
  summary: "Receive an event of Stripe",
  description:
    "An event without a valid signature is `invalid_request`. A repeated event counts once. The accepted events are " +
    "`checkout.session.completed`, `checkout.session.async_payment_succeeded`, `charge.refunded` and " +
    "`charge.dispute.funds_withdrawn`; the last two withdraw credits, at most the remaining ones.",
  security: [],
  headers: z.object({
    "stripe-signature": z
      .string()
      .min(1, "is missing")
      .max(4096, "is too long")
      .describe("Stripe's signature of the body.")
      .meta({
        examples: ["t=1795222800,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd"],
      }),
  }),
  raw: { contentType: "application/json", description: "The event, as Stripe sends it." },
  replies: { 200: { description: "The event was accepted, now or earlier.", body: WebhookReceipt } },
  errors: ["not_found", "not_ready"],
});

import { z } from "zod";
import { defineEndpoint } from "./endpoint.ts";

/** What can be bought. */
export const ProductList = z
  .object({
    items: z
      .array(
        z.object({
          productId: z.string().describe("Its id, for the checkout."),
          credits: z.int().min(1).describe("Credits that it brings."),
        }),
      )
      .describe("Fewest credits first; empty where nothing is sold."),
  })
  .describe("What can be bought.")
  .meta({ examples: [{ items: [{ productId: "price_1Qabc", credits: 100 }] }] });
export type ProductList = z.infer<typeof ProductList>;

/** Where to pay. */
export const Checkout = z
  .object({ url: z.string().describe("Stripe's page on which the purchase is paid.") })
  .describe("Where to pay.")
  .meta({ examples: [{ url: "https://checkout.stripe.com/c/pay/cs_test_a1b2" }] });
export type Checkout = z.infer<typeof Checkout>;

/** A payment event was taken. */
export const WebhookReceipt = z
  .object({ received: z.literal(true).describe("Always `true`.") })
  .describe("The event was taken, now or before.")
  .meta({ examples: [{ received: true }] });
export type WebhookReceipt = z.infer<typeof WebhookReceipt>;

/** What can be bought. */
export const listProducts = defineEndpoint({
  id: "listProducts",
  method: "GET",
  path: "/api/user/checkout",
  tag: "Purchases",
  summary: "What can be bought",
  security: [],
  replies: { 200: { description: "The products; none where nothing is sold.", body: ProductList } },
  isWithoutDatabase: true,
  errors: [],
});

/** Starts the purchase of credits. */
export const createCheckout = defineEndpoint({
  id: "createCheckout",
  method: "POST",
  path: "/api/user/checkout",
  tag: "Purchases",
  summary: "Buy credits",
  description:
    "The credits are there once Stripe has told that the purchase is paid. `not_found` where nothing is sold.",
  security: ["session"],
  json: z
    .object({
      productId: z
        .string()
        .regex(/^[\w-]{1,255}$/, "is not the id of a product")
        .describe("One of the products."),
    })
    .meta({ examples: [{ productId: "price_1Qabc" }] }),
  replies: { 200: { description: "Where to pay.", body: Checkout } },
  errors: ["not_found", "not_ready"],
});

/** Takes Stripe's events. */
export const receiveStripeEvent = defineEndpoint({
  id: "receiveStripeEvent",
  method: "POST",
  path: "/api/webhooks/stripe",
  tag: "Purchases",
  summary: "For Stripe: an event",
  description:
    "Whatever is not signed with the configured secret is `invalid_request`. The same event twice counts once. Taken are " +
    "`checkout.session.completed`, `checkout.session.async_payment_succeeded`, `charge.refunded` and " +
    "`charge.dispute.funds_withdrawn`; the last two take credits back, as far as they are there.",
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
  raw: { contentType: "application/json", description: "An event as Stripe sends it." },
  replies: { 200: { description: "The event was taken, now or before.", body: WebhookReceipt } },
  errors: ["not_found", "not_ready"],
});

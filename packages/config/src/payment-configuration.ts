import { z } from "zod";
import { productList } from "./values.ts";

/** Variables of purchases with Stripe. */
export const paymentConfiguration = {
  STRIPE_SECRET_KEY: z
    .string()
    .regex(/^[sr]k_\w+$/, "must be a secret key (sk_…) or a restricted one (rk_…)")
    .optional()
    .describe("Stripe's key for purchases. Unset: no purchases."),
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .regex(/^whsec_\S+$/, "must look like whsec_…")
    .optional()
    .describe(
      "Signing secret of Stripe's events at `/api/webhooks/stripe`. Unset: this endpoint does not exist.",
    ),
  KOMA_STRIPE_PRODUCTS: productList().describe(
    "Stripe's prices with their credits: `price_abc=100,price_def=500`.",
  ),
};

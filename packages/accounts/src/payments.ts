import type { Configuration } from "@koma/config";
import type { Database } from "@koma/database";
import type { Stripe } from "stripe";

/** The address of a server with Stripe's API. */
export type StripeServer = { host: string; port: number; protocol: "http" | "https" };

/** Stripe does not respond, or its response is invalid. */
export class PaymentsUnavailableError extends Error {
  override readonly name = "PaymentsUnavailableError";
}

/** Credits for money, by Stripe Checkout. */
export type Payments = ReturnType<typeof createPayments>;

type EventState = "forged" | "malformed" | "ignored" | "booked" | "known" | "no_user" | "too_early";

export function createPayments(options: {
  database: Database;
  configuration: Configuration;
  baseUrl: () => string;
  server?: StripeServer | undefined;
}) {
  const { database, configuration, baseUrl, server } = options;
  const { STRIPE_SECRET_KEY: key, STRIPE_WEBHOOK_SECRET: webhookSecret } = configuration;
  const products = key === undefined ? [] : configuration.KOMA_STRIPE_PRODUCTS;
  let loaded: Promise<Stripe> | undefined;

  /** The SDK has more than 200 modules, and most processes sell nothing. */
  const loadStripe = () => {
    loaded ??= import("stripe").then(({ Stripe }) => {
      const settings = { ...server, maxNetworkRetries: 1, timeout: 15_000, telemetry: false };
      // The SDK needs a key, although it checks signatures without one; Stripe rejects this one.
      return new Stripe(key ?? "sk_none", settings);
    });
    return loaded;
  };

  return {
    /** The products for sale, fewest credits first; empty when nothing is sold. */
    listProducts: () => [...products].sort((one, other) => one.credits - other.credits),

    /**
     * The address of the payment page of a product; undefined when it is not sold. Throws
     * PaymentsUnavailableError.
     */
    async startCheckout(params: { userId: string; productId: string }): Promise<{ url: string } | undefined> {
      const { userId, productId } = params;
      const product = products.find((sold) => sold.productId === productId);
      if (product === undefined) return undefined;
      const metadata = { koma_user: userId, koma_credits: String(product.credits), koma_product: productId };
      const { checkout } = await loadStripe();
      const session = await checkout.sessions
        .create({
          mode: "payment",
          line_items: [{ price: productId, quantity: 1 }],
          client_reference_id: userId,
          // The data of the sale, in case the products change before the payment. Refunds carry the payment's
          // metadata.
          metadata,
          payment_intent_data: { metadata },
          success_url: `${baseUrl()}/account?purchase=done`,
          cancel_url: `${baseUrl()}/account?purchase=cancelled`,
        })
        .catch((error: unknown) => {
          throw new PaymentsUnavailableError("Stripe did not start the purchase.", { cause: error });
        });
      if (session.url === null) throw new PaymentsUnavailableError("Stripe returned no payment page.");
      return { url: session.url };
    },

    /** Whether Stripe's events are accepted. */
    takesEvents: webhookSecret !== undefined,

    /** Whether a signature header has the form of Stripe's and is recent; only `receive` verifies it. */
    mayBeSigned(signature: string): boolean {
      const [, seconds = ""] = /(?:^|,)t=(\d{1,12})(?:,|$)/.exec(signature) ?? [];
      const isRecent = Math.abs(Date.now() / 1000 - Number(seconds)) <= toleranceSeconds;
      return seconds !== "" && isRecent && /(?:^|,)v1=[0-9a-f]{64}(?:,|$)/.test(signature);
    },

    /**
     * Processes an event once, however often Stripe sends it: a payment adds its credits; a refund or dispute
     * withdraws them, at most the remaining ones; a dispute that is won restores them. `forged` when its
     * signature is invalid or too old; `malformed` when it does not have the shape of its type; `too_early` when
     * the purchase of a refund or the dispute that is won is unknown, so that Stripe must send the event again.
     */
    async receive(params: { body: Buffer; signature: string }): Promise<{ state: EventState }> {
      const event = await readEvent(params);
      if (event === undefined) return { state: "forged" };
      // PostgreSQL does not store NUL characters.
      if (params.body.includes("\\u0000")) return { state: "malformed" };
      const isComplete = [readSale, readRefund, readWonDispute].every((read) => hasFields(() => read(event)));
      if (!isComplete || typeof event.id !== "string") return { state: "malformed" };
      const sale = readSale(event);
      if (sale !== undefined) return await database.credits.purchase({ ...sale, eventId: event.id });
      const refund = readRefund(event);
      if (refund !== undefined) {
        const { isOurs, ...booking } = refund;
        const { state } = await database.credits.refund({ ...booking, eventId: event.id });
        if (state !== "no_purchase") return { state };
        if (isOurs) return { state: "too_early" };
      }
      const wonDispute = readWonDispute(event);
      if (wonDispute !== undefined) {
        const { state } = await database.credits.reinstate({ ...wonDispute, eventId: event.id });
        if (state === "no_dispute") return { state: "too_early" };
        if (state !== "no_purchase") return { state };
      }
      await database.payments.remember(event.id);
      return { state: "ignored" };
    },
  };

  async function readEvent({ body, signature }: { body: Buffer; signature: string }) {
    if (webhookSecret === undefined) return undefined;
    const { webhooks } = await loadStripe();
    try {
      return webhooks.constructEvent(body, signature, webhookSecret, toleranceSeconds);
    } catch {
      return undefined;
    }
  }
}

/** The age of a signature that Stripe's library accepts by default. */
const toleranceSeconds = 300;

/**
 * The paid sale of an event; undefined for other events and for sales of other programs with this Stripe
 * account.
 */
function readSale(event: Stripe.Event) {
  if (
    event.type !== "checkout.session.completed" &&
    event.type !== "checkout.session.async_payment_succeeded"
  ) {
    return undefined;
  }
  const session = event.data.object;
  const { koma_user: userId, koma_credits: credits, koma_product: productId } = session.metadata ?? {};
  if (session.payment_status === "unpaid" || userId === undefined) return undefined;
  if (credits === undefined || !/^[1-9]\d{0,8}$/.test(credits)) return undefined;
  return {
    userId,
    amount: Number(credits),
    reason: `Stripe: ${productId ?? "credits"}`,
    reference: toReference(session.payment_intent) ?? `stripe:${session.id}`,
  };
}

/**
 * The refunded part of a payment; a dispute refunds all of it. Includes payments of other programs with this
 * account.
 */
function readRefund(event: Stripe.Event) {
  if (event.type === "charge.refunded") {
    const { payment_intent: payment, amount: paid, amount_refunded: refunded, metadata } = event.data.object;
    const reference = toReference(payment);
    if (reference === undefined || paid <= 0) return undefined;
    return { reference, refunded, paid, reason: "Stripe: refund", isOurs: metadata?.koma_user !== undefined };
  }
  if (event.type === "charge.dispute.funds_withdrawn") {
    const reference = toReference(event.data.object.payment_intent);
    if (reference === undefined) return undefined;
    return { reference, refunded: 1, paid: 1, reason: disputeReason, isOurs: false };
  }
  return undefined;
}

/** The payment whose dispute the seller has won. Includes payments of other programs with this account. */
function readWonDispute(event: Stripe.Event) {
  if (event.type !== "charge.dispute.funds_reinstated") return undefined;
  const reference = toReference(event.data.object.payment_intent);
  return reference === undefined ? undefined : { reference, reason: disputeReason };
}

/** Whether an event has the fields of its type, which the SDK does not check. */
function hasFields(read: () => object | undefined): boolean {
  try {
    return Object.values(read() ?? {}).every(
      (value) => typeof value === "string" || typeof value === "boolean" || Number.isInteger(value),
    );
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}

const disputeReason = "Stripe: dispute";

/** The reference of a payment in the ledger. */
function toReference(payment: string | { id: string } | null): string | undefined {
  if (payment === null || payment === undefined) return undefined;
  return `stripe:${typeof payment === "string" ? payment : payment.id}`;
}

import { randomUUID } from "node:crypto";
import { PaymentsUnavailableError } from "@koma/accounts";
import Stripe from "stripe";
import { afterAll, beforeAll, expect, it } from "vitest";
import { describeWithDatabase } from "./fixtures/describe-with-database.ts";
import { openTestAccounts } from "./fixtures/open-test-accounts.ts";
import { openStripeServer } from "./fixtures/stripe-server.ts";

const secret = "whsec_of_the_tests";
const environment = {
  STRIPE_SECRET_KEY: "sk_test_1",
  STRIPE_WEBHOOK_SECRET: secret,
  KOMA_STRIPE_PRODUCTS: "price_big=500,price_small=100",
};

describeWithDatabase("payments", (open) => {
  let stripe: Awaited<ReturnType<typeof openStripeServer>>;
  beforeAll(async () => {
    stripe = await openStripeServer();
  });
  afterAll(() => stripe.close());

  const openShop = () => openTestAccounts(open().database, environment, { stripeServer: stripe.server });

  async function makeBuyer() {
    const shop = openShop();
    const { user } = await shop.users.create({ email: `${randomUUID()}@site.example` });
    const balance = () => open().database.credits.balance(user.id);
    return { ...shop, userId: user.id, balance };
  }

  it("start at Stripe with the product and the user", async () => {
    const { payments, userId } = await makeBuyer();
    expect(payments.listProducts()).toEqual([
      { productId: "price_small", credits: 100 },
      { productId: "price_big", credits: 500 },
    ]);
    const started = await payments.startCheckout({ userId, productId: "price_small" });
    expect(started).toEqual({ url: "https://checkout.stripe.example/cs_1" });
    expect(stripe.requests.at(-1)).toMatchObject({
      path: "/v1/checkout/sessions",
      authorization: "Bearer sk_test_1",
      fields: {
        mode: "payment",
        client_reference_id: userId,
        "line_items[0][price]": "price_small",
        "metadata[koma_user]": userId,
        "metadata[koma_credits]": "100",
        "line_items[0][quantity]": "1",
        "payment_intent_data[metadata][koma_user]": userId,
        success_url: "http://koma.example/account?purchase=done",
      },
    });
    expect(await payments.startCheckout({ userId, productId: "price_other" })).toBeUndefined();
    stripe.state.isBroken = true;
    await expect(payments.startCheckout({ userId, productId: "price_big" })).rejects.toThrow(
      PaymentsUnavailableError,
    );
    stripe.state.isBroken = false;
  });

  it("add their credits once, for repeated and different events", async () => {
    const { payments, userId, balance } = await makeBuyer();
    const other = openTestAccounts(await open().connectAgain(), environment);
    const event = describeSale(userId);
    const [one, two] = await Promise.all([
      payments.receive(sign(event)),
      other.payments.receive(sign(event)),
    ]);
    expect([one.state, two.state].sort()).toEqual(["booked", "known"]);
    expect(await payments.receive(sign(event))).toEqual({ state: "known" });
    const later = { ...event, id: `evt_${randomUUID()}`, type: "checkout.session.async_payment_succeeded" };
    expect(await payments.receive(sign(later))).toEqual({ state: "known" });
    expect(await balance()).toBe(100);
    const { items } = await open().database.credits.listEntries({ userId, page: 1, pageSize: 10 });
    expect(items).toMatchObject([{ amount: 100, kind: "purchase", reason: "Stripe: price_small" }]);
  });

  it("add nothing before the payment, for products of other programs, and for other events", async () => {
    const { payments, userId, balance } = await makeBuyer();
    const unpaid = describeSale(userId, { payment_status: "unpaid" });
    const foreign = describeSale(userId, { metadata: { order: "7" } });
    const nothing = describeSale(userId, { metadata: { koma_user: userId, koma_credits: "-5" } });
    const failed = { ...describeSale(userId), type: "checkout.session.expired" };
    for (const event of [unpaid, foreign, nothing, failed]) {
      expect(await payments.receive(sign(event))).toEqual({ state: "ignored" });
    }
    expect(await balance()).toBe(0);
  });

  it("of deleted users are recorded without them", async () => {
    const { payments, users, userId } = await makeBuyer();
    await users.forget(userId);
    expect(await payments.receive(sign(describeSale(userId)))).toEqual({ state: "no_user" });
  });

  it("are withdrawn after a refund, at most the remaining credits", async () => {
    const { payments, userId, balance } = await makeBuyer();
    const payment_intent = `pi_${randomUUID()}`;
    const receive = (event: object) => payments.receive(sign(event));
    const half = describeRefund(payment_intent, { amount_refunded: 250, metadata: { koma_user: userId } });
    // A refund before its purchase is not stored, so that Stripe sends it again.
    expect(await receive(half)).toEqual({ state: "too_early" });
    expect(await receive(describeSale(userId, { payment_intent }))).toEqual({ state: "booked" });
    const results = await Promise.all([receive(half), receive(half), receive(half)]);
    expect(results.map(({ state }) => state).sort()).toEqual(["booked", "known", "known"]);
    expect(await balance()).toBe(50);
    const gift = { userId, amount: 7, reason: "a gift" };
    await open().database.credits.grant(gift);
    const dispute = { object: "dispute", id: "du_1", payment_intent, amount: 500 };
    const lost = {
      ...half,
      id: `evt_${randomUUID()}`,
      type: "charge.dispute.funds_withdrawn",
      data: { object: dispute },
    };
    expect(await receive(lost)).toEqual({ state: "booked" });
    expect(await receive(describeRefund(payment_intent, { amount_refunded: 500 }))).toEqual({
      state: "known",
    });
    expect(await balance()).toBe(7);
    const { items } = await open().database.credits.listEntries({ userId, page: 1, pageSize: 10 });
    expect(items.map(({ amount, kind, reason }) => `${amount} ${kind} ${reason}`).sort()).toEqual([
      "-50 refund Stripe: dispute",
      "-50 refund Stripe: refund",
      "100 purchase Stripe: price_small",
      "7 grant a gift",
    ]);
  });

  it("come back when a dispute is won", async () => {
    const { payments, userId, balance } = await makeBuyer();
    const payment_intent = `pi_${randomUUID()}`;
    const receive = (event: object) => payments.receive(sign(event));
    const describeDispute = (type: string, payment = payment_intent) => ({
      id: `evt_${randomUUID()}`,
      object: "event",
      type: `charge.dispute.${type}`,
      data: { object: { object: "dispute", id: "du_1", payment_intent: payment, amount: 500 } },
    });
    await receive(describeSale(userId, { payment_intent }));
    const won = describeDispute("funds_reinstated");
    expect(await receive(won)).toEqual({ state: "too_early" });
    expect(await receive(describeDispute("funds_withdrawn"))).toEqual({ state: "booked" });
    expect(await balance()).toBe(0);
    expect([await receive(won), await receive(won)]).toEqual([{ state: "booked" }, { state: "known" }]);
    expect(await balance()).toBe(100);
    const { items } = await open().database.credits.listEntries({ userId, page: 1, pageSize: 1 });
    expect(items).toMatchObject([{ amount: 100, kind: "reinstatement", reason: "Stripe: dispute won" }]);
    const ofOthers = describeDispute("funds_reinstated", "pi_of_others");
    expect(await receive(ofOthers)).toEqual({ state: "ignored" });
  });

  it("of other programs with the same Stripe account are ignored when refunded", async () => {
    const { payments } = await makeBuyer();
    for (const [payment, changes] of [
      ["pi_of_others", {}],
      [null, { metadata: { koma_user: "anyone" } }],
      ["pi_of_others", { amount: 0 }],
    ] as const) {
      expect(await payments.receive(sign(describeRefund(payment, changes)))).toEqual({ state: "ignored" });
    }
  });

  it("require a recent signature with the configured secret", async () => {
    const { payments, userId, balance } = await makeBuyer();
    const event = describeSale(userId);
    const good = sign(event);
    const changed = Buffer.from(good.body.toString().replace('"100"', '"999"'));
    const early = Math.floor(Date.now() / 1000) - 3600;
    for (const forged of [
      sign(event, { secret: "whsec_of_another" }),
      sign(event, { timestamp: early }),
      { body: changed, signature: good.signature },
      { body: good.body, signature: "t=1,v1=00" },
      { body: good.body, signature: "" },
    ]) {
      expect(await payments.receive(forged)).toEqual({ state: "forged" });
    }
    expect(await balance()).toBe(0);
  });
});

function describeSale(userId: string, changes: object = {}) {
  const metadata = { koma_user: userId, koma_credits: "100", koma_product: "price_small" };
  const session = { id: `cs_${randomUUID()}`, object: "checkout.session", payment_status: "paid", metadata };
  return {
    id: `evt_${randomUUID()}`,
    object: "event",
    type: "checkout.session.completed",
    data: { object: { ...session, ...changes } },
  };
}

function describeRefund(payment_intent: string | null, changes: object) {
  const charge = { id: "ch_1", object: "charge", amount: 500, amount_refunded: 500, metadata: {} };
  return {
    id: `evt_${randomUUID()}`,
    object: "event",
    type: "charge.refunded",
    data: { object: { ...charge, payment_intent, ...changes } },
  };
}

function sign(event: object, options: { secret?: string; timestamp?: number } = {}) {
  const payload = JSON.stringify(event);
  const signature = new Stripe("sk_none").webhooks.generateTestHeaderString({ payload, secret, ...options });
  return { body: Buffer.from(payload), signature };
}

import { randomUUID } from "node:crypto";
import { openAccounts } from "@koma/accounts";
import { parseConfiguration } from "@koma/config";
import Stripe from "stripe";
import { expect, it } from "vitest";
import { openTestLibrary } from "../fixtures/open-test-api.ts";
import { sendHead } from "../fixtures/send-head.ts";
import { makeKey, postJson, signUp } from "../fixtures/test-users.ts";

const secret = "whsec_of_the_tests";
const settings = {
  STRIPE_SECRET_KEY: "sk_test_1",
  STRIPE_WEBHOOK_SECRET: secret,
  KOMA_STRIPE_PRODUCTS: "price_big=500,price_small=100",
};

const library = await openTestLibrary();
it("purchases are disabled by default", async () => {
  const api = await library.openApi();
  const user = await signUp(api);
  expect((await api.call("/api/user/checkout")).body).toEqual({ items: [] });
  expect((await postJson(api, "/api/user/checkout", { productId: "price_small" }, user.session)).status).toBe(
    404,
  );
  expect((await send(api, describeSale(user.id))).status).toBe(404);
  // The response is the same for every caller and every invalid body.
  for (const path of ["/api/user/checkout", "/api/webhooks/stripe"]) {
    for (const headers of [{}, user.session, { ...user.session, "content-type": "text/plain" }]) {
      const response = await api.call(path, { method: "POST", headers, body: "x" });
      expect([path, response.body]).toMatchObject([path, { status: 404, code: "not_found" }]);
    }
  }
});

it("purchases add credits once, from events that Stripe signed byte for byte", async () => {
  const { openApi, database, connectAgain } = library;
  const api = await openApi(settings);
  const other = await openApi(settings, { database: await connectAgain() });
  const user = await signUp(api);
  const event = describeSale(user.id);
  const responses = await Promise.all([send(api, event), send(other, event), send(api, event)]);
  expect(responses.map(({ status, body }) => [status, body])).toEqual(
    Array(3).fill([200, { received: true }]),
  );
  expect(await database.credits.balance(user.id)).toBe(100);
  const forged = await send(api, event, { secret: "whsec_of_another" });
  expect([forged.status, forged.body]).toMatchObject([400, { code: "invalid_request" }]);
  const unsigned = await api.call("/api/webhooks/stripe", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: "{}",
  });
  expect([unsigned.status, unsigned.body]).toMatchObject([400, { code: "invalid_request" }]);
  // The body is not awaited without the form of a signature, or with an old one.
  const v1 = "0".repeat(64);
  for (const signature of ["", "t=1,v1=0", `v1=${v1}`, `t=${Math.floor(Date.now() / 1000) - 400},v1=${v1}`]) {
    const headers = { "content-type": "application/json", "stripe-signature": signature };
    expect(await sendHead(api.url, "/api/webhooks/stripe", headers)).toMatch(/^HTTP\/1\.1 400 /);
  }
  const { data, ...bare } = event;
  for (const odd of [
    null,
    [],
    bare,
    { ...bare, data: null },
    { ...event, id: 5 },
    { ...event, id: "evt_\u0000" },
    {
      ...event,
      data: { object: { ...data.object, metadata: { ...data.object.metadata, koma_user: {} } } },
    },
    { ...event, type: "charge.refunded", data: { object: { payment_intent: "pi_1" } } },
  ]) {
    const { status, body } = await send(api, odd);
    expect([odd, status, body]).toMatchObject([odd, 400, { code: "invalid_request" }]);
  }
  expect(await database.credits.balance(user.id)).toBe(100);
});

it("purchases are revoked by a refund; a refund that arrives before its purchase must be sent again", async () => {
  const api = await library.openApi(settings);
  const user = await signUp(api);
  const payment_intent = `pi_${randomUUID()}`;
  const charge = { id: "ch_1", object: "charge", payment_intent, amount: 500, amount_refunded: 500 };
  const refund = {
    id: `evt_${randomUUID()}`,
    object: "event",
    type: "charge.refunded",
    data: { object: { ...charge, metadata: { koma_user: user.id } } },
  };
  const early = await send(api, refund);
  expect([early.status, early.body]).toMatchObject([503, { code: "not_ready" }]);
  expect((await send(api, describeSale(user.id, { payment_intent }))).status).toBe(200);
  expect(await library.database.credits.balance(user.id)).toBe(100);
  for (let times = 0; times < 2; times++) expect((await send(api, refund)).status).toBe(200);
  expect(await library.database.credits.balance(user.id)).toBe(0);
});

it("purchases start in a session, and fail with an error when Stripe does not respond", async () => {
  const { openApi, database } = library;
  const accounts = openAccounts({
    database,
    secret: "the secret of the tests",
    trustedOrigins: [],
    log: () => {},
    configuration: parseConfiguration(settings),
    baseUrl: () => api.url,
    // Nothing listens on port 9.
    stripeServer: { host: "127.0.0.1", port: 9, protocol: "http" },
  });
  const api = await openApi(settings, { accounts });
  const user = await signUp(api);
  const { items } = (await api.call("/api/user/checkout")).body as { items: object[] };
  expect(items).toEqual([
    { productId: "price_small", credits: 100 },
    { productId: "price_big", credits: 500 },
  ]);
  const start = (productId: string, headers: Record<string, string>) =>
    postJson(api, "/api/user/checkout", { productId }, headers);
  expect((await start("price_small", {})).status).toBe(401);
  expect((await start("price_small", (await makeKey(api, user)).headers)).status).toBe(403);
  expect((await start("price_other", user.session)).status).toBe(404);
  expect((await start("a price", user.session)).status).toBe(400);
  const broken = await start("price_small", user.session);
  expect([broken.status, broken.body]).toMatchObject([503, { code: "not_ready" }]);
});

type Api = Parameters<typeof postJson>[0];

async function send(api: Api, event: unknown, options: { secret?: string } = {}) {
  // Two spaces of indentation: a server that serializes the body again invalidates the signature.
  const payload = JSON.stringify(event, undefined, 2);
  const signature = new Stripe("sk_none").webhooks.generateTestHeaderString({ payload, secret, ...options });
  return await api.call("/api/webhooks/stripe", {
    method: "POST",
    headers: { "content-type": "application/json; charset=utf-8", "stripe-signature": signature },
    body: payload,
  });
}

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

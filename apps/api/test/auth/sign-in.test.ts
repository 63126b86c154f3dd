import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { nextGuest, openTestLibrary } from "../fixtures/open-test-api.ts";
import { postJson, signUp } from "../fixtures/test-users.ts";

const library = await openTestLibrary();
const api = await library.openApi();

it("signs up, in and out in better-auth's format, with all cookies and Koma's headers", async () => {
  const { email, password, session } = await signUp(api);
  const wrong = await send(api.url, "/sign-in/email", { email, password: "a guess" });
  expect([wrong.status, wrong.body]).toMatchObject([401, { code: "INVALID_EMAIL_OR_PASSWORD" }]);
  const right = await send(api.url, "/sign-in/email", { email, password });
  expect([right.status, right.body]).toMatchObject([200, { user: { email } }]);
  expect(right.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  expect(right.headers.get("cache-control")).toContain("no-store");
  expect(right.headers.getSetCookie()).toEqual([
    expect.stringMatching(/^better-auth\.session_token=.*HttpOnly/),
    expect.stringMatching(/^better-auth\.device_.*HttpOnly/),
  ]);
  const found = await send(api.url, "/get-session", undefined, session);
  expect(found.body).toMatchObject({ user: { email } });
  const json = { "content-type": "application/json", ...session };
  const out = await fetch(`${api.url}/api/auth/sign-out`, { method: "POST", headers: json });
  expect(out.headers.getSetCookie().length).toBeGreaterThan(1);
  expect((await send(api.url, "/get-session", undefined, session)).body).toBeUndefined();
  expect((await api.call("/api/user/anime-credits", { headers: session })).status).toBe(401);
});

it("/api/auth is served below the path of the base address, and without it", async () => {
  const api = await library.openApi({ KOMA_BASE_URL: "http://koma.example/some/path" });
  const body = { email: `${randomUUID()}@site.example`, password: "good enough", name: "Rin" };
  expect((await send(`${api.url}/some/path`, "/sign-up/email", body)).status).toBe(200);
  const { email, password } = body;
  expect((await send(api.url, "/sign-in/email", { email, password })).status).toBe(200);
  const origin = "http://koma.example";
  expect((await send(api.url, "/sign-in/email", { email, password }, { origin })).status).toBe(200);
  expect((await send(api.url, "/no-such-thing", {})).status).toBe(404);
  expect((await send(api.url, "/../apikeys", {})).status).toBe(401);
});

it("limits sign-ups by the peer's address if no proxy is trusted, whatever is forwarded", async () => {
  const settings = { KOMA_SIGN_UPS_PER_HOUR: "2", KOMA_TRUSTED_PROXIES: "192.0.2.1" };
  const { openApi, connectAgain, database } = library;
  const apis = [await openApi(settings), await openApi(settings, { database: await connectAgain() })];
  const statuses = [];
  for (let count = 0; count < 5; count += 1) {
    const body = { email: `${randomUUID()}@site.example`, password: "good enough", name: "Rin" };
    const address = nextGuest();
    const forged = { "x-forwarded-for": address, "x-real-ip": address, "x-koma-client-ip": address };
    const { status, headers } = await send(apis[count % 2]?.url ?? "", "/sign-up/email", body, forged);
    statuses.push(status);
    if (status === 429) expect(Number(headers.get("retry-after"))).toBeGreaterThan(3000);
  }
  await database.collectGarbage();
  expect(statuses).toEqual([200, 200, 429, 429, 429]);
});

it("rejects a body larger than a form", async () => {
  const response = await send(api.url, "/sign-in/email", { email: "x".repeat(100_000) });
  expect([response.status, response.body]).toMatchObject([400, { code: "invalid_request" }]);
  const { session } = await signUp(api);
  const own = await postJson(api, "/api/apikeys", { title: "x".repeat(100_000) }, session);
  const { title, detail } = own.body as { title: string; detail: string };
  expect([own.status, response.body]).toMatchObject([400, { title, detail }]);
  const broken = await fetch(`${api.url}/api/auth/sign-in/email`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: "{",
  });
  expect(broken.status).toBe(400);
});

async function send(url: string, path: string, body?: object, headers: Record<string, string> = {}) {
  const response = await fetch(`${url}/api/auth${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: {
      "x-forwarded-for": nextGuest(),
      ...(body !== undefined && { "content-type": "application/json" }),
      ...headers,
    },
    redirect: "manual",
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const json: unknown = text.startsWith("{") ? JSON.parse(text) : undefined;
  return { status: response.status, headers: response.headers, body: json };
}

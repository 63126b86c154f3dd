import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { nextGuest, openTestLibrary } from "../fixtures/open-test-api.ts";
import { postJson, signUp } from "../fixtures/test-users.ts";

const library = await openTestLibrary();
const api = await library.openApi();

/** Posts JSON as a new guest. */
const post = (path: string, body: object, headers: Record<string, string> = {}, at = api) =>
  postJson(at, path, body, { "x-forwarded-for": nextGuest(), ...headers });

it("signs up, in and out in better-auth's format, with all cookies and Koma's headers", async () => {
  const { email, password, session } = await signUp(api);
  const wrong = await post("/api/auth/sign-in/email", { email, password: "a guess" });
  expect([wrong.status, wrong.body]).toMatchObject([401, { code: "INVALID_EMAIL_OR_PASSWORD" }]);
  const right = await post("/api/auth/sign-in/email", { email, password });
  expect([right.status, right.body]).toMatchObject([200, { user: { email } }]);
  expect(right.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  expect(right.headers.get("cache-control")).toContain("no-store");
  expect(right.headers.getSetCookie()).toEqual([
    expect.stringMatching(/^better-auth\.session_token=.*HttpOnly/),
    expect.stringMatching(/^better-auth\.device_.*HttpOnly/),
  ]);
  const found = await api.call("/api/auth/get-session", { headers: session });
  expect(found.body).toMatchObject({ user: { email } });
  const out = await post("/api/auth/sign-out", {}, session);
  expect(out.headers.getSetCookie().length).toBeGreaterThan(1);
  expect((await api.call("/api/auth/get-session", { headers: session })).body).toBeNull();
  expect((await api.call("/api/user/anime-credits", { headers: session })).status).toBe(401);
});

it("/api/auth is served below the path of the base address, and without it", async () => {
  const at = await library.openApi({ KOMA_BASE_URL: "http://koma.example/some/path" });
  const body = { email: `${randomUUID()}@site.example`, password: "good enough", name: "Rin" };
  expect((await post("/some/path/api/auth/sign-up/email", body, {}, at)).status).toBe(200);
  const { email, password } = body;
  expect((await post("/api/auth/sign-in/email", { email, password }, {}, at)).status).toBe(200);
  const origin = "http://koma.example";
  expect((await post("/api/auth/sign-in/email", { email, password }, { origin }, at)).status).toBe(200);
  expect((await post("/api/auth/no-such-thing", {}, {}, at)).status).toBe(404);
  expect((await post("/api/auth/../apikeys", {}, {}, at)).status).toBe(401);
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
    const { status, headers } = await post("/api/auth/sign-up/email", body, forged, apis[count % 2]);
    statuses.push(status);
    if (status === 429) expect(Number(headers.get("retry-after"))).toBeGreaterThan(3000);
  }
  await database.collectGarbage();
  expect(statuses).toEqual([200, 200, 429, 429, 429]);
});

it("rejects a body larger than a form", async () => {
  const response = await post("/api/auth/sign-in/email", { email: "x".repeat(100_000) });
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

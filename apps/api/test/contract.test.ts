import { endpoints, problems } from "@koma/contract";
import { connectDatabase } from "@koma/database";
import { expect, test } from "vitest";
import { openBreakableDatabase } from "./fixtures/database-proxy.ts";
import { expectProblem } from "./fixtures/expect-problem.ts";
import { openFake } from "./fixtures/fake-library.ts";
import { nextGuest, openTestLibrary, readImage, type TestApi } from "./fixtures/open-test-api.ts";
import { makeBot, makeKey, postJson, readQuota, signUp } from "./fixtures/test-users.ts";

const id = "cmi8x2k4q0003";
const sessionOnly = "unauthenticated 200 forbidden forbidden";
const unknownOfSession = "unauthenticated not_found forbidden forbidden";
const unknownOfAll = "not_found not_found not_found not_found";
const botOnly = "unauthenticated unauthenticated forbidden";
const newLink = { chatUser: "discord:1", displayName: "A", platform: "discord" };
const leaked = { key: `koma_${"x".repeat(52)}`, chatUser: "discord:1" };

/** The statuses or codes of a guest, a session, a key and the key of a bot, with otherwise valid requests. */
const callers: [operation: string, responses: string, body?: object][] = [
  ["GET /api/anime/rankings", "200 200 200 200"],
  ["GET /api/anime/recent-searches", "200 200 200 200"],
  ["GET /api/anime", "200 200 200 200"],
  ["GET /api/anime/quota", "200 200 200 200"],
  ["GET /api/user/anime-credits", "unauthenticated 200 200 200"],
  ["GET /api/apikeys", sessionOnly],
  ["POST /api/apikeys", sessionOnly.replace("200", "201"), { title: "T" }],
  [`DELETE /api/apikeys/${id}`, unknownOfSession],
  ["GET /api/user/searches", "unauthenticated 200 200 200"],
  ["POST /api/user/searches", sessionOnly, { searches: [{ id, confirmToken: "x" }] }],
  [`DELETE /api/user/searches/${id}`, unknownOfSession],
  ["GET /api/links/BCDF-GHJK", unknownOfSession],
  ["POST /api/links/BCDF-GHJK/approve", unknownOfSession],
  ["POST /api/links/BCDF-GHJK/deny", unknownOfSession],
  ["POST /api/links", `${botOnly} 201`, newLink],
  ["POST /api/links/token", `${botOnly} link_expired`, { deviceCode: "x" }],
  ["POST /api/apikeys/leaked", `${botOnly} 200`, leaked],
  [`GET /api/anime/searches/${id}`, unknownOfAll],
  [`POST /api/anime/searches/${id}/confirm`, unknownOfAll, { rank: 1 }],
  [`DELETE /api/anime/searches/${id}/confirm`, unknownOfAll],
  ["GET /readyz", "200 200 200 200"],
  // At last, because the keys are deleted.
  ["DELETE /api/apikeys/current", "unauthenticated unauthenticated 204 204"],
];

const library = await openTestLibrary();
const codeOf = ({ status, body }: { status: number; body: unknown }) =>
  (body as { code?: string } | undefined)?.code ?? status;

/** A guest, a session, a key and the key of a bot. */
async function openCallers(api: TestApi) {
  const user = await signUp(api);
  const guest = { "x-forwarded-for": nextGuest() };
  return [guest, user.session, (await makeKey(api, user)).headers, (await makeBot(api)).headers];
}

function send(api: TestApi, operation: string, headers: Record<string, string>, body?: object) {
  const [method = "", path = ""] = operation.split(" ");
  return body ? postJson(api, path, body, headers) : api.call(path, { method, headers });
}

test("admits the callers that each endpoint's security names", async () => {
  const api = await library.openApi();
  const headersOfCallers = await openCallers(api);
  for (const [operation, expected, body] of callers) {
    const responses = [];
    for (const headers of headersOfCallers) responses.push(codeOf(await send(api, operation, headers, body)));
    expect([operation, responses.join(" ")]).toEqual([operation, expected]);
  }
});

test("responds without PostgreSQL with 503 not_ready and Retry-After, to all callers", async () => {
  const server = await openBreakableDatabase(library.databaseUrl);
  const database = await connectDatabase({ dataDir: library.dataDir, databaseUrl: server.url });
  const api = await library.openApi({}, { database });
  const { email, password } = await signUp(api);
  const headersOfCallers = await openCallers(api);
  server.break();
  for (const [operation, expected, body] of callers) {
    for (const [index, usual] of expected.split(" ").entries()) {
      // A caller without credentials of the endpoint is refused without a query.
      if (usual === "unauthenticated") continue;
      const response = await send(api, operation, headersOfCallers[index] ?? {}, body);
      expect([operation, codeOf(response)]).toEqual([operation, "not_ready"]);
      expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
    }
  }
  const image = await readImage("Alpha Show 2.jpg");
  for (const headers of headersOfCallers)
    expectProblem(await api.search({ image }, { headers }), "not_ready");
  expect((await postJson(api, "/api/auth/sign-in/email", { email, password })).status).toBe(503);
  for (const path of ["/healthz", "/api/user/checkout"]) expect((await api.call(path)).status).toBe(200);
  await api.app.close();
  await database.close();
});

test("rejects invalid credentials with 401, and session changes without a trusted Origin", async () => {
  const api = await library.openApi({
    KOMA_TRUSTED_ORIGINS: "https://site.example",
    // Without products, no purchase is possible.
    STRIPE_SECRET_KEY: "sk_test_1",
    STRIPE_WEBHOOK_SECRET: "whsec_1",
    KOMA_STRIPE_PRODUCTS: "price_a=1",
  });
  const { session } = await signUp(api);
  const { cookie } = session;
  for (const endpoint of endpoints) {
    const { method, security } = endpoint;
    if (security.length === 0) continue;
    const path = endpoint.path.replace(/\{userCode\}/, "BCDF-GHJK").replace(/\{\w+\}/, id);
    const ask = async (headers: Record<string, string>) =>
      codeOf(await api.call(path, { method, headers: { "x-forwarded-for": nextGuest(), ...headers } }));
    expect([path, await ask({ authorization: "Bearer koma_bad" })]).toEqual([path, "invalid_api_key"]);
    const takesSession = security.some((caller) => caller === "session" || caller === "admin");
    if (!takesSession) continue;
    const bad = "better-auth.session_token=bad.bad";
    expect([path, await ask({ cookie: bad, origin: api.origin })]).toEqual([path, "unauthenticated"]);
    if (method === "GET") continue;
    for (const origin of [undefined, "https://evil.example", "null"]) {
      const refused = await ask({ cookie, ...(origin === undefined ? {} : { origin }) });
      expect([path, origin, refused]).toEqual([path, origin, "untrusted_origin"]);
    }
    expect(await ask({ cookie, origin: "https://site.example" })).not.toBe("untrusted_origin");
  }
});

test("applies the described defaults and bounds of parameters, and ignores unknown parameters", async () => {
  const api = await library.openApi();
  const { session } = await signUp(api);
  const ask = (path: string) => api.call(path, { headers: session });
  expect((await ask("/api/anime/rankings?unknown=1")).body).toMatchObject({ period: "all", from: null });
  expect((await ask("/api/anime/recent-searches")).body).toMatchObject({ limit: 20, offset: 0 });
  expect((await ask("/api/apikeys?x=")).body).toMatchObject({ page: 1, pageSize: 20, total: 0, items: [] });
  expect((await ask("/api/user/searches")).body).toMatchObject({ page: 1, pageSize: 20 });
  const bounds: [path: string, name: string, good: string[], bad: string[]][] = [
    ["/api/anime/rankings", "limit", ["1", "100"], ["0", "101", "x", "1.5", "-1", "", "1e1", "0x1"]],
    ["/api/anime/rankings", "period", ["daily", "all"], ["hourly", "ALL", ""]],
    ["/api/anime/rankings", "includeAdult", ["true", "false"], ["1", ""]],
    ["/api/anime", "query", ["alpha"], ["%00", "x".repeat(201)]],
    ["/api/apikeys", "page", ["1", "1000000000"], ["0", "1000000001"]],
  ];
  for (const [path, name, good, bad] of bounds) {
    for (const value of good)
      expect([path, value, (await ask(`${path}?${name}=${value}`)).status]).toEqual([path, value, 200]);
    for (const value of bad) {
      const response = await ask(`${path}?${name}=${value}`);
      expect([path, value, codeOf(response)]).toEqual([path, value, "invalid_request"]);
      expect(response.body).toMatchObject({ errors: [{ path: name }] });
    }
    const twice = await ask(`${path}?${name}=${good[0]}&${name}=${good[0]}`);
    expect([path, name, codeOf(twice)]).toEqual([path, name, "invalid_request"]);
  }
});

test("rejects an unsupported, too large or invalid JSON body after identifying the caller", async () => {
  const api = await library.openApi();
  const { session } = await signUp(api);
  const post = async (
    body: string | Uint8Array<ArrayBuffer>,
    type?: string,
    headers: Record<string, string> = session,
  ) => {
    const init = {
      method: "POST",
      body,
      headers: { ...headers, ...(type === undefined ? {} : { "content-type": type }) },
    };
    return codeOf(await api.call("/api/apikeys", init));
  };
  const title = JSON.stringify({ title: "T" });
  expect(await post(title, "application/json; charset=utf-8")).toBe(201);
  expect(await post(title, "text/plain")).toBe("unsupported_media_type");
  expect(await post(title)).toBe("unsupported_media_type");
  expect(await post("title=T", "application/x-www-form-urlencoded")).toBe("unsupported_media_type");
  expect(await post(title, "text/plain", {})).toBe("unauthenticated");
  for (const bad of ["", "{", "null", "[]", '"T"', '{"title":1}', '{"title":"   "}', "{}"]) {
    expect([bad, await post(bad, "application/json")]).toEqual([bad, "invalid_request"]);
  }
  expect(await post(new Uint8Array([0x7b, 0xff, 0x7d]), "application/json")).toBe("invalid_request");
  const long = JSON.stringify({ title: "T", more: "x".repeat(20_000) });
  expect(await post(long, "application/json")).toBe("invalid_request");
  expect(await post(JSON.stringify({ title: "T".repeat(64), __proto__: 1 }), "application/json")).toBe(201);
  expect(await post(JSON.stringify({ title: "T".repeat(65) }), "application/json")).toBe("invalid_request");
  // Endpoints without a body ignore one.
  const init = { method: "POST", headers: { ...session, "content-type": "application/json" }, body: "{}" };
  expect(codeOf(await api.call("/api/links/BCDF-GHJK/deny", init))).toBe("not_found");
});

test("internal errors reveal no details", async () => {
  const fake = await openFake(library.database);
  const api = await library.openApi({}, { getSearch: () => fake.library });
  fake.fail = new Error("secret words");
  const from = nextGuest();
  const response = await api.search({ image: await readImage("Alpha Show 2.jpg") }, { from });
  expect(response.body).toEqual({
    type: "urn:koma:problem:internal_error",
    ...problems.internal_error,
    code: "internal_error",
    detail: expect.not.stringContaining("secret"),
    requestId: response.headers.get("x-request-id"),
  });
  expect(await readQuota(api, { "x-forwarded-for": from })).toMatchObject({ kind: "guest", remaining: 5 });
});

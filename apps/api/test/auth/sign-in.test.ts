import { randomUUID } from "node:crypto";
import { Writable } from "node:stream";
import { openAccounts } from "@koma/accounts";
import { parseConfiguration } from "@koma/config";
import { beforeAll, expect, it } from "vitest";
import { describeWithLibrary } from "../fixtures/describe-with-library.ts";
import { nextGuest, readImage, type TestApi } from "../fixtures/open-test-api.ts";
import { makeBot, makeKey, postJson, signUp } from "../fixtures/test-users.ts";

describeWithLibrary("/api/auth", (open) => {
  let api: TestApi;
  beforeAll(async () => {
    api = await open().openApi();
  });

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

  it("requires a trusted Origin", async () => {
    const api = await open().openApi({ KOMA_TRUSTED_ORIGINS: "https://site.example" });
    const { email, password, session } = await signUp(api);
    const signIn = (headers: object) => send(api.url, "/sign-in/email", { email, password }, { ...headers });
    const statuses = [];
    for (const origin of [undefined, api.url, "https://site.example", "https://evil.example"]) {
      statuses.push((await signIn(origin === undefined ? {} : { origin })).status);
    }
    expect(statuses).toEqual([200, 200, 200, 403]);
    const { cookie } = session;
    expect((await send(api.url, "/sign-out", {}, { cookie })).body).toMatchObject({
      code: "MISSING_OR_NULL_ORIGIN",
    });
    for (const origin of [
      "https://evil.example",
      "https://SITE.example",
      "https://site.example/",
      "https://site.example:443",
    ]) {
      for (const headers of [{ origin }, { cookie, origin }]) {
        const { body } = await send(api.url, "/sign-out", {}, headers);
        expect([origin, body]).toMatchObject([origin, { code: "INVALID_ORIGIN" }]);
      }
    }
    for (const origin of [undefined, "null"]) {
      const headers = { cookie, referer: `${api.url}/page`, "sec-fetch-site": "same-origin" };
      const { body } = await send(api.url, "/sign-out", {}, { ...headers, ...(origin && { origin }) });
      expect(body).toMatchObject({ code: "MISSING_OR_NULL_ORIGIN" });
    }
    expect((await send(api.url, "/sign-out", {}, { cookie, origin: "https://site.example" })).status).toBe(
      200,
    );
  });

  it("is served below the path of the base address, and without it", async () => {
    const api = await open().openApi({ KOMA_BASE_URL: "http://koma.example/some/path" });
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
    const { openApi, connectAgain, database } = open();
    const apis = [await openApi(settings), await openApi(settings, { database: await connectAgain() })];
    const statuses = [];
    for (let count = 0; count < 5; count += 1) {
      const body = { email: `${randomUUID()}@site.example`, password: "good enough", name: "Rin" };
      const address = nextGuest();
      const forged = { "x-forwarded-for": address, "x-real-ip": address, "x-koma-client-ip": address };
      statuses.push((await send(apis[count % 2]?.url ?? "", "/sign-up/email", body, forged)).status);
    }
    await database.collectGarbage();
    expect(statuses).toEqual([200, 200, 429, 429, 429]);
  });

  it("counts an IPv6 network once if the proxy is trusted", async () => {
    const api = await open().openApi({ KOMA_SIGN_UPS_PER_HOUR: "1" });
    const network = nextGuest().replace(/::1$/, "");
    const signUpFrom = async (address: string) => {
      const body = { email: `${randomUUID()}@site.example`, password: "good enough", name: "Rin" };
      return await send(api.url, "/sign-up/email", body, { "x-forwarded-for": address });
    };
    expect((await signUpFrom(`${network}::1`)).status).toBe(200);
    const refused = await signUpFrom(`${network}:ffff::2`);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(3000);
    expect((await signUpFrom(`${nextGuest()}`)).status).toBe(200);
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

  it("stores neither address nor browser of a session, and accepts images at https addresses only", async () => {
    const { id, email, password, session } = await signUp(api);
    await send(api.url, "/sign-in/email", { email, password }, { "user-agent": "Browser/1" });
    const rows = await open().query(`SELECT "ipAddress", "userAgent" FROM "Session" WHERE "userId" = $1`, [
      id,
    ]);
    expect(rows).toEqual([
      { ipAddress: null, userAgent: null },
      { ipAddress: null, userAgent: null },
    ]);
    const update = async (image: string | null) =>
      (await send(api.url, "/update-user", { image }, session)).status;
    for (const image of [
      "javascript:alert(1)",
      "http://a.example/b.png",
      "data:image/png;base64,AA",
      "//a",
      "https:///x",
      "",
    ]) {
      expect([image, await update(image)]).toEqual([image, 400]);
    }
    expect([await update("https://a.example/b.png"), await update(null)]).toEqual([200, 200]);
  });

  it("rejects NUL characters in bodies and queries", async () => {
    const { session } = await signUp(api);
    const revoked = await send(api.url, "/revoke-session", { token: "a\0" }, session);
    expect([revoked.status, revoked.body]).toMatchObject([400, { code: "INVALID_TEXT" }]);
    const verified = await send(api.url, "/verify-email?token=a%00", undefined, session);
    expect([verified.status, verified.body]).toMatchObject([400, { code: "INVALID_TEXT" }]);
  });

  it("rejects names that no one can see", async () => {
    const { session } = await signUp(api);
    for (const name of ["", "  ", "\u3000", "\u200b", "\u3164 "]) {
      const fields = { name, email: `${randomUUID()}@site.example`, password: `secret ${randomUUID()}` };
      const created = await send(api.url, "/sign-up/email", fields);
      const changed = await send(api.url, "/update-user", { name }, session);
      for (const { status, body } of [created, changed])
        expect([name, status, body]).toMatchObject([name, 400, { code: "INVALID_NAME" }]);
    }
  });

  it("rejects names and images that are not texts", async () => {
    const { session } = await signUp(api);
    for (const value of [1, true, ["A"], { toString: 1 }, null]) {
      const name = await send(api.url, "/update-user", { name: value }, session);
      expect([value, name.status, name.body]).toMatchObject([value, 400, { code: "INVALID_NAME" }]);
      if (value === null) continue;
      const image = await send(api.url, "/update-user", { image: value }, session);
      expect([value, image.status, image.body]).toMatchObject([value, 400, { code: "INVALID_IMAGE" }]);
    }
  });

  it("logs no key, password, token or email address", async () => {
    const { database, openApi } = open();
    let log = "";
    const stream = new Writable({
      write(chunk, _encoding, done) {
        log += chunk;
        done();
      },
    });
    const write = (message: string) => stream.write(message);
    const accounts = openAccounts({
      database,
      secret: "the secret of the tests",
      trustedOrigins: [],
      log: write,
      configuration: parseConfiguration({
        KOMA_SMTP_URL: "smtp://127.0.0.1:9",
        KOMA_MAIL_FROM: "koma@site.example",
      }),
      baseUrl: () => "http://koma.example",
    });
    const api = await openApi({}, { logger: { level: "trace", stream } });
    const user = await signUp(api);
    const { key, headers, id } = await makeKey(api, user);
    const bot = await makeBot(api);
    await api.search(
      { image: await readImage("Alpha Show 2.jpg").catch(() => new Blob(["x"])) },
      { headers },
    );
    await api.call("/api/apikeys", { headers });
    await api.call(`/api/apikeys?key=${key}`, { headers: user.session });
    await api.call(`/api/apikeys/${id}`, { method: "DELETE", headers: user.session });
    await api.call("/api/user/anime-credits", { headers });
    await postJson(api, "/api/links/token", { deviceCode: "a-device-code" }, bot.headers);
    await send(api.url, "/sign-in/email", { email: user.email, password: user.password });
    await send(api.url, "/sign-in/email", { email: user.email, password: "a wrong guess" });
    await send(api.url, "/reset-password/a-reset-token?callbackURL=/", undefined);
    await accounts.handler(
      new Request("http://localhost/api/auth/sign-up/email", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ email: "rin@private.example", password: user.password, name: "Rin" }),
      }),
      nextGuest(),
    );
    await accounts.close();
    const botKey = bot.headers.authorization.slice("Bearer ".length);
    const cookie = user.session.cookie.split("=")[1] ?? "";
    const secrets = [
      key,
      botKey,
      user.password,
      cookie,
      decodeURIComponent(cookie),
      user.email,
      "a wrong guess",
    ];
    for (const secret of [...secrets, "a-device-code", "a-reset-token", "rin@private.example"]) {
      expect([secret, secret.length > 5 && !log.includes(secret)]).toEqual([secret, true]);
    }
    expect(log).toContain("POST /api/auth/* 200");
    expect(log).toContain("A mail could not be sent");
  });
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

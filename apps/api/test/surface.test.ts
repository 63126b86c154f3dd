import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { AnimeList, endpoints } from "@koma/contract";
import { DatabaseLostError } from "@koma/database";
import type { LibrarySearch } from "@koma/library";
import { sendRawRequest } from "@koma/testing";
import { Validator } from "@seriousme/openapi-schema-validator";
import { describe, expect, test } from "vitest";
import { expectProblem } from "./fixtures/expect-problem.ts";
import { nextGuest, openTestLibrary, readImage } from "./fixtures/open-test-api.ts";
import { sendHead } from "./fixtures/send-head.ts";
import { postJson } from "./fixtures/test-users.ts";

const library = await openTestLibrary();
const api = await library.openApi({ KOMA_TRUSTED_ORIGINS: "https://site.example" });

const sendRaw = (request: string) => sendRawRequest(api.url, Buffer.from(request));

describe("documents", async () => {
  const document = (await api.call("/openapi.json")).body as { paths: Record<string, object> };

  test("/openapi.json is valid OpenAPI 3.1 and contains every route", async () => {
    const validator = new Validator();
    expect(await validator.validate(structuredClone(document))).toMatchObject({ valid: true });
    expect(validator.version).toBe("3.1");
    const described = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const isForeign = (operation: string) => / \/(?:api\/auth|trace\.moe)\//.test(operation);
    expect(described.filter((operation) => !isForeign(operation)).toSorted()).toEqual(
      endpoints.map(({ method, path }) => `${method} ${path}`).toSorted(),
    );
    expect(described.filter(isForeign)).toEqual(
      expect.arrayContaining([
        "POST /api/auth/sign-in/email",
        "GET /trace.moe/search",
        "POST /trace.moe/search",
        "GET /trace.moe/me",
        "GET /trace.moe/anilist",
        "GET /trace.moe/status",
        "GET /trace.moe/stats",
      ]),
    );
  });

  test("every operation below /api/auth that the document contains is served", async () => {
    const operations = Object.entries(document.paths)
      .filter(([path]) => path.startsWith("/api/auth/"))
      .flatMap(([path, methods]) => Object.keys(methods).map((method) => ({ path, method })));
    expect(operations.length).toBeGreaterThan(5);
    for (const { path, method } of operations) {
      const response =
        method === "get"
          ? await api.call(path)
          : await postJson(api, path, {}, { origin: new URL(api.url).origin });
      expect([path, response.status]).not.toEqual([path, 404]);
    }
  });

  test("/docs loads its resources, and nothing from other origins", async () => {
    const page = await api.call("/docs/");
    expect(page.status).toBe(200);
    const addresses = [...page.bytes.toString().matchAll(/(?:src|"url"|"favicon")(?:=|: )"([^"]+)"/g)].map(
      ([, link = ""]) => link,
    );
    expect(addresses).toEqual(expect.arrayContaining(["/docs/js/scalar.js", "/docs/openapi.json"]));
    for (const link of addresses.filter((address) => address !== "/favicon.svg")) {
      expect(new URL(link, `${api.url}/docs/`).origin).toBe(api.url);
      expect((await api.call(link)).status).toBe(200);
    }
    expect(page.bytes.toString()).toContain('<html lang="en">');
    const policy = page.headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'self'");
    expect(policy.split("; ").find((part) => part.startsWith("script-src"))).not.toContain("unsafe");
  });

  test.each(["/openapi.json", "/docs/openapi.json", "/docs/js/scalar.js"])(
    "%s is one document for all clients, which revalidate it",
    async (path) => {
      const { status, headers } = await api.call(path);
      expect([status, headers.get("cache-control")]).toEqual([200, "no-cache"]);
      const tag = headers.get("etag") ?? "";
      expect(tag).toMatch(/^"[\w-]{43}"$/);
      expect((await fetch(`${api.url}${path}`, { headers: { "if-none-match": tag } })).status).toBe(304);
    },
  );

  test("the examples of the guide call the address of this server", async () => {
    expect((await api.call("/api/site")).body).toMatchObject({ baseUrl: api.url });
    for (const path of ["/openapi.json", "/docs/openapi.json"]) {
      const { info } = (await api.call(path)).body as { info: { description: string } };
      expect(info.description.match(/^curl \S+/gm)).toEqual(
        [1, 2, 3].map(() => `curl ${api.url}/api/anime/search`),
      );
    }
  });

  test("the reader's document has no example values for optional fields of the search", async () => {
    const document = (await api.call("/docs/openapi.json")).body as {
      paths: { "/api/anime/search": { post: SearchOperation } };
    };
    const { parameters, requestBody } = document.paths["/api/anime/search"].post;
    const { url, animeId } = requestBody.content["multipart/form-data"].schema.properties;
    for (const schema of [url, animeId, ...parameters.map((one) => one.schema)])
      expect(schema).not.toHaveProperty("examples");
  });
});

test("a part of a title in any case finds the anime, up to the limit", async () => {
  const titlesOf = async (query: string) =>
    AnimeList.parse((await api.call(`/api/anime${query}`)).body).items.map((anime) => anime.title.romaji);
  expect(await titlesOf("?query=alpha")).toEqual(["Alpha Show"]);
  expect(await titlesOf("?query=%EF%BC%A2eta%20SH&other=1")).toEqual(["Beta Show"]);
  expect(await titlesOf("?query=100%25")).toEqual([]);
  expect((await titlesOf("")).toSorted()).toEqual(["Alpha Show", "Beta Show"]);
  expect(await titlesOf("?limit=1")).toHaveLength(1);
});

describe("health", () => {
  test("/readyz queries the database once per second", async () => {
    let pings = 0;
    const database = {
      ...library.database,
      ping: async () => {
        pings += 1;
      },
    };
    const counted = await library.openApi({}, { database });
    const responses = await Promise.all(Array.from({ length: 20 }, () => counted.call("/readyz")));
    for (const { body } of responses) expect(body).toMatchObject({ status: "ready" });
    expect(pings).toBeLessThan(20);
  });

  test("/readyz says that the database was deleted, without the folder", async () => {
    const ping = () => Promise.reject(new DatabaseLostError("The database in /folder was deleted."));
    const lost = await library.openApi({}, { database: { ...library.database, ping } });
    expect((await lost.call("/readyz")).body).toMatchObject({
      status: 503,
      code: "not_ready",
      detail: "The database was deleted or replaced; the log of the API names its folder.",
    });
  });

  test("searches are not ready while the library loads or is empty", async () => {
    const loading = await library.openApi({}, { getSearch: () => undefined });
    const image = await readImage("Alpha Show 2.jpg");
    expect((await loading.call("/healthz")).body).toEqual({ status: "ok" });
    expectProblem(await loading.call("/readyz"), "not_ready");
    expectProblem(await loading.search({ image }), "not_ready");
    const nothing = { isReady: () => false, frameCount: () => 0 } as unknown as LibrarySearch;
    const empty = await library.openApi({}, { getSearch: () => nothing });
    const ready = (await empty.call("/readyz")).body;
    expect(ready).toMatchObject({ status: 503, code: "not_ready", detail: "Nothing has been indexed yet." });
    expect((await empty.search({ image })).body).toMatchObject({
      ...(ready as object),
      requestId: expect.anything(),
    });
  });
});

describe("every response", () => {
  test("has security headers", async () => {
    const { headers } = await api.call("/api/anime/quota");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("content-security-policy")).toBe("default-src 'none';frame-ancestors 'none'");
    expect(headers.get("x-powered-by")).toBeNull();
  });

  test("can be read by any site, with cookies by trusted sites only", async () => {
    const ask = async (origin: string) =>
      (await api.call("/api/anime/quota", { headers: { origin } })).headers;
    const any = await ask("https://any.example");
    expect([any.get("access-control-allow-origin"), any.get("access-control-allow-credentials")]).toEqual([
      "*",
      null,
    ]);
    expect(any.get("access-control-expose-headers")).toContain("ratelimit");
    const trusted = await ask("https://site.example");
    expect(trusted.get("access-control-allow-origin")).toBe("https://site.example");
    expect(trusted.get("access-control-allow-credentials")).toBe("true");
    expect(trusted.get("vary")?.toLowerCase()).toContain("origin");
    const preflight = await fetch(`${api.url}/api/anime/search`, {
      method: "OPTIONS",
      headers: {
        origin: "https://any.example",
        "access-control-request-method": "POST",
        "access-control-request-headers": "idempotency-key",
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("access-control-allow-headers")).toContain("idempotency-key");
    const bare = await fetch(`${api.url}/api/anime/search`, { method: "OPTIONS" });
    expect([bare.status, await bare.text()]).toEqual([204, ""]);
    expect(bare.headers.get("access-control-allow-methods")).toContain("POST");
  });

  test.each([
    ["GET", "/"],
    ["GET", "/nothing"],
    ["GET", "/api/anime/search"],
    ["PUT", "/api/apikeys"],
    ["GET", "/.env"],
    ["GET", "/docs/static/..%2f..%2fpackage.json"],
  ])("%s %s is a problem 404", async (method, path) => {
    const response = await api.call(path, { method });
    expectProblem(response, "not_found", { requestId: response.headers.get("x-request-id") });
  });

  test("is a problem if the address cannot be decoded", async () => {
    expectProblem(await api.call("/api/%zz"), "invalid_request", { errors: [{ path: "" }] });
  });

  test.each([
    ["/api/anime?limit=1&limit=2", "limit: was sent more than once, or as a list"],
    ["/api/anime?limit=1.5", "limit: must be a whole number"],
    ["/api/anime/rankings?period=hourly", "period: must be daily, weekly, monthly, yearly or all"],
    [`/api/anime/searches/${"a".repeat(3000)}`, "A part of the address is too long."],
    [`/api/anime/searches/${"a".repeat(80)}`, "id: is not an id"],
  ])("describes the problem with %.40s", async (path, detail) => {
    const { body } = await api.call(path);
    expect(body).toMatchObject({ status: 400, code: "invalid_request", detail });
  });

  test("describes the problem with a body", async () => {
    const confirm = async (body: unknown) =>
      (await postJson(api, "/api/anime/searches/unknown/confirm", body)).body as { detail: string };
    expect((await confirm({ rank: 1.5 })).detail).toBe("rank: must be a whole number");
    expect((await confirm({ rank: "1" })).detail).toBe("rank: must be a number");
    expect((await confirm({})).detail).toBe("rank: is missing");
    expect((await confirm([])).detail).toBe("must be a JSON object");
  });

  test.each([
    ["no HTTP", "hello\r\n\r\n"],
    ["headers that are too long", `GET / HTTP/1.1\r\nhost: x\r\nx: ${"a".repeat(40_000)}\r\n\r\n`],
    [
      "two lengths",
      "POST /api/anime/search HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab",
    ],
    ["two hosts", "GET /api/site HTTP/1.1\r\nhost: x\r\nhost: y\r\nconnection: close\r\n\r\n"],
  ])("is a problem for %s", async (_name, request) => {
    const response = await sendRaw(request);
    expectProblem(response, "invalid_request");
    expect(response.headers.get("content-type")).toContain("application/problem+json");
  });
});

test("ignores an unknown expectation", async () => {
  const response = await sendRaw(
    "GET /nothing HTTP/1.1\r\nhost: x\r\nexpect: 200-ok\r\nconnection: close\r\n\r\n",
  );
  expectProblem(response, "not_found");
});

test("a request in absolute form, as clients send it to proxies, is one of its path", async () => {
  const { status, headers } = await sendRaw(
    "GET http://x/api/anime HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n",
  );
  expect([status, headers.get("cache-control")]).toEqual([200, "no-store"]);
});

test("the networks of one IPv6 /48 share a higher limit", async () => {
  const strict = await library.openApi({ KOMA_SITE_REQUESTS_PER_MINUTE: "3" });
  const ask = async (from: string) =>
    (await strict.call("/api/anime", { headers: { "x-forwarded-for": from } })).status;
  for (const subnet of [1, 2, 3]) expect(await ask(`2001:db8:ffff:${subnet}::1`)).toBe(200);
  expect(await ask("2001:db8:ffff:4::1")).toBe(429);
  expect(await ask("2001:db8:fffe:4::1")).toBe(200);
});

test("rejects requests above the limit per minute, except for the health check", async () => {
  const strict = await library.openApi({ KOMA_REQUESTS_PER_MINUTE: "3" });
  const from = nextGuest();
  const headers = { "x-forwarded-for": from };
  const statuses = [];
  for (const path of ["/api/anime", "/nothing", "/api/anime/quota", "/api/anime", "/nothing"]) {
    statuses.push((await strict.call(path, { headers })).status);
  }
  expect(statuses).toEqual([200, 404, 200, 429, 429]);
  const refused = await strict.call("/api/anime", {
    headers: { "x-forwarded-for": from.replace("::1", "::2") },
  });
  expectProblem(refused, "too_many_requests");
  expect(Number(refused.headers.get("retry-after"))).toBeLessThanOrEqual(60);
  expect((await strict.call("/healthz", { headers })).status).toBe(200);
  const other = await strict.call("/api/anime", { headers: { "x-forwarded-for": nextGuest() } });
  expect(other.status).toBe(200);
});

test("preflight requests count for the limit per minute like others", async () => {
  const strict = await library.openApi({ KOMA_REQUESTS_PER_MINUTE: "3" });
  const headers = { "x-forwarded-for": nextGuest(), origin: "https://any.example" };
  const ask = async (method: string, path: string) => (await strict.call(path, { method, headers })).status;
  expect(await ask("OPTIONS", "/api/anime/search")).toBe(204);
  expect(await ask("OPTIONS", "/nothing")).toBe(204);
  expect(await ask("GET", "/api/anime")).toBe(200);
  expect(await ask("OPTIONS", "/api/anime/search")).toBe(429);
  expect(await ask("GET", "/api/anime")).toBe(429);
});

test("a forwarded value that is no address does not create another guest", async () => {
  const hop = nextGuest();
  const strict = await library.openApi({
    KOMA_REQUESTS_PER_MINUTE: "3",
    KOMA_TRUSTED_PROXIES: "127.0.0.1,2001:db8::/32",
  });
  const statuses = [];
  for (const forwarded of ["garbage", "unknown", "x".repeat(5000), "1.2.3.4.5", "203.0.113.77"]) {
    const headers = { "x-forwarded-for": `${forwarded}, ${hop}` };
    statuses.push((await strict.call("/nothing", { headers })).status);
  }
  expect(statuses).toEqual([404, 404, 404, 429, 404]);
});

test("a client that is rejected during its upload gets the response at once and can end the upload", async () => {
  const strict = await library.openApi({ KOMA_REQUESTS_PER_MINUTE: "1" });
  const from = nextGuest();
  await strict.call("/nothing", { headers: { "x-forwarded-for": from } });
  const image = Buffer.alloc(10 * 1024 * 1024);
  const { port } = new URL(strict.url);
  const socket = connect({ port: Number(port), host: "127.0.0.1", allowHalfOpen: true });
  socket.write(
    `POST /api/anime/search HTTP/1.1\r\nhost: x\r\nconnection: close\r\nx-forwarded-for: ${from}\r\n` +
      `content-type: multipart/form-data; boundary=b\r\ncontent-length: ${image.length}\r\n\r\n`,
  );
  let response = "";
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    response += chunk;
    if (response.endsWith("}")) break;
  }
  expect(response).toMatch(/^HTTP\/1\.1 429 [\s\S]*"code":"too_many_requests"/);
  await new Promise<void>((sent, failed) => socket.write(image, (error) => (error ? failed(error) : sent())));
  // The API has closed the connection without a reset.
  expect(await text(socket)).toBe("");
  socket.end();
});

test("an upload without new data ends with 408", async () => {
  const strict = await library.openApi({ KOMA_UPLOAD_IDLE_SECONDS: "1" });
  const form = { "content-type": "multipart/form-data; boundary=b" };
  const start = '--b\r\ncontent-disposition: form-data; name="image"\r\n\r\nthe first bytes';
  const response = await sendHead(strict.url, "/api/anime/search", form, start);
  expect(response).toMatch(/^HTTP\/1\.1 408 [\s\S]*"code":"upload_too_slow"/);
});

test("the base address can have a path, whether or not a proxy removes it", async () => {
  const base = await library.openApi({
    KOMA_BASE_URL: "https://koma.example/find/",
  });
  const health = await base.call("/find/healthz");
  expect(health.status).toBe(200);
  // Other services on subdomains may have no HTTPS.
  expect(health.headers.get("strict-transport-security")).toBe("max-age=31536000");
  expect((await base.call("/healthz")).status).toBe(200);
  expect((await base.call("/find/openapi.json")).body).toMatchObject({
    servers: [{ url: "https://koma.example/find" }],
  });
  const page = (await base.call("/find/docs")).bytes.toString();
  expect([...page.matchAll(/"(\/[^"]+)"/g)].map(([, link]) => link)).toEqual(
    expect.arrayContaining(["/find/docs/js/scalar.js", "/find/docs/openapi.json"]),
  );
  expect((await base.call("/find/docs/js/scalar.js")).status).toBe(200);
  const response = await base.search({
    image: await readImage("Alpha Show 2.jpg"),
  });
  const { imageUrl } = (response.body as { matches: { imageUrl: string }[] }).matches[0] ?? { imageUrl: "" };
  expect(imageUrl).toMatch(/^https:\/\/koma\.example\/find\/previews\/still\//);
  expect((await base.call(new URL(imageUrl).pathname)).status).toBe(200);
  const account = { name: "Rin", email: "rin@site.example", password: "a long password" };
  const { headers } = await postJson(base, "/find/api/auth/sign-up/email", account, {
    origin: "https://koma.example",
    "x-forwarded-for": nextGuest(),
  });
  // Other programs on the host do not receive them.
  const paths = headers.getSetCookie().map((cookie) => /; Path=([^;]*)/.exec(cookie)?.[1]);
  expect(new Set(paths)).toEqual(new Set(["/find"]));
});

type SearchOperation = {
  parameters: { schema: object }[];
  requestBody: { content: { "multipart/form-data": { schema: { properties: Record<string, object> } } } };
};

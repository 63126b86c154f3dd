import { afterAll, beforeAll, expect, test } from "vitest";
import { createClient } from "../src/index.ts";
import { breakOff, refuse, respond, startScriptedApi } from "./fixtures/scripted-api.ts";

let api: Awaited<ReturnType<typeof startScriptedApi>>;
let client: ReturnType<typeof createClient>;
beforeAll(async () => {
  api = await startScriptedApi();
  client = createClient({ baseUrl: api.url });
});
afterAll(() => api.close());

const quota = { kind: "guest", limit: 5, remaining: 4, resetsAt: "2026-11-21T00:00:00.000Z" };
const result = {
  id: "s",
  outcome: "not_in_library",
  matches: [],
  confirmToken: "t",
  frameCount: 0,
  tookMs: 1,
  quota,
};
const newKey = {
  id: "k",
  title: "x",
  start: "koma_a",
  key: "koma_abc",
  createdAt: "2026-11-20T00:00:00.000Z",
  expiresAt: null,
};

/** Milliseconds between the first two requests. */
function firstWaitMs(): number {
  const [first, second] = api.requests;
  return (second?.atMs ?? 0) - (first?.atMs ?? 0);
}

test("what will be possible in a second is asked again after that second", async () => {
  api.script(refuse("too_many_requests", "1"), respond(200, quota));
  expect(await client.getQuota()).toEqual(quota);
  expect(firstWaitMs()).toBeGreaterThan(990);
});

test("a date is waited for by the clock of whoever named it", async () => {
  const date = "Fri, 20 Nov 2015 10:00:00 GMT";
  const in1s = respond(
    503,
    { ...problem, code: "not_ready", status: 503 },
    {
      "retry-after": "Fri, 20 Nov 2015 10:00:01 GMT",
      date,
    },
  );
  api.script(in1s, respond(200, quota));
  expect(await client.getQuota()).toEqual(quota);
  expect(firstWaitMs()).toBeGreaterThan(990);
  expect(firstWaitMs()).toBeLessThan(10_000);
});

const problem = { type: "urn:koma:problem:x", title: "x", detail: "x", requestId: "r" };

test("without Retry-After it is a second, and never at once", async () => {
  api.script(refuse("search_busy"), refuse("search_busy", "0"), respond(200, quota));
  expect(await client.getQuota()).toEqual(quota);
  expect(firstWaitMs()).toBeGreaterThan(990);
  const [, second, third] = api.requests;
  expect((third?.atMs ?? 0) - (second?.atMs ?? 0)).toBeGreaterThan(190);
});

test("a search is asked again under one key, made where none is given", async () => {
  api.script(refuse("search_busy", "0"), breakOff, respond(200, result), respond(200, result));
  const input = { url: "https://site.example/a.png" };
  expect(await client.searchAnime(input)).toEqual(result);
  await client.searchAnime(input, { headers: { "idempotency-key": "mine" } });
  const sent = api.requests.map(({ headers }) => headers["idempotency-key"]);
  expect(sent[0]).toMatch(/^[0-9a-f]{32}$/);
  expect(sent).toEqual([sent[0], sent[0], sent[0], "mine"]);
  expect(new Set(api.requests.slice(0, 3).map(({ body }) => String(body).split("\r\n")[3])).size).toBe(1);
});

test.each([502, 503, 504])(
  "a proxy's %i is an API that cannot be reached: asked again where that is safe, and told as such",
  async (status) => {
    const page = respond(status, "<html>Bad Gateway</html>", { "content-type": "text/html" });
    api.script(page, respond(200, quota));
    expect(await client.getQuota()).toEqual(quota);
    api.script(page, page, page, respond(200, quota));
    await expect(client.getQuota()).rejects.toMatchObject({ name: "NetworkFailure", reason: "unreachable" });
    expect(api.requests).toHaveLength(3);
    api.script(page, respond(201, newKey));
    await expect(client.createApiKey({ title: "x" })).rejects.toMatchObject({ name: "NetworkFailure" });
    expect(api.requests).toHaveLength(1);
  },
);

test("a proxy's Retry-After is waited for", async () => {
  api.script(respond(503, "busy", { "retry-after": "1" }), respond(200, quota));
  expect(await client.getQuota()).toEqual(quota);
  expect(firstWaitMs()).toBeGreaterThan(990);
});

test("what no wait within the deadline cures is thrown at once", async () => {
  for (const code of ["guest_limit_reached", "hourly_limit_reached"] as const) {
    api.script(refuse(code, "36000"), respond(200, result));
    const call = client.searchAnime({ url: "https://site.example/a.png" });
    await expect(call).rejects.toMatchObject({ code, retryAfterSeconds: 36_000 });
    expect(api.requests).toHaveLength(1);
  }
  api.script(refuse("too_many_requests", "2"));
  await expect(client.getQuota({}, { deadlineMs: 1500 })).rejects.toMatchObject({
    code: "too_many_requests",
  });
  expect(api.requests).toHaveLength(1);
});

test("it gives up with the last problem when the deadline comes", async () => {
  api.script(...Array.from({ length: 20 }, () => refuse("search_busy", "0")));
  const start = performance.now();
  await expect(client.getQuota({}, { deadlineMs: 1000 })).rejects.toMatchObject({ code: "search_busy" });
  expect(performance.now() - start).toBeLessThan(2000);
  expect(api.requests.length).toBeGreaterThan(2);
  expect(api.requests.length).toBeLessThan(6);
});

test("what was refused unread is asked again, what may have been done twice is not", async () => {
  api.script(refuse("too_many_requests", "0"), respond(201, newKey));
  expect(await client.createApiKey({ title: "x" })).toEqual(newKey);
  api.script(refuse("not_ready", "0"), respond(201, newKey));
  await expect(client.createApiKey({ title: "x" })).rejects.toMatchObject({ code: "not_ready" });
  expect(api.requests).toHaveLength(1);
});

test.each(["credits_exhausted", "unauthenticated", "not_found", "internal_error", "link_denied"] as const)(
  "%s is thrown at once",
  async (code) => {
    api.script(refuse(code, "0"), respond(200, result));
    await expect(client.getQuota()).rejects.toMatchObject({ code });
    expect(api.requests).toHaveLength(1);
  },
);

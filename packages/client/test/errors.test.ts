import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ApiProblem, createClient, NetworkFailure, UnexpectedResponse } from "../src/index.ts";
import { breakOff, ignoreRequest, refuse, respond, startScriptedApi } from "./fixtures/scripted-api.ts";

let api: Awaited<ReturnType<typeof startScriptedApi>>;
let client: ReturnType<typeof createClient>;
beforeAll(async () => {
  api = await startScriptedApi();
  client = createClient({ baseUrl: api.url });
});
afterAll(() => api.close());

const quota = { kind: "guest", limit: 5, remaining: 4, resetsAt: "2026-11-21T00:00:00.000Z" };
const thrownBy = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => "nothing",
    (error: unknown) => error,
  );

test("throws a problem of the API with all its fields", async () => {
  const spent = { ...quota, remaining: 0 };
  api.script(refuse("credits_exhausted", undefined, { quota: spent, more: 1 }));
  const error = await thrownBy(client.searchAnime({ url: "https://site.example/a.png" }));
  expect(error).toBeInstanceOf(ApiProblem);
  expect(error).toMatchObject({
    name: "ApiProblem",
    message: "About credits_exhausted.",
    code: "credits_exhausted",
    status: 402,
    detail: "About credits_exhausted.",
    requestId: "req-7",
    retryAfterSeconds: undefined,
    quota: spent,
    errors: [],
  });
  const errors = [{ path: "limit", message: "must be at most 100" }];
  api.script(refuse("invalid_request", undefined, { errors }));
  expect(await thrownBy(client.getRankings({ limit: 101 }))).toMatchObject({
    code: "invalid_request",
    errors,
  });
});

test.each([
  ["a proxy's page", respond(505, "<html>Not Supported</html>", { "content-type": "text/html" }), 505],
  ["a problem of a later version", respond(418, { code: "teapot", status: 418, detail: "x" }), 418],
  ["a response that lacks a field", respond(200, { ...quota, remaining: undefined }), 200],
  ["a response that is no JSON", respond(200, "{"), 200],
  ["a status outside of the contract", respond(201, quota), 201],
])("rejects %s as a response", async (_name, script, status) => {
  api.script(script);
  const error = await thrownBy(client.getQuota());
  expect(error).toBeInstanceOf(UnexpectedResponse);
  expect(error).toMatchObject({
    status,
    message: expect.stringContaining(`getQuota received the response ${status}`),
  });
});

test("accepts a response with additional fields", async () => {
  api.script(respond(200, { ...quota, more: true }));
  expect(await client.getQuota()).toEqual(quota);
});

test("reports an unreachable server as a network failure", async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  const error = await thrownBy(
    createClient({ baseUrl: `http://127.0.0.1:${port}`, deadlineMs: 3_000 }).getQuota(),
  );
  expect(error).toBeInstanceOf(NetworkFailure);
  expect(error).toMatchObject({ reason: "unreachable", cause: expect.any(Error) });
});

test("retries a broken connection if that is safe, else reports a network failure", async () => {
  api.script(breakOff, respond(200, quota));
  expect(await client.getQuota()).toEqual(quota);
  api.script(breakOff, respond(201, {}));
  expect(await thrownBy(client.createApiKey({ title: "x" }))).toMatchObject({ reason: "unreachable" });
  expect(api.requests).toHaveLength(1);
});

test("reports a missing response at the deadline as a separate network failure", async () => {
  api.script(ignoreRequest);
  const start = performance.now();
  const error = await thrownBy(client.getQuota({}, { deadlineMs: 200 }));
  expect(error).toMatchObject({ name: "NetworkFailure", reason: "deadline" });
  expect(performance.now() - start).toBeGreaterThan(190);
  expect(api.requests).toHaveLength(1);
});

test("applies the deadline to an incomplete response", async () => {
  api.script((response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.write('{"kind":');
  });
  expect(await thrownBy(client.getQuota({}, { deadlineMs: 300 }))).toMatchObject({ reason: "deadline" });
});

test("throws the caller's reason after an abort before, during and between requests", async () => {
  const reason = new Error("enough");
  api.script();
  expect(await thrownBy(client.getQuota({}, { signal: AbortSignal.abort(reason) }))).toBe(reason);
  expect(api.requests).toHaveLength(0);

  const during = new AbortController();
  api.script(() => during.abort(reason));
  expect(await thrownBy(client.getQuota({}, { signal: during.signal }))).toBe(reason);

  const between = new AbortController();
  api.script((response) => {
    refuse("search_busy", "10")(response);
    response.once("close", () => between.abort(reason));
  });
  expect(await thrownBy(client.getQuota({}, { signal: between.signal }))).toBe(reason);
  expect(api.requests).toHaveLength(1);
});

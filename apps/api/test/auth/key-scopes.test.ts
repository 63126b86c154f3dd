import { ApiKeyScope, endpoints } from "@koma/contract";
import { expect, test } from "vitest";
import { expectProblem } from "../fixtures/expect-problem.ts";
import { openTestLibrary } from "../fixtures/open-test-api.ts";
import { makeKey, postJson, signUp } from "../fixtures/test-users.ts";

type KeyedEndpoint = { method: string; path: string; scope?: ApiKeyScope };
const keyed: KeyedEndpoint[] = endpoints.filter(({ security }) =>
  security.some((caller) => caller === "apiKey"),
);

test("every operation with an API key needs a scope, except the one that revokes the key", () => {
  const free = keyed.filter(({ scope }) => scope === undefined);
  expect(free.map(({ method, path }) => `${method} ${path}`)).toEqual(["DELETE /api/apikeys/current"]);
  expect(new Set(keyed.map(({ scope }) => scope))).toEqual(new Set([...ApiKeyScope.options, undefined]));
});

const library = await openTestLibrary();
test.each(ApiKeyScope.options)(
  "API keys with the scope %s are refused by operations of another one",
  async (own) => {
    const api = await library.openApi();
    const { headers } = await makeKey(api, await signUp(api), "One scope", { scopes: [own] });
    for (const { method, path, scope } of keyed) {
      if (scope === undefined) continue;
      const address = path.replace(/\{\w+\}/g, "cmi8x2k4q0003");
      const { status, body } = await api.call(address, { method, headers });
      const refusal = { code: "forbidden", detail: `This API key does not have the scope \`${scope}\`.` };
      if (scope === own) expect([path, body]).not.toEqual([path, expect.objectContaining(refusal)]);
      else expect([path, status, body]).toMatchObject([path, 403, refusal]);
    }
    const asTraceMoe = await api.call("/trace.moe/me", {
      headers: { "x-trace-key": headers.authorization.replace("Bearer ", "") },
    });
    expect(asTraceMoe.status).toBe(own === "search" ? 200 : 403);
    expect((await api.call("/api/apikeys/current", { method: "DELETE", headers })).status).toBe(204);
  },
);

test("API keys have all scopes and no end unless their creation names others, and show both", async () => {
  const api = await library.openApi();
  const user = await signUp(api);
  const all = await makeKey(api, user, "All");
  const own = await makeKey(api, user, "Own", { scopes: ["account"], expiresInDays: 1 });
  const { body } = await api.call("/api/apikeys", { headers: user.session });
  const { items } = body as { items: { id: string; createdAt: string; expiresAt: string | null }[] };
  const find = (id: string) => items.find((item) => item.id === id);
  expect(find(all.id)).toMatchObject({ expiresAt: null, scopes: ["search", "account"] });
  expect(find(own.id)).toMatchObject({ scopes: ["account"] });
  const { createdAt = "", expiresAt } = find(own.id) ?? {};
  expect(Date.parse(expiresAt ?? "") - Date.parse(createdAt)).toBe(86_400_000);
  for (const path of ["/api/anime/quota", "/api/user/anime-credits"]) {
    expect((await api.call(path, { headers: all.headers })).status).toBe(200);
  }
  for (const wrong of [{ scopes: [] }, { scopes: ["bot"] }, { expiresInDays: 0 }, { expiresInDays: 366 }]) {
    const created = await postJson(api, "/api/apikeys", { title: "Wrong", ...wrong }, user.session);
    expect([wrong, created.body]).toMatchObject([wrong, { code: "invalid_request" }]);
  }
});

test("API keys that have expired are refused, and the error tells so", async () => {
  let at = new Date();
  const api = await library.openApi({}, { now: () => at });
  const { headers } = await makeKey(api, await signUp(api), "Week", { expiresInDays: 7 });
  const credits = () => api.call("/api/user/anime-credits", { headers });
  const end = new Date(at.getTime() + 7 * 86_400_000);
  at = new Date(end.getTime() - 1000);
  expect((await credits()).status).toBe(200);
  at = end;
  expectProblem(await credits(), "invalid_api_key", {
    detail: `This API key expired at ${end.toISOString()}.`,
  });
});

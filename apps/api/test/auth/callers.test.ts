import { createCallerHashes } from "@koma/accounts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { nextGuest, openTestLibrary, type TestApi, type TestLibrary } from "../fixtures/open-test-api.ts";
import { makeBot, makeKey, postJson, signUp } from "../fixtures/test-users.ts";

const site = "https://site.example";
const settings = { KOMA_TRUSTED_ORIGINS: site };

let library: TestLibrary;
let api: TestApi;
beforeAll(async () => {
  library = await openTestLibrary();
  api = await library.openApi(settings);
});
afterAll(() => library.close());

/** Sends a request and returns the status and the code of the response. */
async function ask(
  operation: string,
  headers: Record<string, string> = {},
  body?: object,
  at = api,
): Promise<string> {
  const [method = "GET", path = ""] = operation.split(" ");
  const json = body === undefined ? {} : { "content-type": "application/json" };
  const response = await at.call(path, {
    method,
    headers: { "x-forwarded-for": nextGuest(), ...json, ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const { code } = (response.body ?? {}) as { code?: string };
  return code === undefined ? String(response.status) : `${response.status} ${code}`;
}

describe("callers", () => {
  it("with a key and a cookie are identified by the key", async () => {
    const user = await signUp(api);
    const { headers: key } = await makeKey(api, user);
    const both = { ...user.session, ...key };
    expect(await ask("GET /api/apikeys", both)).toBe("403 forbidden");
    const badKey = { ...user.session, authorization: "Bearer koma_bad" };
    expect(await ask("GET /api/apikeys", badKey)).toBe("401 invalid_api_key");
    const badCookie = { ...key, cookie: "better-auth.session_token=bad" };
    expect(await ask("GET /api/user/anime-credits", badCookie)).toBe("200");
    // Cookies are ignored here, so no Origin is required.
    expect(await ask("DELETE /api/apikeys/current", { ...key, cookie: user.session.cookie })).toBe("204");
  });

  it("with a session need a trusted Origin for changes", async () => {
    const { session } = await signUp(api);
    const { cookie } = session;
    const make = (headers: Record<string, string>) =>
      ask("POST /api/apikeys", { cookie, ...headers }, { title: "Made" });
    expect(await make({})).toBe("403 untrusted_origin");
    for (const origin of ["https://evil.example", "null", `${site}.evil.example`, "http://site.example"]) {
      expect([origin, await make({ origin })]).toEqual([origin, "403 untrusted_origin"]);
    }
    expect(await make({ origin: site })).toBe("201");
    expect(await make({ origin: api.url })).toBe("201");
    expect(await ask("GET /api/apikeys", { cookie, origin: "https://evil.example" })).toBe("200");
    const search = await api.search({}, { headers: { cookie } });
    expect(search.body).toMatchObject({ code: "untrusted_origin" });
  });

  it("on a chat platform are identified by a bot's key, and rejected while they are blocked", async () => {
    const { database } = library;
    const user = await signUp(api);
    const { headers: key } = await makeKey(api, user);
    const { headers: bot } = await makeBot(api);
    const quota = "GET /api/anime/quota";
    const chat = { "x-koma-chat-user": "discord:123" };
    for (const caller of [{}, user.session, key]) {
      expect(await ask(quota, { ...caller, ...chat })).toBe("403 forbidden");
    }
    expect(await ask(quota, { ...bot, ...chat })).toBe("200");
    expect(await ask(quota, { ...bot, "x-koma-chat-user": "irc:1" })).toBe("400 invalid_request");
    const blocked = createCallerHashes("the secret of the tests").chat("discord:123");
    await database.chatBlocks.block({ key: blocked, kind: "user", note: null });
    expect(await ask(quota, { ...bot, ...chat })).toBe("403 forbidden");
    expect(await ask(quota, { ...bot, "x-koma-chat-user": "discord:124" })).toBe("200");
    await database.chatBlocks.unblock(blocked);
    expect(await ask(quota, { ...bot, ...chat })).toBe("200");
    for (const chatUser of ["discord:123", "irc:1", ""]) {
      const sent = { "x-koma-chat-user": chatUser };
      for (const address of ["GET /api/user/anime-credits", "GET /api/anime/searches/unknown"]) {
        for (const caller of [{}, user.session, key]) {
          expect([address, await ask(address, { ...caller, ...sent })]).toEqual([address, "403 forbidden"]);
        }
      }
      expect(await ask("POST /api/apikeys", { ...user.session, ...sent }, { title: "T" })).toBe(
        "403 forbidden",
      );
      // The endpoint ignores credentials, so it does not validate them.
      expect(await ask("GET /api/anime/rankings", { ...key, ...sent })).toBe("200");
    }
    expect(await ask("GET /api/user/anime-credits", { ...bot, ...chat })).toBe("200");
  });

  it("are rejected by every instance at once after a ban, with key or cookie", async () => {
    const { openApi, connectAgain } = library;
    const other = await openApi(settings, { database: await connectAgain() });
    const user = await signUp(api);
    const saved = await makeKey(api, user, "Kept");
    const ended = await makeKey(api, user, "Ended");
    const credits = (headers: Record<string, string>) =>
      ask("GET /api/user/anime-credits", headers, undefined, other);
    expect([await credits(ended.headers), await credits(user.session)]).toEqual(["200", "200"]);
    expect(await ask(`DELETE /api/apikeys/${ended.id}`, user.session)).toBe("204");
    expect(await credits(ended.headers)).toBe("401 invalid_api_key");
    expect(await credits(saved.headers)).toBe("200");
    await api.accounts.users.disable(user.id);
    expect([await credits(saved.headers), await credits(user.session)]).toEqual([
      "401 invalid_api_key",
      "401 unauthenticated",
    ]);
  });
});

describe("API keys", () => {
  it("are created, listed and revoked; only the first response contains the key", async () => {
    const { session } = await signUp(api);
    const built = await postJson(api, "/api/apikeys", { title: "  My script  " }, session);
    const { key, id, start } = built.body as { key: string; id: string; start: string };
    expect([built.status, built.headers.get("cache-control")]).toEqual([201, "no-store"]);
    expect([built.body, key.startsWith(start)]).toMatchObject([
      { title: "My script", expiresAt: null },
      true,
    ]);
    const list = () => api.call("/api/apikeys", { headers: session });
    expect((await list()).bytes.toString()).not.toContain(key);
    expect((await list()).body).toMatchObject({
      page: 1,
      pageSize: 20,
      total: 1,
      items: [{ id, title: "My script", start, lastUsedAt: null }],
    });
    await api.call("/api/user/anime-credits", { headers: { authorization: `Bearer ${key}` } });
    expect((await list()).body).toMatchObject({
      items: [{ lastUsedAt: expect.stringMatching(/^\d{4}-.*Z$/) }],
    });
    expect(await ask(`DELETE /api/apikeys/${id}`, session)).toBe("204");
    expect(await ask(`DELETE /api/apikeys/${id}`, session)).toBe("404 not_found");
    const otherUser = await signUp(api);
    const { id: foreign } = await makeKey(api, otherUser);
    expect(await ask(`DELETE /api/apikeys/${foreign}`, session)).toBe("404 not_found");
  });

  it("reject titles that no one can read", async () => {
    const { session } = await signUp(api);
    const make = (title: unknown) => ask("POST /api/apikeys", session, { title });
    for (const title of [
      ...[undefined, "", "   ", "x".repeat(65), "a\nb", 7, null, ["a"]],
      ...[" \u200b", "\u200d\ufeff", "\u3164", "\u2800", "\u0301"],
      ...["a\u202eb", "a\u2066b", "a\u2028b", "a\u009bb"],
    ]) {
      expect([title, await make(title)]).toEqual([title, "400 invalid_request"]);
    }
    expect(await make("𝒦".repeat(64))).toBe("201");
    expect(await make("👩‍💻 مفتاح")).toBe("201");
  });

  it("are limited to fifty per user", async () => {
    const user = await signUp(api);
    const make = () => postJson(api, "/api/apikeys", { title: "One of many" }, user.session);
    const built = [];
    for (let count = 0; count < 50; count += 1) built.push((await make()).body as { id: string });
    const refused = await make();
    expect(refused.body).toMatchObject({
      status: 400,
      code: "invalid_request",
      detail: "An account has at most 50 API keys. Revoke one of them first.",
    });
    expect(await ask(`DELETE /api/apikeys/${built[7]?.id}`, user.session)).toBe("204");
    expect((await make()).status).toBe(201);
    expect((await make()).status).toBe(400);
  });

  it("are paged", async () => {
    const user = await signUp(api);
    for (const title of ["1", "2", "3"]) await makeKey(api, user, title);
    const page = async (query: string) => {
      const { body } = await api.call(`/api/apikeys?${query}`, { headers: user.session });
      const { total, items } = body as { total: number; items: { title: string }[] };
      return [total, items.map(({ title }) => title).join()];
    };
    expect(await page("pageSize=2")).toEqual([3, "3,2"]);
    expect(await page("pageSize=2&page=2")).toEqual([3, "1"]);
    expect(await page("page=1000000000&pageSize=100")).toEqual([3, ""]);
    for (const query of ["page=0", "pageSize=0", "pageSize=101", "page=1.5"]) {
      expect(await ask(`GET /api/apikeys?${query}`, user.session)).toBe("400 invalid_request");
    }
  });
});

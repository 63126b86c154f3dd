import { createCallerHashes } from "@koma/accounts";
import { describe, expect, it } from "vitest";
import { expectProblem } from "../fixtures/expect-problem.ts";
import { nextGuest, openTestLibrary } from "../fixtures/open-test-api.ts";
import { makeBot, makeKey, postJson, signUp } from "../fixtures/test-users.ts";

const site = "https://site.example";
const library = await openTestLibrary();
const api = await library.openApi({ KOMA_TRUSTED_ORIGINS: site });

/** Sends a request and returns the status and the code of the response. */
async function ask(operation: string, headers: Record<string, string> = {}, body?: object): Promise<string> {
  const [method = "GET", path = ""] = operation.split(" ");
  const json = body === undefined ? {} : { "content-type": "application/json" };
  const response = await api.call(path, {
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
    expectProblem(search, "untrusted_origin");
    const unknown = { cookie: "__Secure-better-auth.session_token=x.y", origin: site };
    expect(await ask("GET /api/anime/quota", unknown)).toBe("401 unauthenticated");
    // A guest can have cookies of the site.
    expect(await ask("GET /api/anime/quota", { cookie: "a=1", origin: "https://any.example" })).toBe("200");
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
    const unreadable = await api.call("/api/anime/quota", {
      headers: { ...bot, "x-koma-chat-user": "irc:1" },
    });
    expect(unreadable.body).toMatchObject({ errors: [{ path: "x-koma-chat-user" }] });
    const link = { chatUser: "discord:123", displayName: "X", platform: "discord" };
    const blocked = createCallerHashes("the secret of the tests").chat("discord:123");
    await database.chatBlocks.block({ key: blocked, kind: "user", note: null });
    expect(await ask(quota, { ...bot, ...chat })).toBe("403 forbidden");
    expect(await ask("POST /api/links", bot, link)).toBe("403 forbidden");
    expectProblem(await api.search({}, { headers: { ...bot, ...chat } }), "forbidden");
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
});

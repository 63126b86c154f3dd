import { connectDatabase } from "@koma/database";
import { expect, test } from "vitest";
import { openBreakableDatabase } from "./fixtures/database-proxy.ts";
import { nextGuest, openTestLibrary, readImage } from "./fixtures/open-test-api.ts";
import { makeBot, makeKey, postJson, signUp } from "./fixtures/test-users.ts";

const library = await openTestLibrary();

test("every endpoint that queries PostgreSQL responds without it with 503 not_ready and Retry-After, to all callers", async () => {
  const server = await openBreakableDatabase(library.databaseUrl);
  const database = await connectDatabase({ dataDir: library.dataDir, databaseUrl: server.url });
  const api = await library.openApi({}, { database });
  const user = await signUp(api);
  const callers = {
    guest: { "x-forwarded-for": nextGuest() },
    session: user.session,
    key: (await makeKey(api, user)).headers,
    bot: (await makeBot(api)).headers,
  };
  const image = await readImage("Alpha Show 2.jpg");
  server.break();
  const questions: [method: string, path: string, callers: (keyof typeof callers)[], body?: object][] = [
    ["GET", "/api/anime/rankings", ["guest"]],
    ["GET", "/api/anime/recent-searches", ["guest"]],
    ["GET", "/api/anime?query=a", ["guest"]],
    ["GET", "/api/anime/quota", ["guest", "session", "key", "bot"]],
    ["GET", "/api/user/anime-credits", ["session", "key"]],
    ["GET", "/api/user/searches", ["session", "key"]],
    ["DELETE", "/api/user/searches/unknown", ["session"]],
    ["POST", "/api/user/searches", ["session"], { searches: [{ id: "a", confirmToken: "a" }] }],
    ["GET", "/api/apikeys", ["session"]],
    ["POST", "/api/apikeys", ["session"], { title: "T" }],
    ["DELETE", "/api/apikeys/unknown", ["session"]],
    ["DELETE", "/api/apikeys/current", ["key"]],
    ["GET", "/api/anime/searches/unknown", ["guest", "session", "key"]],
    ["POST", "/api/anime/searches/unknown/confirm", ["guest", "session"], { rank: 1 }],
    ["DELETE", "/api/anime/searches/unknown/confirm?confirmToken=abcdefgh", ["guest", "session", "key"]],
    ["POST", "/api/links", ["bot"], { chatUser: "discord:1", displayName: "A", platform: "discord" }],
    ["POST", "/api/links/token", ["bot"], { deviceCode: "x" }],
    ["GET", "/api/links/BCDF-GHJK", ["session"]],
    ["POST", "/api/links/BCDF-GHJK/approve", ["session"]],
    ["GET", "/readyz", ["guest"]],
  ];
  const calls = questions.flatMap(([method, path, kinds, body]) =>
    kinds.map(async (kind) => {
      const headers = callers[kind];
      const response = await (body === undefined
        ? api.call(path, { method, headers })
        : postJson(api, path, body, headers));
      return { calls: `${kind}: ${method} ${path}`, response };
    }),
  );
  const searched = (["guest", "session", "key"] as const).map(async (kind) => ({
    calls: `${kind}: search`,
    response: await api.search({ image }, { headers: callers[kind] }),
  }));
  for (const { calls: what, response } of await Promise.all([...calls, ...searched])) {
    expect([what, response.body]).toMatchObject([what, { status: 503, code: "not_ready" }]);
    expect(Number(response.headers.get("retry-after")), what).toBeGreaterThan(0);
  }
  const { email, password } = user;
  const signIn = await postJson(api, "/api/auth/sign-in/email", { email, password }, callers.guest);
  expect(signIn.status).toBe(503);
  for (const path of ["/healthz", "/api/user/checkout"]) expect((await api.call(path)).status).toBe(200);
  await api.app.close();
  await database.close();
});

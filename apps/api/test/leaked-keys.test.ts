import { ApiKeyList } from "@koma/contract";
import { expect, test } from "vitest";
import { expectProblem } from "./fixtures/expect-problem.ts";
import { openFakeApi } from "./fixtures/fake-library.ts";
import { openTestLibrary } from "./fixtures/open-test-api.ts";
import { makeBot, makeKey, postJson, signUp } from "./fixtures/test-users.ts";

let chatUsers = Math.floor(Math.random() * 1e9) * 1000;
const nextChatUser = () => `telegram:${++chatUsers}`;

const library = await openTestLibrary();
const { api, clock } = await openFakeApi(library);
const statusOf = async (headers: Record<string, string>) =>
  (await api.call("/api/user/anime-credits", { headers })).status;

async function openBot() {
  const bot = await makeBot(api);
  const report = (
    key: string,
    {
      headers = bot.headers,
      chatUser = nextChatUser(),
    }: { headers?: Record<string, string>; chatUser?: string } = {},
  ) => postJson(api, "/api/apikeys/leaked", { key, chatUser }, headers);
  return { bot, report };
}

test("published keys are revoked, and stay in the list of their owner with the time", async () => {
  const { bot, report } = await openBot();
  const user = await signUp(api);
  const [leaked, other] = [await makeKey(api, user, "Published"), await makeKey(api, user, "Other")];
  const listKeys = async () =>
    ApiKeyList.parse((await api.call("/api/apikeys", { headers: user.session })).body).items;
  expect(await statusOf(leaked.headers)).toBe(200);
  const first = await report(leaked.key);
  expect([first.status, first.body]).toEqual([200, { isOwnKey: false }]);
  const revokedAt = new Date(clock.nowMs).toISOString();
  clock.nowMs += 60_000;
  expect(await statusOf(leaked.headers)).toBe(401);
  expect(await statusOf(other.headers)).toBe(200);
  const revokedKey = { id: leaked.id, title: "Published", revokedAt };
  expect(await listKeys()).toEqual(
    expect.arrayContaining([
      expect.objectContaining(revokedKey),
      expect.objectContaining({ id: other.id, revokedAt: null }),
    ]),
  );

  // Neither a repetition nor an unknown key gives another response.
  const unknown = `koma_${"x".repeat(52)}`;
  for (const key of [leaked.key, unknown]) {
    const again = await report(key);
    expect([again.status, again.body]).toEqual([200, { isOwnKey: false }]);
  }
  expect(await listKeys()).toContainEqual(expect.objectContaining(revokedKey));
  const entries = await library.database.audit.list({ page: 1, pageSize: 100 });
  expect(entries.items.filter(({ target }) => target === `key:${leaked.id}`)).toMatchObject([
    { actor: `user:${bot.id}`, action: "key.revoke-leaked", details: { user: user.id } },
  ]);

  const removal = { method: "DELETE", headers: user.session };
  expect((await api.call(`/api/apikeys/${leaked.id}`, removal)).status).toBe(204);
  expect((await listKeys()).map(({ id }) => id)).toEqual([other.id]);
});

test("published keys are revoked by bots only, and only whole keys", async () => {
  const { report } = await openBot();
  const user = await signUp(api);
  const { key, headers } = await makeKey(api, user);
  for (const [caller, status] of [
    [{}, 401] as const,
    [user.session, 401] as const,
    [headers, 403] as const,
  ]) {
    expect((await report(key, { headers: caller })).status).toBe(status);
  }
  const partial = await report(key.slice(0, 30));
  expectProblem(partial, "invalid_request", { errors: [{ path: "key" }] });
  expect(JSON.stringify(partial.body)).not.toContain(key.slice(0, 30));
  expect(await statusOf(headers)).toBe(200);
});

test("published keys include those of bots: the response states that the key of the request is revoked", async () => {
  const { bot, report } = await openBot();
  const other = await makeBot(api, "Other bot");
  const keyOf = ({ headers }: typeof bot) => headers.authorization.slice("Bearer ".length);
  expect((await report(keyOf(other))).body).toEqual({ isOwnKey: false });
  expect(await statusOf(other.headers)).toBe(401);
  expect((await report(keyOf(bot))).body).toEqual({ isOwnKey: true });
  expectProblem(await report(keyOf(bot)), "invalid_api_key");
});

test("reports of published keys are limited per chat user", async () => {
  const { report } = await openBot();
  const user = await signUp(api);
  const { key } = await makeKey(api, user);
  const chatUser = nextChatUser();
  for (let count = 0; count < 60; count++) expect((await report(key, { chatUser })).status).toBe(200);
  const refused = await report(key, { chatUser });
  expectProblem(refused, "too_many_requests");
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await report(key)).status).toBe(200);
  clock.nowMs += 600_000;
  expect((await report(key, { chatUser })).status).toBe(200);
});

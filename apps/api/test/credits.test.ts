import { Credits, SearchResult } from "@koma/contract";
import { expect, test } from "vitest";
import { expectProblem } from "./fixtures/expect-problem.ts";
import { openFakeApi } from "./fixtures/fake-library.ts";
import { openTestLibrary, readImage, type TestApi } from "./fixtures/open-test-api.ts";
import { makeKey, readQuota, signUp, type TestUser } from "./fixtures/test-users.ts";

const noon = Date.parse("2026-11-20T12:00:00.000Z");
const minutes = 60_000;

const library = await openTestLibrary();
const { clock, fake, image, openApi, api: usual } = await openFakeApi(library);

/** Starts the clock, and opens an API with this configuration. */
async function openAt(environment?: Record<string, string>, startMs = noon) {
  clock.nowMs = startMs;
  const api = environment === undefined ? usual : await openApi(environment);
  const search = (user: TestUser) => api.search({ image }, { headers: user.session });
  return { api, search };
}

const creditsOf = async (api: TestApi, headers: Record<string, string>) => {
  const response = await api.call("/api/user/anime-credits", { headers });
  return Credits.parse(response.body);
};
const grant = (user: TestUser, amount: number) =>
  library.database.credits.grant({ userId: user.id, amount, reason: "test" });

test("a new user has ten free credits per day and a hundred searches per hour", async () => {
  const { api } = await openAt();
  const { session } = await signUp(api);
  const expected = {
    remaining: 10,
    free: { limit: 10, used: 0, remaining: 10, resetsAt: "2026-11-21T00:00:00.000Z" },
    purchased: { remaining: 0 },
    hourly: { limit: 100, used: 0, remaining: 100, resetsAt: "2026-11-20T12:00:00.000Z" },
  };
  expect(await creditsOf(api, session)).toEqual(expected);
  expect(await readQuota(api, session)).toEqual({
    kind: "credits",
    limit: 10,
    remaining: 10,
    resetsAt: "2026-11-21T00:00:00.000Z",
  });
});

test("spends free credits first, then purchased ones, then responds with 402", async () => {
  const { api, search } = await openAt();
  const user = await signUp(api);
  await grant(user, 2);
  expect(await readQuota(api, user.session)).toMatchObject({ limit: 10, remaining: 12 });
  for (let remaining = 11; remaining >= 0; remaining--) {
    clock.nowMs += 1000;
    const response = await search(user);
    expect(response.status).toBe(200);
    const { quota } = SearchResult.parse(response.body);
    expect(quota).toEqual({
      kind: "credits",
      limit: 10,
      remaining,
      resetsAt: "2026-11-21T00:00:00.000Z",
    });
    expect(response.headers.get("ratelimit-policy")).toBe('"credits";q=10;w=86400, "hourly";q=100;w=3600');
    const seconds = (Date.parse("2026-11-21T00:00:00.000Z") - clock.nowMs) / 1000;
    const used = 12 - remaining;
    const hourEnds = 3600 - (used - 1);
    expect(response.headers.get("ratelimit")).toBe(
      `"credits";r=${remaining};t=${seconds}, "hourly";r=${100 - used};t=${hourEnds}`,
    );
    expect(await library.database.credits.balance(user.id)).toBe(Math.min(2, remaining));
  }
  const refused = await search(user);
  expectProblem(refused, "credits_exhausted", { quota: { kind: "credits", limit: 10, remaining: 0 } });
  expect(refused.headers.get("ratelimit")).toMatch(/^"credits";r=0;/);
  expect(await creditsOf(api, user.session)).toMatchObject({
    remaining: 0,
    free: { used: 10, remaining: 0 },
    purchased: { remaining: 0 },
    hourly: { used: 12, remaining: 88, resetsAt: "2026-11-20T13:00:01.000Z" },
  });
});

test("renews free credits at midnight of the zone, without carrying over unused ones", async () => {
  const { api, search } = await openAt(
    { KOMA_FREE_CREDITS_PER_DAY: "2", KOMA_TIME_ZONE: "Europe/Berlin" },
    Date.parse("2026-10-24T21:59:58.000Z"),
  );
  const user = await signUp(api);
  expect(SearchResult.parse((await search(user)).body).quota).toMatchObject({
    remaining: 1,
    resetsAt: "2026-10-24T22:00:00.000Z",
  });
  clock.nowMs = Date.parse("2026-10-24T22:00:00.000Z");
  // The day on which the clock is set back has 25 hours.
  expect(await readQuota(api, user.session)).toMatchObject({
    remaining: 2,
    resetsAt: "2026-10-25T23:00:00.000Z",
  });
  expect((await search(user)).status).toBe(200);
  expect((await search(user)).status).toBe(200);
  clock.nowMs = Date.parse("2026-10-25T22:59:59.999Z");
  expect((await search(user)).status).toBe(402);
  clock.nowMs = Date.parse("2026-10-25T23:00:00.000Z");
  expect((await search(user)).status).toBe(200);
});

test("checks the hourly limit before credits, counts the last 60 minutes, and sends the retry time", async () => {
  const { api, search } = await openAt({
    KOMA_SEARCHES_PER_HOUR: "3",
    KOMA_FREE_CREDITS_PER_DAY: "3",
  });
  const user = await signUp(api);
  for (const minute of [0, 10, 20]) {
    clock.nowMs = noon + minute * minutes;
    expect((await search(user)).status).toBe(200);
  }
  clock.nowMs = noon + 30 * minutes;
  // Both limits are exhausted; the response reports the hourly one.
  const refused = await search(user);
  expectProblem(refused, "hourly_limit_reached");
  expect(refused.headers.get("retry-after")).toBe("1800");
  expect(await creditsOf(api, user.session)).toMatchObject({
    hourly: { limit: 3, used: 3, remaining: 0, resetsAt: "2026-11-20T13:00:00.000Z" },
  });
  await grant(user, 5);
  clock.nowMs = noon + 60 * minutes - 1;
  expect((await search(user)).status).toBe(429);
  clock.nowMs = noon + 60 * minutes;
  expect((await search(user)).status).toBe(200);
  const next = await search(user);
  expect([next.status, next.headers.get("retry-after")]).toEqual([429, "600"]);
  expect(await library.database.credits.balance(user.id)).toBe(4);
});

test("failed searches cost no daily search, hourly search or credit", async () => {
  const { api, search } = await openAt({ KOMA_FREE_CREDITS_PER_DAY: "0" });
  const user = await signUp(api);
  await grant(user, 1);
  const before = await creditsOf(api, user.session);
  const headers = user.session;
  expect((await api.search({ url: "http://localhost/" }, { headers })).status).toBe(400);
  fake.fail = new Error("the engine broke");
  expectProblem(await search(user), "internal_error");
  fake.fail = undefined;
  expect(await creditsOf(api, user.session)).toEqual(before);
  expect((await search(user)).status).toBe(200);
  expect((await search(user)).status).toBe(402);
});

test("rejects a search that outlives its lease, without a charge", async () => {
  const options = { getSearch: () => fake.library, leaseSeconds: 1 };
  const api = await library.openApi({ KOMA_FREE_CREDITS_PER_DAY: "0" }, options);
  const user = await signUp(api);
  await grant(user, 1);
  const held = fake.hold();
  const late = api.search({ image }, { headers: user.session });
  await held.begun;
  await expect.poll(async () => (await creditsOf(api, user.session)).remaining).toBe(1);
  held.go();
  expectProblem(await late, "search_busy");
  expect(await library.database.credits.balance(user.id)).toBe(1);
  const { items } = await library.database.credits.listEntries({ userId: user.id, page: 1, pageSize: 10 });
  expect(items.map(({ amount }) => amount)).toEqual([1]);
});

test("ends a search that waits for its turn when its lease expires", async () => {
  const options = { getSearch: () => fake.library, leaseSeconds: 1 };
  const api = await library.openApi({ KOMA_ENGINE_WORKERS: "1" }, options);
  const user = await signUp(api);
  const held = fake.hold();
  // Two run and are held, so only the third can respond.
  const all = [1, 2, 3].map(() => api.search({ image }, { headers: user.session }));
  const third = await Promise.race(all);
  expectProblem(third, "search_busy");
  held.go();
  expect((await Promise.all(all)).map(({ status }) => status)).toEqual([503, 503, 503]);
  expect((await creditsOf(api, user.session)).free.used).toBe(0);
});

test("an Idempotency-Key makes a retry free, with a key or a session", async () => {
  const { api } = await openAt();
  const user = await signUp(api);
  const key = await makeKey(api, user);
  const ask = (headers: Record<string, string>, of = image) =>
    api.search({ image: of }, { headers: { ...headers, "idempotency-key": "once" } });
  const first = await ask(user.session);
  expect(first.status).toBe(200);
  // A key and a session of one user are the same caller, and another image of this caller is not searched.
  for (const of of [image, await readImage("Alpha Show 6.jpg")])
    expect((await ask(key.headers, of)).body).toEqual(first.body);
  const otherUser = await signUp(api);
  expect((await ask(otherUser.session)).body).not.toEqual(first.body);
  expect(await creditsOf(api, user.session)).toMatchObject({ free: { used: 1 } });
});

import type { Database } from "@koma/database";
import { dayAtNoon } from "@koma/testing";
import { expect, test } from "vitest";
import { nextGuest, openTestLibrary, type TestApi } from "./fixtures/open-test-api.ts";
import { drawScript, openInstance } from "./fixtures/scripted-instances.ts";
import { makeBot, makeKey, readQuota, signUp } from "./fixtures/test-users.ts";

const library = await openTestLibrary();
const databases = [await library.connectAgain(), await library.connectAgain()] as const;

async function openBoth(environment: Record<string, string> = {}) {
  const zone = { KOMA_TIME_ZONE: dayAtNoon().zone };
  const options = { environment: { ...zone, ...environment }, now: () => new Date(), leaseSeconds: 30 };
  const openOn = async (database: Database) => (await openInstance(library, { ...options, database })).api;
  return [await openOn(databases[0]), await openOn(databases[1])] as const;
}
const image = drawScript({ ends: "well", afterMs: 5 });
const countGood = async (apis: readonly TestApi[], headers: Record<string, string>, times: number) => {
  const responses = await Promise.all(
    Array.from({ length: times }, (_, index) => apis[index % 2]?.search({ image }, { headers })),
  );
  return responses.filter((response) => response?.status === 200).length;
};

test("two instances share every limit: guests, chat users, free and purchased credits, the hour", async () => {
  const apis = await openBoth({ KOMA_FREE_CREDITS_PER_DAY: "3", KOMA_SEARCHES_PER_HOUR: "6" });
  const [api] = apis;
  expect(await countGood(apis, { "x-forwarded-for": nextGuest() }, 12)).toBe(5);
  const bot = await makeBot(api);
  const chat = { ...bot.headers, "x-koma-chat-user": `telegram:${Date.now()}` };
  expect(await countGood(apis, chat, 12)).toBe(5);
  const [poor, rich] = [await signUp(api), await signUp(api)];
  await library.database.credits.grant({ userId: poor.id, amount: 1, reason: "test" });
  await library.database.credits.grant({ userId: rich.id, amount: 50, reason: "test" });
  const trusting = { cookie: poor.session.cookie };
  expect(await countGood(apis, (await makeKey(api, poor)).headers, 12)).toBe(4);
  expect(await countGood(apis, (await makeKey(api, rich)).headers, 12)).toBe(6);
  expect(await library.database.credits.balance(poor.id)).toBe(0);
  expect(await library.database.credits.balance(rich.id)).toBe(47);
  expect((await apis[1].call("/api/user/anime-credits", { headers: trusting })).body).toMatchObject({
    remaining: 0,
    free: { used: 3 },
    hourly: { used: 4 },
  });
});

test("the request limit is shared within about a second, and counted locally without the database", async () => {
  const apis = await openBoth({ KOMA_REQUESTS_PER_MINUTE: "100" });
  const headers = { "x-forwarded-for": nextGuest() };
  const ask = async (api: TestApi) => (await api.call("/nothing", { headers })).status;
  for (const api of apis) await Promise.all(Array.from({ length: 60 }, () => ask(api)));
  // Separate counts would admit forty more requests at each instance.
  for (const api of apis) {
    let more = 0;
    const isRefused = async () => {
      more += 1;
      return (await ask(api)) === 429;
    };
    await expect.poll(isRefused, { timeout: 5000, interval: 200 }).toBe(true);
    expect(more).toBeLessThan(30);
  }
  const rateLimits = { add: () => Promise.reject(new Error("away")) } as unknown as Database["rateLimits"];
  const database = { ...library.database, rateLimits };
  const alone = await library.openApi({ KOMA_REQUESTS_PER_MINUTE: "100" }, { database });
  const guest = { headers: { "x-forwarded-for": nextGuest() } };
  const statuses = await Promise.all(Array.from({ length: 120 }, () => alone.call("/nothing", guest)));
  expect(statuses.filter(({ status }) => status === 404)).toHaveLength(100);
});

test("one Idempotency-Key is one search on both instances", async () => {
  const apis = await openBoth();
  const headers = { "x-forwarded-for": nextGuest(), "idempotency-key": "both" };
  const responses = await Promise.all(
    Array.from({ length: 6 }, (_, index) => apis[index % 2 === 0 ? 0 : 1].search({ image }, { headers })),
  );
  expect(new Set(responses.map(({ body }) => (body as { id?: string }).id)).size).toBe(1);
  expect(await readQuota(apis[0], headers)).toMatchObject({ remaining: 4 });
});

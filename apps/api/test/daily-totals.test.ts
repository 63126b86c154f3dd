import { DailyTotals, SearchOutcome } from "@koma/contract";
import { expect, test } from "vitest";
import { openFakeApi } from "./fixtures/fake-library.ts";
import { openTestLibrary } from "./fixtures/open-test-api.ts";
import { makeBot, makeKey, signUp, signUpOperator } from "./fixtures/test-users.ts";

const dayMs = 86_400_000;

const library = await openTestLibrary();
const { api, clock, fake, search } = await openFakeApi(library);

/** The tests share a database, so each has days of its own. */
async function openAt(noon: string) {
  clock.nowMs = Date.parse(noon);
  const operator = await signUpOperator(api);
  const readTotals = async () => DailyTotals.parse(await operator.get("/api/operator/daily-totals"));
  const read = async () => (await readTotals()).days;
  return { operator, read, readTotals };
}

const none = {
  outcomes: { found: 0, uncertain: 0, notInLibrary: 0, failed: 0 },
  callers: { guest: 0, session: 0, key: 0, bot: 0 },
  indexedEpisodes: 0,
};

test("daily totals count searches by outcome and by kind of caller, chat users as their bot", async () => {
  const { read } = await openAt("2021-03-10T12:00:00Z");
  const user = await signUp(api);
  const bot = await makeBot(api);
  const callers = [
    {},
    user.session,
    (await makeKey(api, user)).headers,
    bot.headers,
    { ...bot.headers, "x-koma-chat-user": "discord:123456789012345678" },
  ];
  for (const headers of callers) {
    for (const outcome of SearchOutcome.options) {
      fake.outcome = outcome;
      expect((await search(headers)).status).toBe(200);
    }
    fake.fail = new Error("The engine failed.");
    expect((await search(headers)).status).toBe(500);
    fake.fail = undefined;
  }
  expect((await read()).at(-1)).toEqual({
    day: "2021-03-10",
    outcomes: { found: 5, uncertain: 5, notInLibrary: 5, failed: 5 },
    callers: { guest: 4, session: 4, key: 4, bot: 8 },
    indexedEpisodes: 0,
  });
});

test("daily totals count confirmed confident answers per week", async () => {
  const { operator, readTotals } = await openAt("2021-03-24T12:00:00Z");
  const { body } = await search(operator.session);
  const { id } = body as { id: string };
  const confirmed = await operator.post(`/api/anime/searches/${id}/confirm`, { rank: 1 });
  expect(confirmed.status).toBeLessThan(300);
  const { weeks } = await readTotals();
  expect(weeks).toHaveLength(12);
  expect(weeks.slice(-2)).toEqual([
    { firstDay: "2021-03-15", right: 0, wrong: 0 },
    { firstDay: "2021-03-22", right: 1, wrong: 0 },
  ]);
});

test("daily totals cover 30 UTC days, and omit refused requests", async () => {
  const { read } = await openAt("2021-06-10T23:59:59.999Z");
  await search();
  clock.nowMs += 1;
  await search();
  const refused = await api.call("/api/anime/search", { method: "POST", body: new FormData() });
  expect(refused.status).toBe(400);
  expect((await search({ authorization: "Bearer unknown" })).status).toBe(401);
  const one = { outcomes: { ...none.outcomes, found: 1 }, callers: { ...none.callers, guest: 1 } };
  const days = await read();
  expect(days.map(({ day }) => day).slice(0, 2)).toEqual(["2021-05-13", "2021-05-14"]);
  expect(days).toHaveLength(30);
  expect(days.slice(-3)).toEqual([
    { ...none, day: "2021-06-09" },
    { ...none, ...one, day: "2021-06-10" },
    { ...none, ...one, day: "2021-06-11" },
  ]);
  clock.nowMs += 29 * dayMs;
  const [first, ...later] = await read();
  expect(first).toEqual({ ...none, ...one, day: "2021-06-11" });
  expect(later.every(({ outcomes }) => outcomes.found === 0)).toBe(true);
});

import { readFrame } from "@koma/bot-core/testing/open-test-env";
import { start } from "@koma/bot-core/testing/run";
import type { Chat, User } from "@koma/fake-telegram";
import { afterAll, beforeAll, expect, test } from "vitest";
import { main, openTestEnv, type TestEnv } from "../fixtures/test-env.ts";

let testEnv: TestEnv;
beforeAll(async () => {
  testEnv = await openTestEnv();
  await testEnv.openBot();
});
afterAll(async () => {
  expect(testEnv.fake.violations).toEqual([]);
  expect(testEnv.log()).not.toContain(testEnv.fake.token);
  await testEnv.close();
});

function join(): { person: User; group: Chat } {
  const person = testEnv.fake.createUser({ name: "Ann", language: "en" });
  return { person, group: testEnv.fake.createGroup({ members: [person] }) };
}

async function ask(person: User, chat: Chat, at = 3) {
  const photo = await readFrame("alpha", at);
  return await person.sends(chat, chat.kind === "private" ? { photo } : { photo, text: "@koma_bot" });
}

test("sends text where clips may not be sent", async () => {
  const { person, group } = join();
  group.denyBot(["videos", "photos", "other", "reactions"]);
  const reply = await (await ask(person, group)).reply();
  expect([reply.media, reply.text]).toEqual([undefined, expect.stringMatching(/^Alpha Show/)]);
});

test("replies privately where the bot may not write", async () => {
  const { person, group } = join();
  await person.starts();
  group.denyBot(["send"]);
  await ask(person, group);
  await person.direct.waitForMessage(({ text }) => text.startsWith("Alpha Show"));
});

test("drops a request of a user who blocked the bot", async () => {
  const { person } = join();
  await person.starts();
  testEnv.fake.faults.delay({ method: "getFile", ms: 500, times: 1 });
  await ask(person, person.direct);
  person.blocks();
  await testEnv.fake.updates.settled(800);
  const { person: other } = join();
  await (await ask(other, other.direct)).reply();
});

test("replies to a deleted request, and does not resend a deleted reply", async () => {
  const { person, group } = join();
  testEnv.fake.faults.delay({ method: "getFile", ms: 500, times: 1 });
  const requested = await ask(person, group);
  person.deletes(requested);
  await group.waitForMessage(({ author, text }) => author.isBot && text.startsWith("Alpha Show"));
});

test("serves callback queries that are too old, on inaccessible messages, by other users, and repeated", async () => {
  const { person, group } = join();
  const reply = await (await ask(person, group)).reply();
  const late = person.clicks(reply.button(/look-alike/));
  late.expire();
  await reply.becomes(({ text }) => !text.startsWith("Alpha Show"));
  const stale = person.clicks(reply.button(/Previous/), { isStale: true });
  await stale.response();
  await testEnv.fake.updates.settled();
  const button = reply.button(/Next/);
  await Promise.all([person.clicks(button).response(), person.clicks(button).response()]);
  await testEnv.fake.updates.settled();
});

test("serves a repeated update once", async () => {
  const { person } = join();
  const requested = await ask(person, person.direct);
  await requested.reply();
  testEnv.fake.updates.deliverAgain(requested.updateId);
  // Telegram does not resend confirmed updates; the test resends one with another id.
  const update = testEnv.fake.updates.all.find(({ update_id: id }) => id === requested.updateId);
  if (update?.message === undefined) throw new Error("The request does not exist.");
  testEnv.fake.updates.deliver({ message: update.message });
  // Messages of one person are served in order.
  await (await ask(person, person.direct, 4)).reply();
  expect(requested.replies).toHaveLength(1);
});

test("sends one reply to each request during rate limits, errors and dropped connections", async () => {
  const { fake } = testEnv;
  const faults = [
    () => fake.faults.rateLimit({ method: "sendMessage", retryAfterSeconds: 2 }),
    () => fake.faults.fail({ method: "sendMessage", status: 502, times: 1 }),
    () => fake.faults.hangUp({ method: "sendMessage", times: 1 }),
    () => fake.faults.rateLimit({ method: "editMessageMedia", retryAfterSeconds: 2 }),
    () => fake.faults.fail({ method: "editMessageMedia", status: 502, times: 1 }),
    () => fake.faults.hangUp({ method: "editMessageMedia", times: 1 }),
    () => fake.faults.failDownloads({ isDropped: true, times: 1 }),
  ];
  for (const makeFault of faults) {
    const { person } = join();
    const fault = makeFault();
    const requested = await ask(person, person.direct);
    await requested.reply(({ text }) => text.startsWith("Alpha Show"));
    fault.remove();
    await fake.updates.settled();
    expect(requested.replies).toHaveLength(1);
  }
});

test("logs a conflict with another program with the same token, and continues", async () => {
  testEnv.fake.faults.conflict(2);
  const { person } = join();
  // The update ends the poll in progress; the next ones get the conflict.
  await person.starts();
  await testEnv.fake.waitUntil(() => testEnv.log().includes("Only one can"), "the logged conflict");
  await (await ask(person, person.direct)).reply();
});

test("exits after an invalid token, with a message that names its source", async () => {
  const environment = { ...testEnv.environment, TELEGRAM_TOKEN: "1234567:wrongwrongwrong" };
  const { code, stderr } = await start([main], environment).ended;
  expect([code, stderr]).toEqual([78, expect.stringContaining("@BotFather")]);
  expect(stderr).not.toContain("wrongwrong");
});

test("completes running requests at shutdown", async () => {
  const { person } = join();
  testEnv.fake.faults.delay({ method: "getFile", ms: 1_000, times: 1 });
  const calls = testEnv.fake.calls.length;
  const requested = await ask(person, person.direct);
  await testEnv.fake.waitUntil(() =>
    testEnv.fake.calls.slice(calls).some(({ method }) => method === "sendChatAction"),
  );
  await testEnv.closeBot();
  expect(requested.replies).toHaveLength(1);
});

import { readFrame } from "@koma/bot-core/testing/open-world";
import { start } from "@koma/bot-core/testing/run";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openWorld, type World } from "../fixtures/world.ts";
import type { Chat, User } from "../stand-in/index.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld({ api: { KOMA_GUEST_SEARCHES_PER_DAY: "100" } });
});
afterAll(async () => {
  expect(world.standIn.violations).toEqual([]);
  expect(world.log()).not.toContain(world.standIn.token);
  await world.close();
});

function join(): { person: User; group: Chat } {
  const person = world.standIn.createUser({ name: "Ann", language: "en" });
  return { person, group: world.standIn.createGroup({ members: [person] }) };
}

async function ask(person: User, chat: Chat, at = 3) {
  const photo = await readFrame("alpha", at);
  return await person.sends(chat, chat.kind === "private" ? { photo } : { photo, text: "@koma_bot" });
}

test("where clips may not be sent, words are", async () => {
  const { person, group } = join();
  group.denyBot(["videos", "photos", "other", "reactions"]);
  const answer = await (await ask(person, group)).reply();
  expect([answer.media, answer.text]).toEqual([undefined, expect.stringMatching(/^Alpha Show/)]);
});

test("where nothing may be said, the asker is told in private", async () => {
  const { person, group } = join();
  await person.starts();
  group.denyBot(["send"]);
  await ask(person, group);
  await person.direct.waitForMessage(({ text }) => text.startsWith("Alpha Show"));
});

test("who blocked the bot is let go", async () => {
  const { person } = join();
  await person.starts();
  world.standIn.faults.delay({ method: "getFile", ms: 500, times: 1 });
  await ask(person, person.direct);
  person.blocks();
  await world.standIn.updates.settled(800);
  const { person: other } = join();
  await (await ask(other, other.direct)).reply();
});

test("a question that was deleted is answered all the same; an answer that was deleted stays so", async () => {
  const { person, group } = join();
  world.standIn.faults.delay({ method: "getFile", ms: 500, times: 1 });
  const asked = await ask(person, group);
  person.deletes(asked);
  await group.waitForMessage(({ author, text }) => author.isBot && text.startsWith("Alpha Show"));
});

test("a press that is too old, on a message that Telegram shows no more, by a stranger, and twice", async () => {
  const { person, group } = join();
  const answer = await (await ask(person, group)).reply();
  const late = person.presses(answer.button(/Next/));
  late.expire();
  await answer.becomes(({ text }) => !text.startsWith("Alpha Show"));
  const stale = person.presses(answer.button(/Previous/), { isStale: true });
  await stale.answered();
  await world.standIn.updates.settled();
  const button = answer.button(/Next/);
  await Promise.all([person.presses(button).answered(), person.presses(button).answered()]);
  await world.standIn.updates.settled();
});

test("an update that comes again is answered once", async () => {
  const { person } = join();
  const asked = await ask(person, person.direct);
  await asked.reply();
  world.standIn.updates.deliverAgain(asked.updateId);
  // What was confirmed does not come again by asking; with another number it does.
  const told = world.standIn.updates.all.find(({ update_id: id }) => id === asked.updateId);
  if (told?.message === undefined) throw new Error("The question is gone.");
  world.standIn.updates.deliver({ message: told.message });
  // One person's messages are answered in their order.
  await (await ask(person, person.direct, 4)).reply();
  expect(asked.replies).toHaveLength(1);
});

test("Telegram says to wait, fails and drops connections: each gets one answer", async () => {
  const { standIn } = world;
  const faults = [
    () => standIn.faults.rateLimit({ method: "sendVideo", retryAfterSeconds: 2 }),
    () => standIn.faults.fail({ method: "sendVideo", status: 502, times: 1 }),
    () => standIn.faults.hangUp({ method: "sendVideo", times: 1 }),
    () => standIn.faults.failDownloads({ isDropped: true, times: 1 }),
  ];
  for (const makeFault of faults) {
    const { person } = join();
    const fault = makeFault();
    const asked = await ask(person, person.direct);
    await asked.reply(({ text }) => text.startsWith("Alpha Show"));
    fault.remove();
    await standIn.updates.settled();
    expect(asked.replies).toHaveLength(1);
  }
});

test("another program with the same token: said clearly, and it goes on", async () => {
  world.standIn.faults.conflict(2);
  await world.standIn.waitUntil(() => world.log().includes("Only one may"), "the conflict to be told");
  const { person } = join();
  await (await ask(person, person.direct)).reply();
});

test("a token that Telegram does not know ends the bot, and says where to get one", async () => {
  const [botMain] = [new URL("../../dist/main.js", import.meta.url).pathname];
  const environment = {
    ...{ TELEGRAM_TOKEN: "1234567:wrongwrongwrong", TELEGRAM_API_URL: world.standIn.apiUrl },
    ...{ KOMA_API_URL: world.apiUrl(), KOMA_BOT_KEY: "x", KOMA_SECRET: "s".repeat(40) },
    KOMA_DATA_DIR: world.dataDir,
  };
  const { code, stderr } = await start([botMain], environment).ended;
  expect([code, stderr]).toEqual([78, expect.stringContaining("@BotFather")]);
  expect(stderr).not.toContain("wrongwrong");
});

test("a calm end: what runs is finished", async () => {
  const { person } = join();
  world.standIn.faults.delay({ method: "getFile", ms: 1_000, times: 1 });
  const calls = world.standIn.calls.length;
  const asked = await ask(person, person.direct);
  await world.standIn.waitUntil(() =>
    world.standIn.calls.slice(calls).some(({ method }) => method === "sendChatAction"),
  );
  const end = await world.stopBot();
  expect(end?.code).toBe(0);
  expect(asked.replies).toHaveLength(1);
  await world.startBot();
});

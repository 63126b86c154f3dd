import { readFrame } from "@koma/bot-core/testing/open-test-env";
import type { Running } from "@koma/bot-core/testing/run";
import type { User } from "@koma/fake-telegram";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openProxy } from "../fixtures/open-proxy.ts";
import { openTestEnv, type TestEnv } from "../fixtures/test-env.ts";

let testEnv: TestEnv;
let proxy: Awaited<ReturnType<typeof openProxy>>;
let people: User[];
let second: Awaited<ReturnType<typeof startBot>>;
beforeAll(async () => {
  proxy = await openProxy();
  const webhook = { TELEGRAM_WEBHOOK_URL: proxy.url, TELEGRAM_WEBHOOK_PORT: "0" };
  testEnv = await openTestEnv({ bot: webhook });
  people = Array.from({ length: 4 }, () => testEnv.fake.createUser({ language: "en" }));
});
afterAll(async () => {
  expect(testEnv.fake.violations).toEqual([]);
  await testEnv.close();
  proxy.close();
});

async function startBot(): Promise<{ bot: Running; port: number }> {
  const bot = await testEnv.startBot();
  const port = Number((await bot.printed(/"port":(\d+),"msg":"Telegram delivers"/))[1]);
  proxy.targets.add(port);
  return { bot, port };
}

const image = (second: number) => readFrame("alpha", second);

test("two processes behind a proxy serve each update once, also when the other gets it again", async () => {
  const first = await startBot();
  second = await startBot();
  const messages = [];
  for (const [index, person] of people.entries()) {
    messages.push(await person.sends(person.direct, { photo: await image(index + 1) }));
  }
  for (const message of messages) await message.reply();
  // The proxy takes turns, so that a repetition reaches either process.
  for (const { updateId } of [...messages, ...messages]) testEnv.fake.updates.deliverAgain(updateId);
  await testEnv.fake.updates.settled(500);
  expect(messages.map(({ replies }) => replies.length)).toEqual([1, 1, 1, 1]);
  expect((await testEnv.stopBot("SIGTERM", first.bot))?.code).toBe(0);
  expect(testEnv.fake.webhook.url).toBe(proxy.url);
  const [person] = people;
  const later = await person?.sends(person.direct, { photo: await image(6) });
  expect((await later?.reply())?.text).toMatch(/^Alpha Show/);
}, 180_000);

test("a running process completes the update of a killed one, once", async () => {
  const other = await startBot();
  // It continues with a process of the test before.
  proxy.targets.delete(second.port);
  const outage = testEnv.fake.faults.fail({ method: /^send(Photo|Video|Message|Animation)$/, status: 502 });
  const [person] = people;
  const message = await person?.sends(person.direct, { photo: await image(3) });
  await testEnv.fake.waitUntil(() => outage.hits > 0, "an attempt to reply");
  await testEnv.fake.waitUntil(() => testEnv.fake.updates.pendingCount === 0, "the confirmed update");
  await testEnv.stopBot("SIGKILL", other.bot);
  outage.remove();
  expect((await message?.reply())?.text).toMatch(/^Alpha Show/);
  await testEnv.fake.updates.settled(500);
  expect(message?.replies).toHaveLength(1);
}, 180_000);

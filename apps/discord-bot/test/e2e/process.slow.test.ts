import { readdir } from "node:fs/promises";
import { createServer } from "node:net";
import { readFrame } from "@koma/bot-core/testing/open-test-env";
import { start } from "@koma/bot-core/testing/run";
import { afterAll, beforeAll, expect, test } from "vitest";
import { defineCommands } from "../../src/commands/all-commands.ts";
import { main, openTestEnv, type TestEnv } from "../fixtures/test-env.ts";

let testEnv: TestEnv;
beforeAll(async () => {
  testEnv = await openTestEnv({ bot: { KOMA_BOT_PORT: "0" } });
});
afterAll(async () => {
  expect(testEnv.fake.violations).toEqual([]);
  await testEnv.close();
});

test("an occupied port ends the process before it opens the database and connects to Discord", async () => {
  const taken = createServer();
  const port = await new Promise<number>((resolve) => {
    taken.listen(0, "127.0.0.1", () => {
      const address = taken.address();
      resolve(typeof address === "object" && address !== null ? address.port : 0);
    });
  });
  try {
    const occupied = { ...testEnv.environment, KOMA_BOT_PORT: String(port), DATABASE_URL: "" };
    const ended = await start([main], occupied).ended;
    expect(ended.stderr).toContain("EADDRINUSE");
    expect([ended.code, testEnv.fake.gateway.identifyCount]).toEqual([78, 0]);
    expect(await readdir(occupied.KOMA_DATA_DIR)).toEqual([]);
  } finally {
    taken.close();
  }
});

test("`register` registers and ends; an unknown argument is an error", async () => {
  const { environment, fake } = testEnv;
  expect((await start([main, "register"], environment).ended).code).toBe(0);
  expect(fake.commands).toHaveLength(defineCommands().length);
  expect(await start([main, "regster"], environment).ended).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("Unknown argument regster"),
  });
  expect(fake.requests.filter(({ method }) => method === "PUT")).toHaveLength(1);
});

test("after SIGKILL during a search the bot replies once, charges once, and continues", async () => {
  const { fake } = testEnv;
  const person = fake.createUser({ name: "Ann" });
  const channel = fake.createGuild({ members: [person] }).channel("general");
  const scene = async (second: number) => ({ name: "a.jpg", bytes: await readFrame("alpha", second) });
  const find = async (second: number) => person.slash("find", { image: await scene(second) }, { channel });
  await testEnv.startBot();
  const message = await (await find(5)).reply();
  const requested = await find(4);
  const written = person.sendMessage(person.direct, { attachments: [await scene(2)] });
  await requested.acknowledged();
  // "Typing" is shown once the bot has recorded the request.
  await fake.waitUntil(() => person.direct.typingCount > 0, "typing");
  await testEnv.stopBot("SIGKILL");
  const bot = await testEnv.startBot();
  expect((await requested.reply()).text).toContain("Alpha Show");
  const replies = () => person.direct.history.filter(({ referenceId }) => referenceId === written.id);
  await fake.waitUntil(() => replies().length > 0, "the direct answer");
  expect(replies()).toHaveLength(1);

  // Messages of the killed process have working buttons, and its searches are free.
  await person.clickButton(message, message.button(/look-alike/).customId ?? "").reply();
  expect(message.text).not.toContain("### Alpha Show");
  expect((await (await find(5)).reply()).text).toContain("this one is free");
  expect(await testEnv.api.countGuestSearches(`discord:${person.id}`)).toBe(3);
  expect(channel.messages).toHaveLength(3);

  const [, port] = await bot.printed(/"port":(\d+)/);
  const health = await fetch(`http://127.0.0.1:${port}/health`);
  expect([health.status, await health.json()]).toEqual([
    200,
    expect.objectContaining({ status: "ok", shards: 1, isApiReachable: true }),
  ]);
  expect(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()).toContain("lookup");
  expect((await testEnv.stopBot())?.code).toBe(0);
});

import { afterEach, expect, test } from "vitest";
import { openScriptedBot } from "../fixtures/open-scripted-bot.ts";

const open: Awaited<ReturnType<typeof openScriptedBot>>[] = [];
afterEach(async () => {
  for (const testEnv of open.splice(0)) {
    expect(testEnv.fake.violations).toEqual([]);
    await testEnv.close();
  }
});

async function start() {
  const testEnv = await openScriptedBot();
  open.push(testEnv);
  return testEnv;
}

test("the bot introduces itself once in the first channel where it may write", async () => {
  const { fake, calls } = await start();
  const guild = fake.createGuild({ hasBot: false, channels: [{ name: "rules" }, { name: "general" }] });
  guild.channel("rules").denyBot("SendMessages");
  guild.addBot();
  const welcome = await guild.channel("general").waitForMessage(({ author }) => author.isBot);
  expect([welcome.text, welcome.pings]).toEqual(["welcome", []]);
  await expect.poll(() => calls.done).toEqual([expect.stringMatching(`^welcome:${guild.id}:\\d+$`)]);
  expect(guild.channel("rules").messages).toEqual([]);
});

test("a server of an earlier membership gets no introduction", async () => {
  const { fake, calls } = await start();
  const person = fake.createUser({ name: "Ann" });
  const channel = fake.createGuild({ members: [person] }).channel("general");
  await person.slash("help", {}, { channel }).reply();
  expect([calls.done, channel.messages]).toEqual([[], []]);
});

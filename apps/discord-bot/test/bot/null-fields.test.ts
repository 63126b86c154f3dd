import { afterEach, expect, test } from "vitest";
import { openScriptedBot } from "../fixtures/open-scripted-bot.ts";
import { makeButton, makeReply } from "../fixtures/replies.ts";

let close: (() => Promise<void>) | undefined;
afterEach(async () => {
  await close?.();
  close = undefined;
});

const image = { name: "scene.png", bytes: new Uint8Array([137, 80, 78, 71]) };

async function open() {
  const opened = await openScriptedBot(
    { lookup: async () => makeReply({ text: "found", buttons: [[makeButton()]] }) },
    { sendsNulls: true },
  );
  close = opened.close;
  const person = opened.fake.createUser({ name: "Ann" });
  const channel = opened.fake.createGuild({ members: [person] }).channel("general");
  return { ...opened, person, channel };
}

test("null stands for an absent field in messages", async () => {
  const { fake, person, channel, calls } = await open();
  const replyTo = person.sendMessage(channel, { attachments: [image] });
  const mention = person.sendMessage(channel, { content: "?", mentionsBot: true, replyTo });
  await channel.waitForMessage(({ referenceId }) => referenceId === mention.id);
  person.sendMessage(person.direct, { attachments: [image] });
  await person.direct.waitForMessage(({ author }) => author.isBot);
  const kinds = calls.lookups.map(({ chat: { kind }, subject }) => [kind, "image" in subject]);
  expect(kinds).toEqual([
    ["server", true],
    ["direct", true],
  ]);
  expect(fake.violations).toEqual([]);
});

test("null stands for an absent field in interactions", async () => {
  const { fake, person, channel, calls } = await open();
  const reply = await person.slash("find", { image }, { channel }).reply();
  await person.clickButton(reply, reply.button("Next").customId ?? "").reply();
  const shown = person.sendMessage(channel, { attachments: [image] });
  await person.messageCommand("Find anime scene", shown).reply();
  await person.slash("find", {}, { channel }).reply();
  await person.slash("credits", {}, { channel: person.direct }).reply();
  expect([calls.lookups.length, calls.actions.length]).toEqual([3, 1]);
  expect(fake.violations).toEqual([]);
});

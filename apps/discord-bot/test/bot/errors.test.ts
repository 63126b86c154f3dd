import { BotRefusedError } from "@koma/bot-core";
import { makeButton, makeMatch, makeReply } from "@koma/bot-core/testing/replies";
import { openOnScriptedCore } from "@koma/bot-core/testing/scripted-core";
import { openFake } from "@koma/fake-discord";
import { expect, onTestFinished, test } from "vitest";
import { openBot } from "../../src/open-bot.ts";
import { start } from "../fixtures/open-scripted-bot.ts";
import { makePreview } from "../fixtures/replies.ts";

const image = { name: "scene.png", bytes: new Uint8Array([1, 2, 3]) };
const sendRoute = "POST /channels/{channel_id}/messages";

test("the reply to an expired interaction goes to the channel and mentions the requester", async () => {
  const { fake, person, channel } = await start();
  fake.faults.fail({ route: /callback/, code: 10062, times: 1 });
  person.slash("find", { image }, { channel });
  const reply = await channel.waitForMessage((message) => message.text.includes("found"));
  expect(reply.pings).toEqual([person.id]);
});

test("an acknowledgement whose response is lost is repeated, and one reply is sent", async () => {
  const { fake, person, channel } = await start();
  fake.faults.hangUp({ route: /callback/, times: 1, isAfter: true });
  const reply = await person.slash("find", { image }, { channel }).reply();
  expect(reply.text).toContain("found");
  expect(channel.messages).toHaveLength(1);
});

test("if the token expires during the search, the reply goes to the channel", async () => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const { person, channel } = await start({
    lookup: async () => {
      await held;
      return makeReply({ text: "late" });
    },
  });
  const interaction = person.slash("find", { image }, { channel });
  await interaction.acknowledged();
  interaction.expire();
  release();
  const reply = await channel.waitForMessage((message) => message.text.includes("late"));
  expect(reply.pings).toEqual([person.id]);
});

test("without membership, the reply to an expired interaction is a direct message", async () => {
  const { fake, person } = await start();
  const foreign = fake.createGuild({ members: [person], hasBot: false }).channel("general");
  person.install();
  fake.faults.fail({ route: /callback/, code: 10062, times: 1 });
  person.slash("find", { image }, { channel: foreign });
  const reply = await person.direct.waitForMessage((message) => message.text.includes("found"));
  expect(reply.isEphemeral).toBe(false);
  expect(foreign.history).toEqual([]);
});

test("if the thinking message is deleted, the requester gets a private reply", async () => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const { guild, person, channel } = await start({
    lookup: async () => {
      await held;
      return makeReply({ text: "found" });
    },
  });
  const interaction = person.slash("find", { image }, { channel });
  await interaction.acknowledged();
  const thinking = channel.history.find(({ isThinking }) => isThinking);
  if (thinking !== undefined) guild.owner.deleteMessage(thinking);
  release();
  const reply = await interaction.followUp();
  expect([reply.isEphemeral, reply.text]).toEqual([true, expect.stringContaining("found")]);
});

test("a private reply replaces the public thinking message", async () => {
  const { person, channel } = await start({
    lookup: async () => makeReply({ kind: "quota", text: "used up", isPrivate: true }),
  });
  const interaction = person.slash("find", { image }, { channel });
  const reply = await interaction.followUp();
  expect([reply.isEphemeral, reply.visibleTo]).toEqual([true, person.id]);
  expect(channel.messages).toEqual([]);
});

test("without the permission to attach files the reply has none", async () => {
  const { guild, person } = await start({
    lookup: async () => makeReply({ kind: "match", match: makeMatch(), preview: makePreview() }),
  });
  const channel = guild.createChannel({ name: "words" });
  channel.denyBot("AttachFiles");
  const written = person.sendMessage(channel, { content: "which?", mentionsBot: true, attachments: [image] });
  const reply = await channel.waitForMessage((message) => message.author.isBot);
  expect([reply.text, reply.files, reply.referenceId]).toEqual([
    ...[expect.stringContaining("Alpha Show"), [], written.id],
  ]);
});

test("without the permission to write, the reply is a direct message", async () => {
  const { guild, person } = await start();
  const channel = guild.createChannel({ name: "silent" });
  channel.denyBot("SendMessages");
  person.sendMessage(channel, { mentionsBot: true, attachments: [image] });
  expect((await person.direct.waitForMessage()).text).toContain("found");
});

test("a private reply is a direct message; if those are closed, the channel gets a note without the content", async () => {
  const { person, channel } = await start({
    lookup: async () => makeReply({ text: "secret", isPrivate: true }),
  });
  person.sendMessage(channel, { mentionsBot: true, attachments: [image] });
  expect((await person.direct.waitForMessage()).text).toContain("secret");
  expect(channel.messages.filter((message) => message.author.isBot)).toEqual([]);
  person.setAcceptsDirect(false);
  person.sendMessage(channel, { mentionsBot: true, attachments: [image] });
  const reply = await channel.waitForMessage((message) => message.author.isBot);
  expect(reply.text).toContain("can't write to you directly");
  expect(reply.text).not.toContain("secret");
});

test.each([
  { of: "a match", reply: {} },
  { of: "a private match", reply: { isPrivate: true } },
  { of: "an adult match", reply: { privately: makeReply({ text: "secret", isPrivate: true }) } },
])("a message that was deleted during its search gets no reply of $of", async ({ reply }) => {
  const { promise: isDeleted, resolve: finish } = Promise.withResolvers<void>();
  const { person, channel, calls, lines } = await start({
    async lookup() {
      await isDeleted;
      return { ...makeReply({ kind: "match", text: "found" }), ...reply };
    },
  });
  const written = person.sendMessage(channel, { mentionsBot: true, attachments: [image] });
  await expect.poll(() => calls.lookups).toHaveLength(1);
  person.deleteMessage(written);
  finish();
  await expect.poll(() => calls.done).toEqual([written.id]);
  const sent = [...channel.messages, ...person.direct.messages].filter(({ author }) => author.isBot);
  expect(sent).toEqual([]);
  expect(lines.join("\n")).not.toContain("trouble");
});

test("after an outage and rate limits each request has one reply", async () => {
  const { fake, person, channel } = await start();
  fake.faults.fail({ route: sendRoute, status: 503, times: 5 });
  fake.faults.rateLimit({ route: /PATCH .*@original/, retryAfterSeconds: 0.5, times: 1 });
  fake.faults.hangUp({ route: /POST .*messages$/, times: 1, isAfter: true });
  const interaction = person.slash("find", { image }, { channel });
  person.sendMessage(channel, { mentionsBot: true, attachments: [image] });
  expect((await interaction.reply()).text).toContain("found");
  await channel.waitForMessage((message) => message.referenceId !== undefined);
  expect(channel.messages.filter((message) => message.author.isBot)).toHaveLength(2);
});

test("a failure of the core replaces thinking by an error", async () => {
  const { person, channel } = await start({ rankings: () => Promise.reject(new Error("broken")) });
  const interaction = person.slash("rankings", {}, { channel });
  expect((await interaction.followUp()).text).toContain("That didn't work");
});

test("the delete button deletes the message", async () => {
  const { person, channel } = await start({
    lookup: async () =>
      makeReply({ text: "found", buttons: [[makeButton({ action: "delete", label: "Delete" })]] }),
    runAction: async () => ({ kind: "delete" }),
  });
  const reply = await person.slash("find", { image }, { channel }).reply();
  await person.clickButton(reply, reply.button("Delete").customId ?? "").acknowledged();
  await expect.poll(() => reply.isDeleted).toBe(true);
});

test("without the message content intent the bot connects and serves mentions", async () => {
  const { person, channel, calls } = await start({}, { hasMessageContent: false });
  person.sendMessage(channel, { content: "hello all" });
  person.sendMessage(channel, { mentionsBot: true, attachments: [image] });
  await channel.waitForMessage((message) => message.author.isBot);
  expect(calls.lookups).toHaveLength(1);
});

test("closing waits for running requests", async () => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const { bot, person, channel } = await start({
    lookup: async () => {
      await held;
      return makeReply({ text: "finished" });
    },
  });
  const interaction = person.slash("find", { image }, { channel });
  await interaction.acknowledged();
  const closing = bot.close(5_000);
  release();
  await closing;
  expect((await interaction.reply()).text).toContain("finished");
});

test.each([
  ["an invalid token", "Discord rejects this token", {}, { token: "a.b.c" }, {}],
  [
    "more servers than a shard may have",
    "A shard has too many servers (Discord allows 2,500): raise the total of KOMA_DISCORD_SHARDS",
    { guildsPerShard: 0 },
    {},
    { KOMA_DISCORD_SHARDS: "0/1" },
  ],
])(
  "%s ends the start with a sentence that names it",
  async (_name, sentence, options, access, environment) => {
    const fake = await openFake(options);
    onTestFinished(fake.close);
    fake.createGuild();
    const opening = openOnScriptedCore("discord", { ...fake, ...access }, openBot, {}, environment);
    await expect(opening).rejects.toThrow(sentence);
    await expect(opening).rejects.toBeInstanceOf(BotRefusedError);
  },
);

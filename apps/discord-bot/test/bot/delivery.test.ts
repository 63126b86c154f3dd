import { makeButton, makeMatch, makeReply } from "@koma/bot-core/testing/replies";
import { expect, test } from "vitest";
import { start } from "../fixtures/open-scripted-bot.ts";
import { makePreview } from "../fixtures/replies.ts";

const image = { name: "scene.png", bytes: new Uint8Array([1, 2, 3]) };
const clipFile = { name: "scene.mp4", contentType: "video/mp4" as const, bytes: new Uint8Array([4]) };

function showMatch(title: string, clip: () => Promise<typeof clipFile | undefined>, key = title) {
  return makeReply({
    kind: "match",
    match: makeMatch({ title }),
    preview: makePreview({ key, clip }),
    buttons: [[makeButton()]],
  });
}

test("a rejected card (50035) becomes plain text, and the log names the field", async () => {
  const { fake, person, channel, lines } = await start({
    lookup: async () => showMatch("Alpha", async () => undefined),
  });
  const errors = { components: { 0: { _errors: [{ code: "BASE_TYPE_BAD", message: "secret" }] } } };
  fake.faults.fail({ route: /PATCH .*@original/, code: 50035, times: 1, errors });
  const reply = await person.slash("find", { image }, { channel }).reply();
  expect([reply.content, reply.isComponentsV2]).toEqual([expect.stringContaining("Alpha"), false]);
  expect(lines.join("\n")).toContain("components.0 BASE_TYPE_BAD");
  expect(lines.join("\n")).not.toContain("secret");
});

test.each([50006, 240000, 0])("a card rejected with 400 and code %i becomes plain text", async (code) => {
  const { fake, person, channel } = await start();
  fake.faults.fail({ route: /PATCH .*@original/, status: 400, code, times: 1 });
  const reply = await person.slash("find", { image }, { channel }).reply();
  expect([reply.text, reply.buttons]).toEqual([expect.stringContaining("found"), []]);
  fake.faults.fail({ route: "POST /channels/{channel_id}/messages", status: 400, code, times: 1 });
  const mention = person.sendMessage(channel, { mentionsBot: true, attachments: [image] });
  const sent = await channel.waitForMessage(({ referenceId }) => referenceId === mention.id);
  expect(sent.content).toBe("found");
});

test("a card that a builder rejects becomes plain text", async () => {
  const buttons = [[makeButton({ target: undefined, url: "no address" })]];
  const { person, channel, lines } = await start({
    lookup: async () => makeReply({ text: "Alpha", buttons }),
  });
  const reply = await person.slash("find", { image }, { channel }).reply();
  expect([reply.content, reply.isComponentsV2]).toEqual([expect.stringContaining("Alpha"), false]);
  expect(lines.join("\n")).toContain("UnwritableReplyError");
});

test("a rejected update of a card becomes plain text in the same message", async () => {
  const { fake, person, channel } = await start({
    lookup: async () => showMatch("Alpha", async () => undefined),
    runAction: async () => ({ kind: "update", reply: makeReply({ text: "second page" }) }),
  });
  const message = await person.slash("find", { image }, { channel }).reply();
  fake.faults.fail({ route: /PATCH .*@original/, code: 50035, times: 1 });
  const click = person.clickButton(message, message.button("Next").customId ?? "");
  expect((await click.reply()).text).toBe("second page");
});

test("a rejected reply to a message becomes plain text", async () => {
  const { fake, person, channel } = await start();
  fake.faults.fail({ route: "POST /channels/{channel_id}/messages", code: 50035, times: 1 });
  person.sendMessage(channel, { mentionsBot: true, attachments: [image] });
  const reply = await channel.waitForMessage(({ author }) => author.isBot);
  expect([reply.content, channel.messages.filter(({ author }) => author.isBot)]).toEqual([
    "found",
    [expect.anything()],
  ]);
});

test.each(["command", "mention"])(
  "a reply to a %s has the words first, and gets the still and the clip by edits",
  async (by) => {
    const still = Promise.withResolvers<undefined>();
    const clip = Promise.withResolvers<typeof clipFile>();
    const fetched: string[] = [];
    const whole = makePreview();
    const preview = makePreview({
      async still(limitBytes) {
        fetched.push("still");
        await still.promise;
        return await whole.still(limitBytes);
      },
      clip() {
        fetched.push("clip");
        return clip.promise;
      },
    });
    const { person, channel, calls } = await start({
      lookup: async () => makeReply({ kind: "match", match: makeMatch({ title: "Alpha" }), preview }),
    });
    if (by === "command") person.slash("find", { image }, { channel });
    else person.sendMessage(channel, { mentionsBot: true, attachments: [image] });
    const reply = await channel.waitForMessage(({ author, isThinking }) => author.isBot && !isThinking);
    const names = () => reply.files.map(({ name }) => name);
    expect([reply.text, names()]).toEqual([expect.stringContaining("Alpha"), []]);
    await expect.poll(() => calls.done).toHaveLength(1);
    expect(fetched).toEqual(["still"]);
    still.resolve(undefined);
    await expect.poll(names).toEqual(["scene.jpg"]);
    await expect.poll(() => fetched).toEqual(["still", "clip"]);
    clip.resolve(clipFile);
    await expect.poll(names).toEqual(["scene.mp4"]);
    expect(channel.messages.filter(({ author }) => author.isBot)).toHaveLength(1);
  },
);

test('a button without a result yet shows "typing"', async () => {
  const { promise: isDone, resolve: finish } = Promise.withResolvers<void>();
  const { person, channel } = await start({
    lookup: async () => showMatch("Alpha", async () => undefined),
    async runAction() {
      await isDone;
      return { kind: "update", reply: makeReply({ text: "second page" }) };
    },
  });
  const message = await person.slash("find", { image }, { channel }).reply();
  const click = person.clickButton(message, message.button("Next").customId ?? "");
  await expect.poll(() => channel.typingCount).toBe(1);
  finish();
  expect((await click.reply()).text).toBe("second page");
});

test("a repeated notice is sent to a command, and not below a message", async () => {
  let count = 0;
  const { fake, guild, person, channel, calls } = await start({
    lookup: async ({ person: { id } }) => {
      if (id !== person.id) return makeReply({ text: "found" });
      const busy = makeReply({ kind: "busy", text: "One thing at a time" });
      return ++count === 1 ? busy : { ...busy, isRepeatedProblem: true };
    },
  });
  for (let index = 0; index < 20; index++)
    person.sendMessage(channel, { mentionsBot: true, attachments: [image] });
  const other = fake.createUser({ name: "Ben" });
  guild.addMember(other);
  const sentMs = performance.now();
  const mention = other.sendMessage(channel, { mentionsBot: true, attachments: [image] });
  await channel.waitForMessage(({ referenceId }) => referenceId === mention.id);
  expect(performance.now() - sentMs).toBeLessThan(2_000);
  await expect.poll(() => calls.done).toHaveLength(21);
  expect(channel.messages.filter(({ author }) => author.isBot)).toHaveLength(2);
  expect((await person.slash("find", { image }, { channel }).reply()).text).toContain("One thing at a time");
});

test("the clip keeps the page that the user moved to, and the state of its buttons", async () => {
  const clips = {
    Alpha: Promise.withResolvers<typeof clipFile>(),
    Beta: Promise.withResolvers<typeof clipFile>(),
  };
  const pages = [
    showMatch("Beta", () => clips.Beta.promise),
    showMatch("Beta, confirmed", () => clips.Beta.promise, "Beta"),
  ];
  const { person, channel } = await start({
    lookup: async () => showMatch("Alpha", () => clips.Alpha.promise),
    runAction: async () => ({ kind: "update", reply: pages.shift() ?? makeReply() }),
  });
  const message = await person.slash("find", { image }, { channel }).reply();
  const click = () => person.clickButton(message, message.button("Next").customId ?? "");
  await click().replyWhere(({ text }) => text.includes("Beta"));
  await click().replyWhere(({ text }) => text.includes("Beta, confirmed"));
  clips.Alpha.resolve(clipFile);
  clips.Beta.resolve(clipFile);
  await expect.poll(() => message.files.map(({ name }) => name)).toEqual(["scene.mp4"]);
  expect(message.text).toContain("Beta, confirmed");
});

test("closing the bot waits for a clip that is being fetched", async () => {
  const clip = Promise.withResolvers<typeof clipFile>();
  const { bot, person, channel } = await start({
    lookup: async () => showMatch("Alpha", () => clip.promise),
  });
  const message = await person.slash("find", { image }, { channel }).reply();
  const closing = bot.close(30_000);
  clip.resolve(clipFile);
  await closing;
  expect(message.files.map(({ name }) => name)).toEqual(["scene.mp4"]);
});

test("a reply to the bot with an image is searched without a mention; thanks is not", async () => {
  const { person, channel, calls } = await start();
  person.sendMessage(channel, { mentionsBot: true, attachments: [image] });
  const first = await channel.waitForMessage(({ author }) => author.isBot);
  person.sendMessage(channel, { content: "thanks", replyTo: first });
  const next = person.sendMessage(channel, { replyTo: first, attachments: [{ ...image, name: "next.png" }] });
  await channel.waitForMessage(({ referenceId }) => referenceId === next.id);
  expect(calls.lookups.map(({ requestId }) => requestId)).toEqual([expect.any(String), next.id]);
});

test("a mention that an edit adds is served once; a mention of the bot's role is served", async () => {
  const { guild, person, channel, calls } = await start();
  const message = person.sendMessage(channel, { content: "which anime?", attachments: [image] });
  person.editMessage(message, { content: "which anime?", mentionsBot: true, attachments: [image] });
  await channel.waitForMessage(({ referenceId }) => referenceId === message.id);
  person.editMessage(message, { content: "which one?", mentionsBot: true, attachments: [image] });
  const second = person.sendMessage(channel, { content: `<@&${guild.botRoleId}>`, attachments: [image] });
  await channel.waitForMessage(({ referenceId }) => referenceId === second.id);
  expect(calls.lookups.map(({ requestId }) => requestId)).toEqual([message.id, second.id]);
});

test("the message command looks up the link of a message without an image", async () => {
  const { person, channel, calls } = await start();
  const message = person.sendMessage(channel, "this one: https://site.example/a.png");
  await person.messageCommand("Find anime scene", message).reply();
  expect(calls.lookups[0]?.subject).toEqual({ address: "https://site.example/a.png" });
});

test("gateway reconnections back off; log and health name the close code", async () => {
  const { fake, bot, lines } = await start();
  fake.gateway.drop(4000);
  await fake.gateway.resumed();
  fake.gateway.goOffline();
  const closed = () =>
    lines.flatMap((line) => {
      const [, details] = /^gateway connection closed (.*)$/.exec(line) ?? [];
      return details === undefined ? [] : [JSON.parse(details) as { code: number; retryInMs: number }];
    });
  await expect.poll(() => closed().length).toBeGreaterThanOrEqual(4);
  const delays = closed().map(({ retryInMs }) => retryInMs);
  expect(delays).toEqual([...delays].sort((a, b) => a - b));
  expect(closed()[0]).toMatchObject({ code: 4000, retryInMs: 0 });
  expect(delays[3]).toBeGreaterThanOrEqual(3_000);
  expect(bot.status()).toMatchObject({
    isHealthy: false,
    details: { reason: expect.stringMatching(/code 1006.*\d attempts/) },
  });
  fake.gateway.restore();
  await expect.poll(() => bot.status().isHealthy).toBe(true);
  expect(bot.status().details).not.toHaveProperty("reason");
});

test("times are Discord's timestamps", async () => {
  const { hooks } = await start();
  const write = hooks()?.formatInstant;
  expect(write?.(new Date("2026-11-22T08:00:00Z"), "relative")).toBe("<t:1795334400:R>");
});

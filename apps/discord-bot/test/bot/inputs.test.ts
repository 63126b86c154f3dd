import type { Reply } from "@koma/bot-core";
import { makeButton, makeMatch, makeReply } from "@koma/bot-core/testing/replies";
import type { Script } from "@koma/bot-core/testing/scripted-core";
import { expect, test, vi } from "vitest";
import { start as startBot } from "../fixtures/open-scripted-bot.ts";
import { linkOffer, makePreview } from "../fixtures/replies.ts";

const start = (script?: Script) => startBot(script, {}, "ja");

type TestEnv = Awaited<ReturnType<typeof start>>;
const bytes = new Uint8Array([137, 80, 78, 71]);
const image = { name: "scene.png", bytes };
const options = { limitBytes: 1000, signal: new AbortController().signal };

/** The only lookup, with the bytes of its image. */
async function theLookup({ calls }: TestEnv) {
  expect(calls.lookups).toHaveLength(1);
  const [lookup] = calls.lookups;
  const subject = lookup?.subject;
  const subjectImage = subject !== undefined && "image" in subject ? subject.image : undefined;
  return { lookup, subject, image: subjectImage, bytes: await subjectImage?.read(options) };
}

test("several attachments get one message, which shows the outcomes while they come", async () => {
  const hidden = [{ text: "1. " }, { text: "Alpha Show", style: "strong" as const, isHidden: true }];
  const testEnv = await start({
    async lookup({ onProgress }) {
      for (const text of ["1. Not searched yet", "1. Alpha Show"]) {
        expect(await onProgress?.(makeReply({ kind: "choice", text }))).toMatchObject({
          channelId: testEnv.channel.id,
        });
      }
      const buttons = [[makeButton({ action: "image", label: "1", target: "a.album.0.tag" })]];
      return makeReply({ kind: "choice", lines: [{ style: "item", spans: hidden }], buttons });
    },
  });
  const { person, channel, calls } = testEnv;
  const attachments = [image, { ...image, name: "second.png" }];
  const message = person.sendMessage(channel, { mentionsBot: true, attachments });
  await expect.poll(() => calls.done).toEqual([message.id]);
  const replies = channel.messages.filter(({ author }) => author.isBot);
  expect(replies.map(({ text }) => text)).toEqual(["1. ||**Alpha Show**||"]);
  expect(calls.lookups[0]?.subject).toMatchObject({ images: [{}, {}] });
});

test("a magnifying glass below someone's image gets one reply to that image", async () => {
  const testEnv = await start();
  const { fake, guild, channel, calls } = testEnv;
  const [author, member] = [fake.createUser({ name: "Ben" }), fake.createUser({ name: "Cleo" })];
  for (const user of [author, member]) guild.addMember(user);
  const [message, served, text] = [
    author.sendMessage(channel, { attachments: [image] }),
    author.sendMessage(channel, { mentionsBot: true, attachments: [image] }),
    author.sendMessage(channel, "no image"),
  ];
  await expect.poll(() => calls.done).toEqual([served.id]);
  member.react(message, "👍");
  member.react(text, "🔍");
  member.react(served, "🔍");
  member.react(message, "🔎");
  member.react(message, "🔍");
  await expect
    .poll(() => calls.done.toSorted())
    .toEqual([served.id, `reaction:${served.id}`, `reaction:${message.id}`].toSorted());
  const replies = channel.messages.filter(({ author }) => author.isBot);
  expect(replies.map(({ reference }) => reference?.message.id)).toEqual([served.id, message.id]);
  expect(calls.lookups).toHaveLength(2);
  expect(calls.lookups[1]).toMatchObject({
    requestId: `reaction:${message.id}`,
    person: { id: member.id, displayName: "Cleo" },
    chat: { kind: "server", id: guild.id, channelId: channel.id },
    subject: { image: {} },
  });
});

test("a magnifying glass has no effect where replies are private", async () => {
  const findAudience = vi.fn(async () => "private" as const);
  const { person, channel, calls } = await start({ findAudience });
  person.react(person.sendMessage(channel, { attachments: [image] }), "🔍");
  await expect.poll(() => findAudience.mock.calls.length).toBe(1);
  expect([calls.lookups, calls.done]).toEqual([[], []]);
});

test("/find with an attachment and options", async () => {
  const testEnv = await start();
  const { person, channel, guild } = testEnv;
  channel.setAgeRestricted(true);
  const requestOptions = { preview: "still", mute: true, frame: 2.5, crop: false };
  await person
    .slash("find", { image: { ...image, isSpoiler: true }, ...requestOptions }, { channel })
    .reply();
  const found = await theLookup(testEnv);
  expect(found.lookup).toMatchObject({
    person: { id: person.id, displayName: "Ann", locale: "ja" },
    chat: { kind: "server", id: guild.id, channelId: channel.id, isAgeRestricted: true },
    options: { preview: "still", mute: true, crop: false, frame: { atSeconds: 2.5 } },
  });
  expect([found.image?.hasSpoiler, Buffer.from(found.bytes ?? [])]).toEqual([true, Buffer.from(bytes)]);
});

test("/find without an image takes the last one in the channel", async () => {
  const testEnv = await start();
  const { person, channel } = testEnv;
  person.sendMessage(channel, { attachments: [{ ...image, bytes: new Uint8Array([1]) }] });
  person.sendMessage(channel, { attachments: [image] });
  person.sendMessage(channel, "what is this?");
  const reply = await person.slash("find", {}, { channel }).reply();
  expect(reply.text).toContain("I took the last image in this channel.");
  expect(Buffer.from((await theLookup(testEnv)).bytes ?? [])).toEqual(Buffer.from(bytes));
});

test("/find takes the link of a message in its channel, and reads no other channel", async () => {
  const testEnv = await start();
  const { person, channel, guild, calls } = testEnv;
  const other = guild.createChannel({ name: "staff" });
  const [here, there] = [channel, other].map((one) => person.sendMessage(one, { attachments: [image] }));
  const find = (at: string, message = here) =>
    person.slash(
      "find",
      { url: `https://discord.com/channels/${guild.id}/${at}/${message?.id}` },
      { channel },
    );
  for (const at of [other.id, channel.id]) {
    expect((await find(at, there).followUp()).text).toContain("I can't read the message of this link");
  }
  expect(calls.lookups).toEqual([]);
  await find(channel.id).reply();
  expect(Buffer.from((await theLookup(testEnv)).bytes ?? [])).toEqual(Buffer.from(bytes));
});

test("/find reads no earlier messages for a member who may not", async () => {
  const { person, channel, calls } = await start();
  channel.deny(person, "ReadMessageHistory");
  person.sendMessage(channel, { attachments: [image] });
  const reply = await person.slash("find", {}, { channel }).followUp();
  expect([reply.text, calls.lookups]).toEqual([expect.stringContaining("Add a picture or an address"), []]);
});

test("every image of members is searched in channels that managers chose, without a mention", async () => {
  const testEnv = await start({
    searchesEveryImage: async ({ channelId }) => channelId === testEnv.channel.id,
    lookupAutomatically: async ({ subject }) =>
      "image" in subject && subject.image.name === "scene.png" ? makeReply({ text: "found" }) : undefined,
  });
  const { person, guild, channel, calls } = testEnv;
  const other = guild.createChannel({ name: "other" });
  person.sendMessage(other, { attachments: [image] });
  person.sendMessage(channel, { attachments: [{ ...image, name: "unknown.png" }] });
  person.sendMessage(channel, "no image");
  person.sendMessage(channel, { attachments: [image, { ...image, name: "second.png" }] });
  const reply = await channel.waitForMessage(({ author }) => author.isBot);
  expect(reply.text).toBe("found");
  await expect.poll(() => calls.done.length).toBe(2);
  for (const { messages } of [channel, other]) {
    expect(messages.filter(({ author }) => author.isBot).map(({ id }) => id)).toEqual(
      messages.includes(reply) ? [reply.id] : [],
    );
  }
});

test("a request contains the roles of the member, from commands and messages", async () => {
  const { person, guild, channel, calls } = await start();
  guild.grant(person, "AttachFiles");
  await person.slash("find", { image }, { channel }).reply();
  person.sendMessage(channel, { mentionsBot: true, attachments: [image] });
  await expect.poll(() => calls.lookups.length).toBe(2);
  const roles = calls.lookups.map(({ chat }) => chat.requesterRoles);
  expect(roles).toEqual([[expect.any(String)], roles[0]]);
});

test("/find with a private reply, and with an address in direct messages", async () => {
  const { person, channel, calls } = await start();
  const hidden = await person.slash("find", { image, private: true }, { channel }).reply();
  expect(hidden.isEphemeral).toBe(true);
  await person.slash("find", { url: "https://site.example/a.png" }).reply();
  expect(calls.lookups[1]).toMatchObject({
    chat: { kind: "direct" },
    subject: { address: "https://site.example/a.png" },
  });
});

test("/find without an image explains what to do", async () => {
  const { person, calls } = await start();
  expect((await person.slash("find").reply()).text).toContain("I need a picture");
  expect(calls.lookups).toEqual([]);
});

test("the settings of the chat decide who sees the reply", async () => {
  const { person, channel } = await start({ findAudience: async () => "private" });
  expect((await person.slash("find", { image }, { channel }).reply()).isEphemeral).toBe(true);
});

test("unavailable settings do not delay the acknowledgement", async () => {
  const { person, channel } = await start({ findAudience: () => new Promise(() => {}) });
  const interaction = person.slash("find", { image }, { channel });
  expect((await interaction.reply()).isEphemeral).toBe(true);
  expect(interaction.acknowledgedAfterMs).toBeLessThan(2_000);
});

test("the message command finds attachments, images of embeds and forwarded images", async () => {
  const { fake, person, guild, calls } = await start();
  const channel = guild.createChannel({ name: "finds" });
  const url = fake.hostFile({ name: "linked.png", bytes });
  const first = person.sendMessage(channel, { attachments: [image] });
  const embedded = person.sendMessage(channel, { content: "look", embeds: [{ image: { url } }] });
  const forwarded = person.sendMessage(channel, { forward: first });
  for (const message of [first, embedded, forwarded]) {
    await person.messageCommand("Find anime scene", message).reply();
  }
  const empty = person.sendMessage(channel, "nothing here");
  const reply = await person.messageCommand("Find anime scene", empty).followUp();
  expect(reply.isEphemeral).toBe(true);
  expect(reply.text).toContain("no picture in this message");
  expect(calls.lookups.map(({ subject }) => ("image" in subject ? subject.image.name : subject))).toEqual([
    ...["scene.png", "linked.png", "scene.png"],
  ]);
});

test("several images are offered for a choice, and each can be fetched again by its reference", async () => {
  const { person, channel, calls, hooks } = await start();
  const attachments = [image, { name: "SPOILER_two.jpg", bytes: new Uint8Array([2]) }];
  const message = person.sendMessage(channel, { attachments });
  await person.messageCommand("Find anime scene", message).reply();
  const subject = calls.lookups[0]?.subject;
  const images = subject !== undefined && "images" in subject ? subject.images : [];
  expect(images.map(({ name, hasSpoiler }) => [name, hasSpoiler])).toEqual([
    ["scene.png", false],
    ["SPOILER_two.jpg", true],
  ]);
  const again = await hooks()?.fetchImage?.(images[1]?.reference ?? "");
  expect([again?.hasSpoiler, again?.identity]).toEqual([true, images[1]?.identity]);
  expect(Buffer.from((await again?.read(options)) ?? [])).toEqual(Buffer.from([2]));
});

test("a mention with an image, and one in reply to an image", async () => {
  const { person, channel, calls } = await start();
  const own = person.sendMessage(channel, { mentionsBot: true, content: "this?", attachments: [image] });
  const reply = await channel.waitForMessage((message) => message.referenceId === own.id);
  expect(reply.pings).toEqual([person.id]);
  const shown = person.sendMessage(channel, { attachments: [{ name: "other.jpg", bytes }] });
  const question = person.sendMessage(channel, { mentionsBot: true, replyTo: shown });
  await channel.waitForMessage((message) => message.referenceId === question.id);
  expect(calls.lookups.map(({ requestId }) => requestId)).toEqual([own.id, question.id]);
  expect(calls.lookups[1]?.subject).toMatchObject({ image: { name: "other.jpg" } });
  expect(channel.typingCount).toBeGreaterThan(0);
});

test("a mention without an image explains what to do; other messages and text replies to the bot are ignored", async () => {
  const { fake, person, channel, calls } = await start();
  person.sendMessage(channel, { content: "hello all", attachments: [image] });
  const question = person.sendMessage(channel, { content: "hi", mentionsBot: true });
  const reply = await channel.waitForMessage((message) => message.referenceId === question.id);
  expect(reply.text).toContain("I need a picture");
  person.sendMessage(channel, { content: "thanks", replyTo: reply });
  const other = person.sendMessage(channel, { content: "and now?", mentionsBot: true });
  await channel.waitForMessage((message) => message.referenceId === other.id);
  expect([calls.lookups, fake.violations]).toEqual([[], []]);
  expect(channel.messages.filter(({ author }) => author.isBot)).toHaveLength(2);
});

test("small talk in direct messages gets one line, once", async () => {
  const { fake, person, calls } = await start();
  for (const [index, text] of ["hello", "how are you?", "you there?"].entries()) {
    person.sendMessage(person.direct, text);
    await expect.poll(() => calls.done).toHaveLength(index + 1);
  }
  const replies = person.direct.messages.filter(({ author }) => author.isBot).map(({ text }) => text);
  expect(replies).toEqual([expect.stringMatching(/^Send me a screenshot.*help.*$/)]);
  expect(person.direct.typingCount).toBe(0);
  const other = fake.createUser({ name: "Ben" });
  other.sendMessage(other.direct, "hello");
  await other.direct.waitForMessage(({ text }) => text.startsWith("Send me a screenshot"));
});

test("direct messages: an image, an address with a later embed, and text", async () => {
  const { fake, person, calls } = await start();
  person.sendMessage(person.direct, { attachments: [image] });
  await person.direct.waitForMessage((message) => message.text.includes("found"));
  const url = fake.hostFile({ name: "linked.png", bytes });
  person.sendMessage(person.direct, {
    content: "https://site.example/page",
    embeds: [{ thumbnail: { url } }],
  });
  await person.direct.waitForMessage((message) => message.id > "" && calls.done.length >= 2);
  person.sendMessage(person.direct, { content: "https://site.example/a.png" });
  await fake.waitUntil(() => calls.lookups.length === 3, "the address");
  person.sendMessage(person.direct, "hello");
  await person.direct.waitForMessage((message) => message.text.startsWith("Send me a screenshot"));
  expect(calls.lookups.map(({ subject }) => ("image" in subject ? subject.image.name : subject))).toEqual([
    ...["scene.png", "linked.png", { address: "https://site.example/a.png" }],
  ]);
});

test("in chats where a user installed the bot, it replies through the interaction", async () => {
  const { fake, person, calls } = await start({
    lookup: async () => makeReply({ kind: "match", match: makeMatch(), preview: makePreview() }),
  });
  person.install();
  const friend = fake.createUser();
  const group = fake.createGroup(person, friend);
  const reply = await person.slash("find", { image }, { channel: group }).reply();
  expect(reply.text).toContain("Alpha Show");
  await expect.poll(() => reply.files.length).toBe(1);
  const foreign = fake.createGuild({ owner: person, hasBot: false }).channel("general");
  await person.slash("settings mine", {}, { channel: foreign }).reply();
  expect(calls.lookups[0]?.chat).toMatchObject({ kind: "group", id: group.id });
});

test("the permissions decide who may change the settings of a server", async () => {
  const chats: unknown[] = [];
  const { person, guild, channel } = await start({
    settings: async ({ chat }) => {
      chats.push(chat.isManagedByRequester);
      return makeReply({ text: "settings", isPrivate: true });
    },
  });
  await person.slash("settings mine", {}, { channel }).reply();
  guild.grant(person, "ManageGuild");
  await person.slash("settings mine", {}, { channel }).reply();
  expect(chats).toEqual([false, true]);
});

test("a menu sends the target of the chosen option, or the chosen channels or roles", async () => {
  const menus = [
    {
      kind: "one" as const,
      target: "s.lang",
      label: "Language",
      values: [],
      options: [
        { target: "s.lang.en", label: "English", description: undefined, isChosen: true },
        { target: "s.lang.ja", label: "日本語", description: "Japanese", isChosen: false },
      ],
    },
    { kind: "channels" as const, target: "s.chan", label: "Channels", options: [], values: [] },
    { kind: "roles" as const, target: "s.roles", label: "Roles", options: [], values: [] },
  ];
  const { person, guild, channel, calls } = await start({
    settings: async () => makeReply({ kind: "settings", title: "Settings", menus, isPrivate: true }),
  });
  const panel = await person.slash("settings mine", {}, { channel }).reply();
  await person.select(panel, "s.lang", ["s.lang.ja"]).reply();
  const again = await person.slash("settings mine", {}, { channel }).reply();
  await person.select(again, "s.chan", [channel.id]).reply();
  const roleId = guild.botRoleId;
  const last = await person.slash("settings mine", {}, { channel }).reply();
  await person.select(last, "s.roles", [roleId]).reply();
  expect(calls.actions).toMatchObject([
    { target: "s.lang.ja" },
    { target: "s.chan", values: [channel.id] },
    { target: "s.roles", values: [roleId] },
  ]);
});

test("a button edits the message, or sends a private message or an alert", async () => {
  const replies = ["update", "private"] as const;
  let turn = 0;
  const { person, channel } = await start({
    lookup: async () => makeReply({ text: "found", buttons: [[makeButton()]] }),
    runAction: async () => {
      const kind = replies[turn++];
      if (kind === undefined) return { kind: "notice", text: "only a word", isAlert: true };
      return { kind, reply: makeReply({ text: kind, buttons: [[makeButton()]] }) };
    },
  });
  const message = await person.slash("find", { image }, { channel }).reply();
  const click = () => person.clickButton(message, message.button("Next").customId ?? "");
  expect((await click().reply()).text).toContain("update");
  expect(message.text).toContain("update");
  const alone = await click().followUp();
  expect([alone.text, alone.isEphemeral]).toEqual([expect.stringContaining("private"), true]);
  const alert = await click().followUp();
  expect([alert.text, alert.isEphemeral]).toEqual([expect.stringContaining("only a word"), true]);
});

test("a result of a private message is published; the message changes, or is deleted", async () => {
  let rest: Reply | undefined = makeReply({ text: "shared", buttons: [[makeButton()]] });
  const { person, channel } = await start({
    lookup: async () => makeReply({ text: "found", buttons: [[makeButton()]] }),
    runAction: async () => ({
      kind: "publish",
      reply: makeReply({ text: "for all" }),
      ...(rest === undefined ? {} : { rest }),
    }),
  });
  const message = await person.slash("find", { image, private: true }, { channel }).reply();
  const click = () => person.clickButton(message, message.button("Next").customId ?? "");
  const published = await click().followUp();
  expect([published.text, published.isEphemeral]).toEqual([expect.stringContaining("for all"), false]);
  await expect.poll(() => message.text).toContain("shared");
  expect(message.isEphemeral).toBe(true);
  rest = undefined;
  expect((await click().followUp()).isEphemeral).toBe(false);
  await expect.poll(() => message.isDeleted).toBe(true);
});

test("linking: the code is private, and the message changes when it is approved", async () => {
  const contexts: unknown[] = [];
  const { person, channel, hooks } = await start({
    startLink: async ({ context }) => {
      contexts.push(context);
      return linkOffer;
    },
  });
  const interaction = person.slash("link", {}, { channel });
  const message = await interaction.reply();
  expect([message.isEphemeral, message.text]).toEqual([true, expect.stringContaining("WDJB-MJHT")]);
  await hooks()?.onLinkSettled?.({
    outcome: "linked",
    person: { id: person.id, displayName: "Ann" },
    context: contexts[0] as Record<string, string>,
    reply: makeReply({ kind: "link", title: "Connected", isPrivate: true }),
  });
  expect(message.text).toContain("Connected");
  interaction.expire();
  await hooks()?.onLinkSettled?.({
    outcome: "expired",
    person: { id: person.id, displayName: "Ann" },
    context: contexts[0] as Record<string, string>,
    reply: makeReply({ kind: "link", title: "The code has expired", isPrivate: true }),
  });
  expect((await person.direct.waitForMessage()).text).toContain("expired");
});

test("a key is pasted in a modal, and nobody else sees it", async () => {
  const keys: string[] = [];
  const { person, channel } = await start({
    startLink: async () => linkOffer,
    pasteKey: async ({ key }) => {
      keys.push(key);
      return makeReply({ text: "taken", isPrivate: true });
    },
  });
  const offer = await person.slash("link", {}, { channel }).reply();
  const form = person.clickButton(offer, offer.button(/existing key/).customId ?? "");
  const modal = await form.modal();
  const [field] = modal.fields;
  const sent = person.submitModal(form, { [field?.customId ?? ""]: " koma_secret123 " });
  expect((await sent.reply()).isEphemeral).toBe(true);
  expect(keys).toEqual(["koma_secret123"]);
  expect(channel.messages).toEqual([]);
});

test("a key in a message is revoked, the message deleted and its author warned in private, also after an edit", async () => {
  const texts: string[] = [];
  const { person, channel, guild, calls } = await start({
    revokeLeakedKeys: async ({ text }) => {
      texts.push(text);
      return "pending";
    },
  });
  guild.addBot();
  const leak = person.sendMessage(channel, "my key is koma_abcdef");
  const warning = await person.direct.waitForMessage((message) => message.text.includes("leak"));
  expect(warning.text).toMatch(/deleted: (true|false)/);
  expect(leak.isDeleted).toBe(warning.text.includes("true"));
  const harmless = person.sendMessage(channel, "nothing");
  person.editMessage(harmless, "koma_ghijkl");
  await expect.poll(() => calls.done.filter((id) => id.startsWith("leak:")).length).toBe(2);
  expect(channel.messages.filter(({ author }) => author.isBot)).toEqual([]);
  // Where the bot may not delete the message, the key that a second edit adds is revoked too.
  channel.denyBot("ManageMessages");
  const remaining = person.sendMessage(channel, "koma_mnopqr");
  await expect.poll(() => calls.done.length).toBe(3);
  person.editMessage(remaining, "koma_stuvwx");
  await expect
    .poll(() => texts)
    .toEqual(["my key is koma_abcdef", "koma_ghijkl", "koma_mnopqr", "koma_stuvwx"]);
});

test("a modal asks what an image shows, and the answer is private", async () => {
  const corrections: object[] = [];
  const correct = makeButton({ action: "correct", label: "Say what it is", target: "k.result-1" });
  const { person, channel, calls } = await start({
    lookup: async () => makeReply({ text: "no candidate is left", buttons: [[correct]] }),
    correct: async ({ person: _person, chat: _chat, ...written }) => {
      corrections.push(written);
      return makeReply({ text: "thanks", isPrivate: true });
    },
  });
  const found = await person.slash("find", { url: "https://site.example/a.jpg" }, { channel }).reply();
  const form = person.clickButton(found, "k.result-1");
  const { title, fields } = await form.modal();
  expect([title, ...fields.map(({ label }) => label)]).toEqual([
    "What does your image show?",
    "Title",
    "Episode",
  ]);
  const sent = person.submitModal(form, { title: " Cowboy Bebop ", episode: "5" });
  expect(await sent.reply()).toMatchObject({ isEphemeral: true, text: expect.stringContaining("thanks") });
  expect(corrections).toEqual([{ resultId: "result-1", title: "Cowboy Bebop", episode: "5" }]);
  expect(calls.actions).toEqual([]);
});

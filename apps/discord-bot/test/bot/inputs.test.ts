import { afterEach, expect, test } from "vitest";
import { openScriptedBot } from "../fixtures/open-scripted-bot.ts";
import { makeButton, makeMatch, makePreview, makeReply } from "../fixtures/replies.ts";
import type { Script } from "../fixtures/scripted-core.ts";

const open: Awaited<ReturnType<typeof openScriptedBot>>[] = [];
afterEach(async () => {
  for (const world of open.splice(0)) {
    expect(world.standIn.violations).toEqual([]);
    expect(world.standIn.warnings).toEqual([]);
    await world.close();
  }
});

async function start(script: Script = {}) {
  const world = await openScriptedBot(script);
  open.push(world);
  const person = world.standIn.createUser({ name: "Ann", locale: "ja" });
  const guild = world.standIn.createGuild({ members: [person] });
  return { ...world, person, guild, channel: guild.channel("general") };
}

type World = Awaited<ReturnType<typeof start>>;
const bytes = new Uint8Array([137, 80, 78, 71]);
const image = { name: "scene.png", bytes };
const options = { limitBytes: 1000, signal: new AbortController().signal };

/** The only lookup, with the bytes of its picture. */
async function theLookup({ asked }: World) {
  expect(asked.lookups).toHaveLength(1);
  const [lookup] = asked.lookups;
  const subject = lookup?.subject;
  const picture = subject !== undefined && "picture" in subject ? subject.picture : undefined;
  return { lookup, subject, picture, bytes: await picture?.read(options) };
}

test("/find with an attachment and wishes", async () => {
  const world = await start();
  const { person, channel, guild } = world;
  channel.setAgeRestricted(true);
  const wishes = { preview: "still", mute: true, frame: 2.5, crop: false };
  await person.slash("find", { image: { ...image, isSpoiler: true }, ...wishes }, { channel }).reply();
  const found = await theLookup(world);
  expect(found.lookup).toMatchObject({
    person: { id: person.id, displayName: "Ann", locale: "ja" },
    place: { kind: "server", id: guild.id, channelId: channel.id, isAgeRestricted: true },
    options: { preview: "still", mute: true, crop: false, frame: { atSeconds: 2.5 } },
  });
  expect([found.picture?.hasSpoiler, Buffer.from(found.bytes ?? [])]).toEqual([true, Buffer.from(bytes)]);
});

test("/find for oneself alone, and with an address in direct messages", async () => {
  const { person, channel, asked } = await start();
  const hidden = await person.slash("find", { image, private: true }, { channel }).reply();
  expect(hidden.isEphemeral).toBe(true);
  await person.slash("find", { url: "https://site.example/a.png" }).reply();
  expect(asked.lookups[1]).toMatchObject({
    place: { kind: "direct" },
    subject: { address: "https://site.example/a.png" },
  });
});

test("/find with nothing says what to do", async () => {
  const { person, asked } = await start();
  expect((await person.slash("find").reply()).text).toContain("I need a picture");
  expect(asked.lookups).toEqual([]);
});

test("the place's settings decide at once who sees the answer", async () => {
  const { person, channel } = await start({ findAudience: async () => "private" });
  expect((await person.slash("find", { image }, { channel }).reply()).isEphemeral).toBe(true);
});

test("settings that are not at hand keep nobody waiting", async () => {
  const { person, channel } = await start({ findAudience: () => new Promise(() => {}) });
  const interaction = person.slash("find", { image }, { channel });
  expect((await interaction.reply()).isEphemeral).toBe(true);
  expect(interaction.acknowledgedAfterMs).toBeLessThan(2_000);
});

test("the message command takes attachments, embeds' images and what is forwarded", async () => {
  const { standIn, person, guild, asked } = await start();
  const channel = guild.createChannel({ name: "finds" });
  const url = standIn.hostFile({ name: "linked.png", bytes });
  const first = person.sendMessage(channel, { attachments: [image] });
  const embedded = person.sendMessage(channel, { content: "look", embeds: [{ image: { url } }] });
  const forwarded = person.sendMessage(channel, { forward: first });
  for (const message of [first, embedded, forwarded]) {
    await person.messageCommand("Find anime scene", message).reply();
  }
  const empty = person.sendMessage(channel, "nothing here");
  const answer = await person.messageCommand("Find anime scene", empty).followUp();
  expect(answer.isEphemeral).toBe(true);
  expect(answer.text).toContain("no picture in this message");
  expect(asked.lookups.map(({ subject }) => ("picture" in subject ? subject.picture.name : subject))).toEqual(
    [...["scene.png", "linked.png", "scene.png"]],
  );
});

test("several pictures are offered, and can be had again by their reference", async () => {
  const { person, channel, asked, hooks } = await start();
  const attachments = [image, { name: "SPOILER_two.jpg", bytes: new Uint8Array([2]) }];
  const message = person.sendMessage(channel, { attachments });
  await person.messageCommand("Find anime scene", message).reply();
  const subject = asked.lookups[0]?.subject;
  const pictures = subject !== undefined && "pictures" in subject ? subject.pictures : [];
  expect(pictures.map(({ name, hasSpoiler }) => [name, hasSpoiler])).toEqual([
    ["scene.png", false],
    ["SPOILER_two.jpg", true],
  ]);
  const again = await hooks()?.fetchPicture?.(pictures[1]?.reference ?? "");
  expect([again?.hasSpoiler, again?.identity]).toEqual([true, pictures[1]?.identity]);
  expect(Buffer.from((await again?.read(options)) ?? [])).toEqual(Buffer.from([2]));
});

test("a mention with a picture, and one in reply to a picture", async () => {
  const { person, channel, asked } = await start();
  const own = person.sendMessage(channel, { mentionsBot: true, content: "this?", attachments: [image] });
  const answer = await channel.waitForMessage((message) => message.referenceId === own.id);
  expect(answer.pings).toEqual([person.id]);
  const shown = person.sendMessage(channel, { attachments: [{ name: "other.jpg", bytes }] });
  const question = person.sendMessage(channel, { mentionsBot: true, replyTo: shown });
  await channel.waitForMessage((message) => message.referenceId === question.id);
  expect(asked.lookups.map(({ requestId }) => requestId)).toEqual([own.id, question.id]);
  expect(asked.lookups[1]?.subject).toMatchObject({ picture: { name: "other.jpg" } });
  expect(channel.typingCount).toBeGreaterThan(0);
});

test("a mention without a picture says what to do; talk, other bots and thanks to the bot get no answer", async () => {
  const { standIn, person, channel, asked } = await start();
  person.sendMessage(channel, { content: "hello all", attachments: [image] });
  const question = person.sendMessage(channel, { content: "hi", mentionsBot: true });
  const answer = await channel.waitForMessage((message) => message.referenceId === question.id);
  expect(answer.text).toContain("I need a picture");
  person.sendMessage(channel, { content: "thanks", replyTo: answer });
  const other = person.sendMessage(channel, { content: "and now?", mentionsBot: true });
  await channel.waitForMessage((message) => message.referenceId === other.id);
  expect([asked.lookups, standIn.violations]).toEqual([[], []]);
  expect(channel.messages.filter(({ author }) => author.isBot)).toHaveLength(2);
});

test("direct messages: a picture, an address whose picture Discord shows a moment later, and words", async () => {
  const { standIn, person, asked } = await start();
  person.sendMessage(person.direct, { attachments: [image] });
  await person.direct.waitForMessage((message) => message.text.includes("found"));
  const url = standIn.hostFile({ name: "linked.png", bytes });
  person.sendMessage(person.direct, {
    content: "https://site.example/page",
    embeds: [{ thumbnail: { url } }],
  });
  await person.direct.waitForMessage((message) => message.id > "" && asked.done.length >= 2);
  person.sendMessage(person.direct, { content: "https://site.example/a.png" });
  await standIn.waitUntil(() => asked.lookups.length === 3, "the address");
  person.sendMessage(person.direct, "hello");
  await person.direct.waitForMessage((message) => message.text.includes("help"));
  expect(asked.lookups.map(({ subject }) => ("picture" in subject ? subject.picture.name : subject))).toEqual(
    [...["scene.png", "linked.png", { address: "https://site.example/a.png" }]],
  );
});

test("where somebody brought the bot along, through the interaction alone", async () => {
  const { standIn, person, asked } = await start({
    lookup: async () => makeReply({ kind: "match", match: makeMatch(), preview: makePreview() }),
  });
  person.install();
  const friend = standIn.createUser();
  const group = standIn.createGroup(person, friend);
  const reply = await person.slash("find", { image }, { channel: group }).reply();
  expect([reply.text, reply.files.length]).toEqual([expect.stringContaining("Alpha Show"), 1]);
  const foreign = standIn.createGuild({ owner: person, hasBot: false }).channel("general");
  await person.slash("settings mine", {}, { channel: foreign }).reply();
  expect(asked.lookups[0]?.place).toMatchObject({ kind: "group", id: group.id });
});

test("who may change a server's settings is told from their permissions", async () => {
  const places: unknown[] = [];
  const { person, guild, channel } = await start({
    settings: async ({ place }) => {
      places.push(place.isManagedByAsker);
      return makeReply({ text: "settings", isPrivate: true });
    },
  });
  await person.slash("settings mine", {}, { channel }).reply();
  guild.grant(person, "ManageGuild");
  await person.slash("settings mine", {}, { channel }).reply();
  expect(places).toEqual([false, true]);
});

test("menus give the chosen option's target, channel menus what was chosen", async () => {
  const menus = [
    {
      ...{ kind: "one" as const, target: "s.lang", label: "Language", values: [] },
      options: [
        { target: "s.lang.en", label: "English", description: undefined, isChosen: true },
        { target: "s.lang.ja", label: "日本語", description: "Japanese", isChosen: false },
      ],
    },
    { kind: "channels" as const, target: "s.chan", label: "Channels", options: [], values: [] },
  ];
  const { person, channel, asked } = await start({
    settings: async () => makeReply({ kind: "settings", title: "Settings", menus, isPrivate: true }),
  });
  const panel = await person.slash("settings mine", {}, { channel }).reply();
  await person.select(panel, "s.lang", ["s.lang.ja"]).reply();
  const again = await person.slash("settings mine", {}, { channel }).reply();
  await person.select(again, "s.chan", [channel.id]).reply();
  expect(asked.presses).toMatchObject([{ target: "s.lang.ja" }, { target: "s.chan", values: [channel.id] }]);
});

test("a button's answer: a change of the message, a private word, a new message, a notice", async () => {
  const answers = ["update", "private", "new"] as const;
  let turn = 0;
  const { person, channel } = await start({
    lookup: async () => makeReply({ text: "found", buttons: [[makeButton()]] }),
    press: async () => {
      const kind = answers[turn++];
      if (kind === undefined) return { kind: "notice", text: "only a word", isAlert: true };
      return { kind, reply: makeReply({ text: kind, buttons: [[makeButton()]] }) };
    },
  });
  const message = await person.slash("find", { image }, { channel }).reply();
  const press = () => person.pressButton(message, message.button("Next").customId ?? "");
  expect((await press().reply()).text).toContain("update");
  expect(message.text).toContain("update");
  const alone = await press().followUp();
  expect([alone.text, alone.isEphemeral]).toEqual([expect.stringContaining("private"), true]);
  const shared = await press().followUp();
  expect([shared.text, shared.isEphemeral]).toEqual([expect.stringContaining("new"), false]);
  const notice = await press().followUp();
  expect([notice.text, notice.isEphemeral]).toEqual([expect.stringContaining("only a word"), true]);
});

test("linking: the code is for the asker alone, and the message changes when it is approved", async () => {
  const contexts: unknown[] = [];
  const { person, channel, hooks } = await start({
    startLink: async ({ context }) => {
      contexts.push(context);
      const open = makeButton({
        action: "open",
        label: "Open the page",
        target: undefined,
        url: "https://koma.example/link",
      });
      return makeReply({
        kind: "link",
        title: "Connect",
        text: "WDJB-MJHT",
        isPrivate: true,
        buttons: [[open]],
      });
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

test("a key is pasted in a form, and nobody else sees anything of it", async () => {
  const keys: string[] = [];
  const { person, channel } = await start({
    startLink: async () => {
      const open = makeButton({
        action: "open",
        label: "Open",
        target: undefined,
        url: "https://koma.example/link",
      });
      return makeReply({ kind: "link", title: "Connect", isPrivate: true, buttons: [[open]] });
    },
    pasteKey: async ({ key }) => {
      keys.push(key);
      return makeReply({ text: "taken", isPrivate: true });
    },
  });
  const offer = await person.slash("link", {}, { channel }).reply();
  const form = person.pressButton(offer, offer.button(/existing key/).customId ?? "");
  const modal = await form.modal();
  const [field] = modal.fields;
  const sent = person.submitModal(form, { [field?.customId ?? ""]: " koma_secret123 " });
  expect((await sent.reply()).isEphemeral).toBe(true);
  expect(keys).toEqual(["koma_secret123"]);
  expect(channel.messages).toEqual([]);
});

test("a key in a channel is taken away and its owner warned in private; also one that comes by an edit", async () => {
  const { person, channel, guild, asked } = await start();
  guild.addBot();
  const leak = person.sendMessage(channel, "my key is koma_abcdef");
  const warning = await person.direct.waitForMessage((message) => message.text.includes("leak"));
  expect(warning.text).toMatch(/deleted: (true|false)/);
  expect(leak.isDeleted).toBe(warning.text.includes("true"));
  const harmless = person.sendMessage(channel, "nothing");
  person.editMessage(harmless, "koma_ghijkl");
  await expect.poll(() => asked.done.filter((id) => id.startsWith("leak:")).length).toBe(2);
  expect(channel.messages.filter(({ author }) => author.isBot)).toEqual([]);
});

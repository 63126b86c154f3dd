import { makeButton, makeMatch, makeReply } from "@koma/bot-core/testing/replies";
import { afterEach, expect, test, vi } from "vitest";
import { WebSocket } from "ws";
import { start } from "../fixtures/open-scripted-bot.ts";
import { linkOffer, makePreview } from "../fixtures/replies.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

const image = { name: "scene.png", bytes: new Uint8Array([1, 2, 3]) };

test("without the permission to read the history the reply has no reference", async () => {
  const { fake, person, channel } = await start();
  fake.faults.fail({ route: "POST /channels/{channel_id}/messages", code: 160002, times: 1 });
  person.sendMessage(channel, { mentionsBot: true, attachments: [image] });
  const reply = await channel.waitForMessage((message) => message.author.isBot);
  expect([reply.referenceId, reply.pings]).toEqual([undefined, [person.id]]);
  expect(reply.text).toContain("found");
});

test("an interaction without entitlements and an attachment without a name are served", async () => {
  const { person, channel, calls } = await start();
  const send = WebSocket.prototype.send;
  vi.spyOn(WebSocket.prototype, "send").mockImplementation(function (this: WebSocket, data: unknown) {
    const leaner =
      typeof data === "string" && data.includes("INTERACTION_CREATE")
        ? data.replace('"entitlements":[],', "").replace('"filename":"scene.png",', "")
        : data;
    Reflect.apply(send, this, [leaner]);
  });
  const reply = await person.slash("find", { image }, { channel }).reply();
  expect(reply.text).toContain("found");
  expect(calls.lookups[0]?.subject).toMatchObject({ image: { name: "scene.png" } });
});

test("/find without options explains the command", async () => {
  const { person, channel } = await start();
  const reply = await person.slash("find", {}, { channel }).followUp();
  expect([reply.isEphemeral, reply.text]).toEqual([
    ...[true, expect.stringContaining("Add an image or an address")],
  ]);
  expect(reply.text).not.toContain("in this message");
});

test("without the message content intent, a reply to another user's image explains the missing intent", async () => {
  const { person, channel } = await start({}, { hasMessageContent: false });
  const shown = person.sendMessage(channel, { attachments: [image] });
  const question = person.sendMessage(channel, { mentionsBot: true, replyTo: shown });
  const reply = await channel.waitForMessage((message) => message.referenceId === question.id);
  expect(reply.text).toContain("Discord doesn't show me the message");
  expect(reply.text).toContain("Apps");
  expect(reply.text).not.toContain("no picture");
});

test("a pasted key replaces the code; a refused key does not", async () => {
  const titles = ["Paste a key", "Connected"];
  const { person, channel } = await start({
    startLink: async () => linkOffer,
    pasteKey: async () =>
      makeReply({ kind: titles.length === 2 ? "offline" : "link", title: titles.shift(), isPrivate: true }),
  });
  const offer = await person.slash("link", {}, { channel }).reply();
  const paste = async () => {
    const form = person.clickButton(offer, offer.button(/existing key/).customId ?? "");
    const [field] = (await form.modal()).fields;
    return person.submitModal(form, { [field?.customId ?? ""]: "koma_secret123" });
  };
  const refused = await (await paste()).followUp();
  expect([refused.isEphemeral, offer.text]).toEqual([true, expect.stringContaining("WDJB-MJHT")]);
  await (await paste()).reply();
  expect(offer.text).toContain("Connected");
  expect(offer.text).not.toContain("WDJB-MJHT");
});

test("an edit of the text does not upload the preview again", async () => {
  const show = (title: string, key: string) =>
    makeReply({
      kind: "match",
      match: makeMatch({ title }),
      preview: makePreview({ key }),
      buttons: [[makeButton()]],
    });
  const replies = [show("Alpha, right", "one"), show("Beta", "two")];
  const { fake, person, channel } = await start({
    lookup: async () => show("Alpha", "one"),
    runAction: async () => ({ kind: "update", reply: replies.shift() ?? makeReply() }),
  });
  const message = await person.slash("find", { image }, { channel }).reply();
  const listFiles = () => message.files.map(({ name }) => name);
  await expect.poll(listFiles).toEqual(["scene.mp4"]);
  const click = () => person.clickButton(message, message.button("Next").customId ?? "");
  await click().replyWhere(({ text }) => text.includes("Alpha, right"));
  expect(listFiles()).toEqual(["scene.mp4"]);
  await click().replyWhere(({ text }) => text.includes("Beta"));
  await expect.poll(listFiles).toEqual(["scene.mp4"]);
  const uploads = () =>
    fake.requests.filter(({ method }) => method === "PATCH").map(({ files }) => files.length);
  // The words, the still and the clip of each scene; and the other words of the first one.
  await expect.poll(uploads).toEqual([0, 1, 1, 0, 0, 1, 1]);
});

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
  const { person, channel, calls } = await start();
  await person.slash("help", {}, { channel }).reply();
  expect([calls.done, channel.messages]).toEqual([[], []]);
});

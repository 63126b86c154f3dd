import { readFile } from "node:fs/promises";
import { makeButton, makeMatch, makeReply } from "@koma/bot-core/testing/replies";
import type { Chat } from "@koma/fake-telegram";
import { findTestVideo } from "@koma/sample-library/test-videos";
import sharp from "sharp";
import { expect, test } from "vitest";
import { commandNames } from "../../src/handlers/is-relevant.ts";
import { openBotForTest } from "../fixtures/open-scripted-bot.ts";
import { makePreview } from "../fixtures/replies.ts";

type Clip = { bytes: Uint8Array; name: string; contentType: "video/mp4" };

async function draw(background: string): Promise<Uint8Array> {
  const image = sharp({ create: { width: 320, height: 180, channels: 3, background } });
  return new Uint8Array(await image.jpeg().toBuffer());
}

const hint = /^Send me a screenshot/;

test.each(["thanks!", "/unknown"])("%s gets one line, not the whole help", async (text) => {
  const { user } = await openBotForTest();
  const reply = await (await user.sends(user.direct, text)).reply();
  expect(reply.text).toMatch(hint);
  expect(reply.text.split("\n")).toHaveLength(1);
});

test.each([
  ["/language", "language"],
  ["/ranking", "rankings"],
  ["/credit", "credits"],
])("%s in a private chat is the command that it resembles", async (text, expected) => {
  const { fake, user } = await openBotForTest();
  expect((await (await user.sends(user.direct, text)).reply()).text).toBe(expected);
  // It can be for another bot of a group.
  const group = fake.createGroup({ members: [user] });
  await user.sends(group, text);
  expect((await (await user.sends(group, "/help@koma_bot")).reply()).text).toBe("help");
  expect(group.replies).toHaveLength(1);
});

test("every command has its reply", async () => {
  const { fake } = await openBotForTest();
  const special = { find: /^I need a picture/, top: /^rankings$/, lang: /^language$/, unlink: /^unlinked$/ };
  await Promise.all(
    commandNames.map(async (name) => {
      // Telegram permits one message per second in a chat.
      const user = fake.createUser({ name, language: "en" });
      const reply = await (await user.sends(user.direct, `/${name}`)).reply();
      expect(reply.text).toMatch(name in special ? special[name as "find"] : new RegExp(`^${name}$`));
    }),
  );
});

test("/help in a group is shown in the group", async () => {
  const { fake, user } = await openBotForTest();
  const group = fake.createGroup({ members: [user] });
  expect((await (await user.sends(group, "/help@koma_bot")).reply()).text).toBe("help");
});

test("a forwarded story and unpaid media are explained", async () => {
  const { fake, user } = await openBotForTest();
  await user.starts();
  const chat = { id: user.id, type: "private" as const, first_name: "Ann" };
  const from = { id: user.id, is_bot: false, first_name: "Ann", language_code: "en" };
  const message = { message_id: 900, date: Math.floor(Date.now() / 1000), chat, from };
  fake.updates.deliver({ message: { ...message, story: { chat, id: 7 } } });
  await user.direct.waitForMessage(({ text }) => text.includes("doesn't show this to bots"));
  const preview = { type: "preview" as const, width: 10, height: 10, duration: 0 };
  const paid = { star_count: 1, paid_media: [preview] };
  fake.updates.deliver({ message: { ...message, message_id: 901, paid_media: paid } });
  await fake.waitUntil(
    () => user.direct.replies.filter(({ text }) => text.includes("to bots")).length === 2,
    "the second explanation",
  );
});

test("media that was paid for is searched", async () => {
  const { fake, user, calls } = await openBotForTest();
  await user.starts();
  const chat = { id: user.id, type: "private" as const, first_name: "Ann" };
  const from = { id: user.id, is_bot: false, first_name: "Ann", language_code: "en" };
  const photo = [{ file_id: "paid", file_unique_id: "paid1", width: 100, height: 60, file_size: 10 }];
  const paid = { star_count: 1, paid_media: [{ type: "photo" as const, photo }] };
  const date = Math.floor(Date.now() / 1000);
  fake.updates.deliver({ message: { message_id: 902, date, chat, from, paid_media: paid } });
  await user.direct.waitForMessage(({ text }) => text === "found");
  expect(calls.lookups[0]?.subject).toMatchObject({ image: { identity: "paid1" } });
});

test("an edit that adds a mention is answered once", async () => {
  const { fake, user, calls } = await openBotForTest();
  const group = fake.createGroup({ members: [user], isBotAdmin: true });
  const message = await user.sends(group, { photo: await draw("#c04060"), text: "what is this?" });
  await fake.updates.settled();
  expect(message.replies).toHaveLength(0);
  user.edits(message, "@koma_bot what is this?");
  expect((await message.reply()).text).toBe("found");
  user.edits(message, "@koma_bot what is this??");
  await fake.updates.settled();
  expect([message.replies.length, calls.lookups.length]).toEqual([1, 1]);
});

test("a replaced image updates the existing reply", async () => {
  let count = 0;
  const { fake, user, calls } = await openBotForTest({
    lookup: async () => makeReply({ title: `result ${++count}` }),
  });
  const message = await user.sends(user.direct, { photo: await draw("#c04060") });
  const reply = await message.reply();
  expect(reply.text).toBe("result 1");
  await user.replaces(message, { photo: await draw("#2040a0") });
  await reply.becomes(({ text }) => text === "result 2");
  await fake.updates.settled();
  expect([user.direct.replies.length, calls.lookups.length]).toEqual([1, 2]);
});

test("an album gets one message, which shows the outcomes while they come", async () => {
  const { promise: isDone, resolve: finish } = Promise.withResolvers<void>();
  const hidden = [{ text: "1. " }, { text: "Alpha <Show>", style: "strong" as const, isHidden: true }];
  const { fake, user, calls } = await openBotForTest({
    async lookup({ onProgress }) {
      for (const text of ["1. Not searched yet", "1. Alpha Show"]) {
        expect(await onProgress?.(makeReply({ kind: "choice", text }))).toMatchObject({ chatId: user.id });
      }
      await isDone;
      return makeReply({ kind: "choice", lines: [{ style: "item", spans: hidden }] });
    },
  });
  const album = [{ photo: await draw("#c04060") }, { photo: await draw("#2040a0") }];
  const message = await user.sends(user.direct, { album });
  const reply = await message.reply();
  await reply.becomes(({ text }) => text === "1. Alpha Show");
  finish();
  await reply.becomes(({ text }) => text === "1. Alpha <Show>");
  await fake.updates.settled();
  expect(calls.lookups[0]?.subject).toMatchObject({ images: [{}, {}] });
  expect(user.direct.replies).toHaveLength(1);
  const { entities } = reply;
  expect(entities.map(({ type }) => type).toSorted()).toEqual(["bold", "spoiler"]);
});

test("the words are sent at once; the still is added, and the clip replaces it", async () => {
  const { promise: clip, resolve: finish } = Promise.withResolvers<Clip>();
  const { promise: isFetched, resolve: fetch } = Promise.withResolvers<void>();
  const bytes = await draw("#c04060");
  let hasClipRequest = false;
  const preview = makePreview(bytes, {
    variant: "clip",
    clip() {
      hasClipRequest = true;
      return clip;
    },
    async still() {
      await isFetched;
      return { name: "scene.jpg", contentType: "image/jpeg", bytes };
    },
  });
  const { fake, user } = await openBotForTest({
    lookup: async () => makeReply({ kind: "match", title: "Alpha Show", match: makeMatch(), preview }),
  });
  const requested = await user.sends(user.direct, { photo: await draw("#000000") });
  const reply = await requested.reply();
  expect([reply.media, reply.text.startsWith("Alpha Show"), hasClipRequest]).toEqual([
    undefined,
    true,
    false,
  ]);
  fetch();
  await reply.becomes(({ media }) => media?.kind === "photo");
  await fake.waitUntil(() => hasClipRequest, "the request of the clip");
  finish(await readClip());
  await reply.becomes(({ media }) => media?.kind === "video");
  expect(reply.text).toMatch(/^Alpha Show/);
  expect(requested.replies).toHaveLength(1);
});

test("a clip does not replace a page that was selected since", async () => {
  const { promise: clip, resolve: finish } = Promise.withResolvers<Clip>();
  const still = await draw("#c04060");
  const slow = makePreview(still, { variant: "clip", key: "slow", clip: () => clip });
  const buttons = [[makeButton()]];
  const { fake, user } = await openBotForTest({
    lookup: async () => makeReply({ kind: "match", match: makeMatch(), preview: slow, buttons }),
    runAction: async () => ({
      kind: "update",
      reply: makeReply({
        kind: "match",
        match: makeMatch({ title: "Beta Show" }),
        preview: makePreview(still, { key: "other" }),
      }),
    }),
  });
  const reply = await (await user.sends(user.direct, { photo: await draw("#000000") })).reply();
  await reply.becomes(({ media }) => media?.kind === "photo");
  user.clicks(reply.button(/Next/));
  await reply.becomes(({ text }) => text.startsWith("Beta Show"));
  finish(await readClip());
  await fake.updates.settled(500);
  expect([reply.text.startsWith("Beta Show"), reply.media?.kind]).toEqual([true, "photo"]);
});

test("where videos are not permitted the still stays", async () => {
  const file = await readClip();
  const preview = makePreview(await draw("#c04060"), { variant: "clip", clip: async () => file });
  const { fake, user } = await openBotForTest({
    lookup: async () => makeReply({ kind: "match", match: makeMatch(), preview }),
  });
  const group = fake.createGroup({ members: [user] });
  group.denyBot(["videos"]);
  const message = await user.sends(group, { photo: await draw("#000000"), text: "@koma_bot" });
  const reply = await message.reply();
  await reply.becomes(({ media }) => media?.kind === "photo");
  await fake.updates.settled();
  expect([reply.media?.kind, message.replies.length]).toEqual(["photo", 1]);
});

test("a clip is uploaded once for all searches that find its scene", async () => {
  const file = await readClip();
  const preview = makePreview(await draw("#c04060"), { variant: "clip", clip: async () => file });
  const { fake, user } = await openBotForTest({
    lookup: async () => makeReply({ kind: "match", match: makeMatch(), preview }),
  });
  for (const colour of ["#000000", "#ffffff"]) {
    const reply = await (await user.sends(user.direct, { photo: await draw(colour) })).reply();
    // Telegram makes an animation of a video without sound.
    await reply.becomes(({ media }) => media?.kind === "video" || media?.kind === "animation");
  }
  const shown = () =>
    fake.calls.filter(({ method }) => /^(send(Video|Animation)|editMessageMedia)$/.test(method));
  // The still and the clip of the first reply are uploaded; the second reply is sent with the clip.
  await expect.poll(() => shown().map(({ files }) => files.length)).toEqual([1, 1, 0]);
});

test('a limit on "typing" does not delay the reply', async () => {
  const { fake, user } = await openBotForTest({
    lookup: async () => {
      await fake.waitUntil(() => fake.calls.some(({ method }) => method === "sendChatAction"));
      return makeReply({ title: "found" });
    },
  });
  fake.faults.rateLimit({ method: "sendChatAction", retryAfterSeconds: 60 });
  const reply = await (await user.sends(user.direct, { photo: await draw("#000000") })).reply();
  expect(reply.text).toBe("found");
});

test("a response without a description is followed by text at once", async () => {
  const preview = makePreview(await draw("#c04060"));
  const { fake, user } = await openBotForTest({
    lookup: async () => makeReply({ kind: "match", match: makeMatch(), preview }),
  });
  fake.faults.fail({ method: "editMessageMedia", status: 500, body: { ok: false, error_code: 500 } });
  const reply = await (await user.sends(user.direct, { photo: await draw("#000000") })).reply();
  await fake.waitUntil(() => fake.calls.some(({ method }) => method === "editMessageMedia"), "the still");
  await fake.updates.settled();
  expect([reply.media, reply.text.startsWith("Alpha Show")]).toEqual([undefined, true]);
  expect(fake.calls.filter(({ method }) => method === "editMessageMedia")).toHaveLength(1);
});

test("a turned page has its words at once, with a card for the still of the other scene", async () => {
  const { promise: isFetched, resolve: finish } = Promise.withResolvers<undefined>();
  const buttons = [[makeButton()]];
  const still = await draw("#c04060");
  const match = makeMatch({ title: "Beta Show" });
  const preview = makePreview(still, { key: "other", still: () => isFetched });
  const { fake, user } = await openBotForTest({
    lookup: async () =>
      makeReply({ kind: "match", match: makeMatch(), preview: makePreview(still), buttons }),
    runAction: async () => ({ kind: "update", reply: makeReply({ kind: "match", match, preview }) }),
  });
  const reply = await (await user.sends(user.direct, { photo: await draw("#000000") })).reply();
  await reply.becomes(({ media }) => media?.kind === "photo");
  const edits = () => fake.calls.filter(({ method }) => method === "editMessageMedia").length;
  await user.clicks(reply.button(/Next/)).response();
  await reply.becomes(({ text }) => text.startsWith("Beta Show"));
  await expect.poll(edits).toBe(2);
  // There is no still after all: the card of a still that is loading goes.
  finish(undefined);
  await expect.poll(edits).toBe(3);
});

test('a button without a result yet shows "typing"', async () => {
  const { promise: isDone, resolve: finish } = Promise.withResolvers<void>();
  const { fake, user } = await openBotForTest({
    lookup: async () => makeReply({ title: "first", buttons: [[makeButton()]] }),
    async runAction() {
      await isDone;
      return { kind: "update", reply: makeReply({ title: "second" }) };
    },
  });
  const reply = await (await user.sends(user.direct, { photo: await draw("#000000") })).reply();
  const typing = () => fake.calls.filter(({ method }) => method === "sendChatAction").length;
  const before = typing();
  user.clicks(reply.button(/Next/));
  await expect.poll(typing).toBe(before + 1);
  finish();
  await reply.becomes(({ text }) => text === "second");
});

test("a button is acknowledged before the still of its result is shown", async () => {
  const { promise: shown, resolve: finish } = Promise.withResolvers<void>();
  const still = await draw("#c04060");
  const slow = makePreview(still, {
    still: async () => {
      await shown;
      return { name: "scene.jpg", contentType: "image/jpeg", bytes: still };
    },
  });
  const more = makeButton({ action: "more", label: "Show the closest ones" });
  const { user } = await openBotForTest({
    lookup: async () => makeReply({ title: "Not sure", buttons: [[more]] }),
    runAction: async () => ({
      kind: "update",
      reply: makeReply({ kind: "match", match: makeMatch(), preview: slow }),
    }),
  });
  const reply = await (await user.sends(user.direct, { photo: await draw("#000000") })).reply();
  await user.clicks(reply.button(/closest/)).response();
  await reply.becomes(({ text }) => text.startsWith("Alpha Show"));
  expect(reply.media).toBeUndefined();
  finish();
  await reply.becomes(({ media }) => media?.kind === "photo");
});

test("the next callback query does not wait for the private copy of an adult result", async () => {
  const { promise: isFetched, resolve: finish } = Promise.withResolvers<undefined>();
  const turn = (label: string) => makeButton({ label, target: `p.1.${label}` });
  const preview = makePreview(await draw("#c04060"), { still: () => isFetched });
  const privately = makeReply({ match: makeMatch(), preview });
  const { fake, user } = await openBotForTest({
    lookup: async () => makeReply({ title: "first", buttons: [[turn("A")]] }),
    runAction: async ({ target }) =>
      target === "p.1.A"
        ? { kind: "update", reply: makeReply({ title: "neutral", buttons: [[turn("B")]], privately }) }
        : { kind: "update", reply: makeReply({ title: "last" }) },
  });
  await user.starts();
  const group = fake.createGroup({ members: [user] });
  const requested = await user.sends(group, { photo: await draw("#000000"), text: "@koma_bot" });
  const reply = await requested.reply();
  user.clicks(reply.button(/A/));
  await reply.becomes(({ text }) => text.startsWith("neutral"));
  user.clicks(reply.button(/B/));
  await reply.becomes(({ text }) => text.startsWith("last"));
  finish(undefined);
  await user.direct.waitForMessage(({ text }) => text.startsWith("Alpha Show"));
});

test("inline mode shows a message without a match for the typed text", async () => {
  const { user } = await openBotForTest({
    ownResults: async () => [makeReply({ title: "Alpha Show", match: makeMatch() })],
  });
  const nothing = await user.asksInline("zzz").response();
  expect(nothing.button?.text).toBe("None of your finds and no title match");
});

test("inline mode offers titles of the library with their links", async () => {
  const queries: string[] = [];
  const { user } = await openBotForTest({
    findTitles: async ({ query }) => {
      queries.push(query);
      const url = "https://anilist.co/anime/1";
      return [
        makeReply({
          title: "Alpha Show",
          lines: [{ spans: [{ text: "TV series · 1998" }], style: "normal" }],
          buttons: [[makeButton({ action: "open", label: "AniList", url, target: undefined })]],
        }),
      ];
    },
  });
  const { results } = await user.asksInline("Alph").response();
  expect(results).toMatchObject([{ type: "article", title: "Alpha Show", description: "TV series · 1998" }]);
  expect(JSON.stringify(results)).toContain("https://anilist.co/anime/1");
  await user.asksInline("").response();
  expect(queries).toEqual(["Alph"]);
});

test("a repeated notice is a reaction to the image", async () => {
  const replies = [{}, { isRepeatedProblem: true }, { isRepeatedProblem: true }];
  const { fake, user, calls } = await openBotForTest({
    lookup: async () => ({
      ...makeReply({ kind: "busy", title: "One thing at a time" }),
      ...replies.shift(),
    }),
  });
  const group = fake.createGroup({ members: [user] });
  for (const chat of [user.direct, user.direct, group]) {
    const [first] = chat.replies;
    const photo = await draw("#000000");
    const requested = await user.sends(chat, chat === group ? { photo, text: "@koma_bot" } : { photo });
    if (chat === user.direct && first === undefined) await requested.reply();
    else await fake.waitUntil(() => requested.reactions.includes("🙈"), "the reaction");
  }
  await expect.poll(() => calls.done).toHaveLength(3);
  expect([user.direct.replies.length, group.replies.length]).toEqual([1, 0]);
});

test("a command and a button do not wait for the images of their sender", async () => {
  const { promise: isSearched, resolve: finish } = Promise.withResolvers<void>();
  const buttons = [[makeButton()]];
  let count = 0;
  const { user } = await openBotForTest({
    async lookup() {
      if (++count > 1) await isSearched;
      return makeReply({ title: "found", buttons });
    },
    help: async () => makeReply({ title: "help" }),
  });
  const first = await (await user.sends(user.direct, { photo: await draw("#000000") })).reply();
  const requested = await user.sends(user.direct, { photo: await draw("#ffffff") });
  await expect.poll(() => count).toBe(2);
  expect((await (await user.sends(user.direct, "/help")).reply()).text).toBe("help");
  user.clicks(first.button(/Next/));
  await first.becomes(({ text }) => text === "pressed");
  finish();
  await requested.reply();
});

test("the bot introduces itself in a group that it was added to", async () => {
  const { fake, user, calls } = await openBotForTest();
  const group = fake.createGroup({ members: [user], hasBot: false });
  group.addBot(user);
  expect((await group.waitForMessage()).text).toBe("welcome");
  await expect.poll(() => calls.done).toHaveLength(1);
  expect(group.replies).toHaveLength(1);
});

test("a guest's reply has the clip if the site has a public address", async () => {
  const preview = makePreview(await draw("#c04060"), {
    variant: "clip",
    clipUrl: "https://koma.example/previews/clip/a/b/c/d",
    stillUrl: "https://koma.example/previews/still/a/b/c/d",
  });
  const { fake, user } = await openBotForTest({
    lookup: async () => makeReply({ kind: "match", resultId: "r1", match: makeMatch(), preview }),
  });
  const group = fake.createGroup({ members: [user], hasBot: false });
  await user.sends(group, { photo: await draw("#000000"), text: "@koma_bot" });
  await fake.waitUntil(() => fake.calls.some(({ method }) => method === "answerGuestQuery"));
  const call = fake.calls.find(({ method }) => method === "answerGuestQuery");
  expect(call?.parameters.result).toMatchObject({ type: "video", video_url: preview.clipUrl });
});

async function readClip(): Promise<Clip> {
  const bytes = new Uint8Array(await readFile(findTestVideo("small colors")));
  return { bytes, name: "scene.mp4", contentType: "video/mp4" };
}

test("a button asks what an image shows, and the reply to that question is passed on, in groups too", async () => {
  const corrections: object[] = [];
  const correct = makeButton({ action: "correct", label: "Say what it is", target: "k.result-1" });
  const { fake, user, calls } = await openBotForTest({
    lookup: async () => makeReply({ text: "no candidate is left", buttons: [[correct]] }),
    correct: async ({ person: _person, chat: _chat, ...written }) => {
      corrections.push(written);
      return makeReply({ text: "thanks", isPrivate: true });
    },
  });
  const group = fake.createGroup({ members: [user] });
  const ask = async (chat: Chat, text: string) => {
    const found = await (await user.sends(chat, { photo: await draw("#c04060"), text: "@koma_bot" })).reply();
    user.clicks(found.button(/Say what it is/));
    const question = await chat.waitForMessage((one) => one.text.includes("What does your image show?"));
    const written = await user.sends(chat, { text, replyTo: question });
    expect((await written.reply()).text).toBe("thanks");
  };
  await Promise.all([ask(user.direct, "Oh, Edo Rocket, 5"), ask(group, "Oh, Edo Rocket")]);
  expect(corrections).toHaveLength(2);
  expect(corrections).toEqual(
    expect.arrayContaining([
      { resultId: "result-1", title: "Oh, Edo Rocket", episode: "5" },
      { resultId: "result-1", title: "Oh, Edo Rocket", episode: undefined },
    ]),
  );
  expect(calls.actions).toEqual([]);
});

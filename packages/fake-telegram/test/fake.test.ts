import { GrammyError, InlineKeyboard, InputFile, InputMediaBuilder } from "grammy";
import type { Update } from "grammy/types";
import sharp from "sharp";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Fake, openFake } from "../src/index.ts";
import { startClient } from "./fixtures/start-client.ts";

let fake: Fake;
let ends: (() => Promise<unknown>)[];

beforeEach(async () => {
  fake = await openFake();
  ends = [];
});
afterEach(async () => {
  for (const end of ends) await end();
  await fake.close();
});

const start: (
  ...arguments_: Parameters<typeof startClient> extends [unknown, ...infer Rest] ? Rest : never
) => ReturnType<typeof startClient> = async (listen, options) => {
  const bot = await startClient(fake, listen, options);
  ends.push(() => bot.close());
  return bot;
};

const drawImage = async (width = 1600, height = 900) =>
  new Uint8Array(
    await sharp({ create: { width, height, channels: 3, background: "#3060a0" } })
      .png()
      .toBuffer(),
  );

const clip = new Uint8Array(
  Buffer.concat([Buffer.from([0, 0, 0, 16]), Buffer.from("ftypisom0000"), Buffer.alloc(64)]),
);

const failureOf = async (work: Promise<unknown>): Promise<GrammyError> => {
  const failure = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (failure instanceof GrammyError) return failure;
  throw new Error(`Not refused by Telegram: ${String(failure)}`);
};

describe("messages", () => {
  it("supports a conversation: reply, keyboard, callback query, edit", async () => {
    const mina = fake.createUser({ name: "Mina", language: "ja" });
    await start((bot) => {
      bot.on("message:text", (context) =>
        context.reply("<b>Frieren</b> &amp; co", {
          parse_mode: "HTML",
          reply_parameters: { message_id: context.msgId },
          reply_markup: new InlineKeyboard().text("Next", "go:2").url("Open", "https://anilist.co/anime/1"),
        }),
      );
      bot.on("callback_query:data", async (context) => {
        await context.editMessageText(`page ${context.callbackQuery.data}`);
        await context.answerCallbackQuery({ text: "Turned" });
      });
    });
    const requested = await mina.sends(mina.direct, "hello");
    const reply = await requested.reply();
    expect(reply).toMatchObject({ text: "Frieren & co", replyToId: requested.id, author: { isBot: true } });
    expect(reply.entities).toMatchObject([{ type: "bold", offset: 0, length: 7 }]);
    expect(reply.buttons.map(({ text }) => text)).toEqual(["Next", "Open"]);
    const click = mina.clicks(reply.button("Next"));
    expect(await click.response()).toMatchObject({ text: "Turned", isAlert: false });
    expect(reply).toMatchObject({ text: "page go:2", editCount: 1, buttons: [] });
    expect(reply.versions.map(({ text, buttons }) => [text, buttons.length])).toEqual([
      ["Frieren & co", 2],
      ["page go:2", 0],
    ]);
    expect(() => mina.clicks(reply.button("Next"))).toThrow(/no button/);
    await fake.updates.settled();
    expect(fake.violations).toEqual([]);
  });

  it("accepts every encoding of the Bot API", async () => {
    const mina = fake.createUser();
    await mina.starts();
    const url = `${fake.apiUrl}/bot${fake.token}/sendMessage`;
    const markup = JSON.stringify({ inline_keyboard: [[{ text: "A", callback_data: "a" }]] });
    const fields = { chat_id: String(mina.id), text: "plain", reply_markup: markup };
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    const calls = [
      fetch(url, { method: "POST", body: new URLSearchParams({ ...fields, text: "12" }) }),
      fetch(url, { method: "POST", body: form }),
      fetch(`${url}?${new URLSearchParams(fields).toString()}`),
      fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ ...fields, chat_id: mina.id }),
      }),
    ];
    for (const call of calls)
      expect(await (await call).json()).toMatchObject({
        ok: true,
        result: { text: expect.stringMatching(/^(plain|12)$/) },
      });
    expect(mina.direct.replies.map(({ buttons }) => buttons.length)).toEqual([1, 1, 1, 1]);
    expect(fake.calls.map(({ encoding }) => encoding).toSorted()).toEqual([
      "form",
      "json",
      "multipart",
      "query",
    ]);
    expect(fake.violations).toEqual([]);
  });

  it("rejects invalid tokens and unknown methods", async () => {
    const wrong = await fetch(`${fake.apiUrl}/bot1:wrong/getMe`);
    expect([wrong.status, await wrong.json()]).toEqual([
      401,
      { ok: false, error_code: 401, description: "Unauthorized" },
    ]);
    const unknown = await fetch(`${fake.apiUrl}/bot${fake.token}/sendHug`);
    expect(unknown.status).toBe(404);
    expect(fake.violations).toMatchObject([{ rule: "method", where: "sendHug" }]);
  });
});

describe("files", () => {
  it("returns photos as JPEG in several sizes, and documents unchanged", async () => {
    const image = await drawImage();
    const mina = fake.createUser();
    const seen: Update[] = [];
    const bot = await start((one) => one.use((context) => void seen.push(context.update)));
    await mina.sends(mina.direct, { photo: image, text: "mute", hasSpoiler: true });
    await mina.sends(mina.direct, { document: { bytes: image, name: "a.png" } });
    await fake.updates.settled();
    const [photo, document] = seen.map(({ message }) => message);
    expect(photo?.photo?.map(({ width }) => width)).toEqual([90, 320, 800, 1280, 1600]);
    expect(photo).toMatchObject({ caption: "mute", has_media_spoiler: true });
    expect(document?.document).toMatchObject({
      file_name: "a.png",
      mime_type: "image/png",
      file_size: image.length,
    });
    const download = async (id = "") => {
      const file = await bot.api.getFile(id);
      const address = `/bot${fake.token}/${file.file_path}`;
      const otherUser = await fetch(`${fake.apiUrl}/file/bot1:wrong/${file.file_path}`);
      expect(otherUser.status).toBe(404);
      return new Uint8Array(await (await fetch(`${fake.apiUrl}/file${address}`)).arrayBuffer());
    };
    const largest = photo?.photo?.at(-1);
    const bytes = await download(largest?.file_id);
    expect([bytes.length, (await sharp(bytes).metadata()).format]).toEqual([largest?.file_size, "jpeg"]);
    expect(await download(document?.document?.file_id)).toEqual(image);
    expect(fake.violations).toEqual([]);
  });

  it("serves no file above 20 MB and none that is expired, and interrupts downloads on request", async () => {
    const mina = fake.createUser();
    const bot = await start((one) => one.use(() => undefined));
    const large = await mina.sends(mina.direct, { video: { bytes: clip, size: 21 * 1024 * 1024 } });
    const failure = await failureOf(bot.api.getFile(large.media?.id ?? ""));
    expect(failure).toMatchObject({ error_code: 400, description: "Bad Request: file is too big" });
    const small = await mina.sends(mina.direct, { animation: { bytes: clip } });
    const { file_path } = await bot.api.getFile(small.media?.id ?? "");
    const address = `${fake.apiUrl}/file/bot${fake.token}/${file_path}`;
    expect((await fetch(address)).status).toBe(200);
    fake.faults.failDownloads({ isDropped: true, times: 1 });
    await expect(fetch(address).then((response) => response.arrayBuffer())).rejects.toThrow();
    expect(fake.violations).toEqual([]);
  });

  it("accepts uploads, and new media in an existing message", async () => {
    const image = await drawImage(320, 180);
    const mina = fake.createUser();
    const bot = await start((one) => one.use(() => undefined));
    const requested = await mina.sends(mina.direct, "hi");
    const sent = await bot.api.sendVideo(mina.id, new InputFile(clip, "clip.mp4"), {
      caption: "<i>12:34</i>",
      parse_mode: "HTML",
      has_spoiler: true,
      width: 640,
      height: 360,
      duration: 3,
      reply_parameters: { message_id: requested.id },
      reply_markup: new InlineKeyboard().text("Next", "n"),
    });
    const reply = await requested.reply();
    expect(reply.media).toMatchObject({
      kind: "video",
      bytes: clip,
      width: 640,
      name: "clip.mp4",
    });
    expect(reply.hasSpoiler).toBe(true);
    await bot.api.editMessageMedia(
      mina.id,
      sent.message_id,
      InputMediaBuilder.photo(new InputFile(image, "still.png"), { caption: "two" }),
    );
    expect(reply).toMatchObject({ text: "two", editCount: 1, media: { kind: "photo", bytes: image } });
    expect(reply.versions.map(({ media }) => media?.kind)).toEqual(["video", "photo"]);
    await bot.api.sendPhoto(mina.id, reply.media?.id ?? "");
    expect(mina.direct.replies.map(({ media }) => media?.kind)).toEqual(["photo", "photo"]);
    expect(fake.violations).toEqual([]);
  });

  it("describes every kind of file, albums as separate messages, forwards and replies from other chats", async () => {
    const image = await drawImage(400, 300);
    const mina = fake.createUser();
    const group = fake.createGroup({ members: [mina], title: "Elsewhere", hasBot: false });
    const seen: Update[] = [];
    await start((one) => one.use((context) => void seen.push(context.update)));
    const far = await mina.sends(group, { photo: image, text: "which one?" });
    const first = await mina.sends(mina.direct, {
      album: [{ photo: image }, { photo: image }, { video: { bytes: clip } }],
      text: "album",
    });
    await mina.sends(mina.direct, { videoNote: { bytes: clip, width: 240 } });
    for (const kind of ["static", "animated", "video"] as const)
      await mina.sends(mina.direct, { sticker: { bytes: image, kind, emoji: "🙂" } });
    await mina.sends(mina.direct, { forward: far });
    await mina.sends(mina.direct, { text: "this", externalReply: { message: far } });
    await mina.sends(mina.direct, { text: "that", replyTo: first });
    await fake.updates.settled();
    const messages = seen.map(({ message }) => message);
    expect(messages.slice(0, 3).map((one) => [one?.media_group_id, one?.caption])).toEqual([
      [first.albumId, "album"],
      [first.albumId, undefined],
      [first.albumId, undefined],
    ]);
    expect(messages[3]?.video_note).toMatchObject({ length: 240 });
    expect(messages.slice(4, 7).map((one) => [one?.sticker?.is_animated, one?.sticker?.is_video])).toEqual([
      [false, false],
      [true, false],
      [false, true],
    ]);
    expect(messages[7]).toMatchObject({
      forward_origin: { type: "user" },
      caption: "which one?",
      photo: [{}, {}, {}],
    });
    expect(messages[8]).toMatchObject({
      text: "this",
      external_reply: { origin: { type: "user" }, photo: [{}, {}, {}] },
    });
    expect(messages[9]).toMatchObject({ reply_to_message: { caption: "album" } });
    expect(fake.violations).toEqual([]);
  });
});

describe("groups", () => {
  it("applies privacy mode", async () => {
    const [mina, jon] = [fake.createUser({ name: "Mina" }), fake.createUser({ name: "Jon" })];
    const group = fake.createGroup({ members: [mina, jon] });
    const heard: string[] = [];
    const bot = await start((one) => one.on("message:text", (context) => void heard.push(context.msg.text)));
    const sendText = async (text: string, more = {}) => mina.sends(group, { text, ...more });
    await sendText("nobody asked");
    await sendText("@koma_bot what is this");
    const command = await sendText("/find");
    await sendText("/find@other_bot");
    await sendText("to a person", { replyTo: await sendText("unseen") });
    await sendText("to a message for the bot", { replyTo: command });
    const { message_id } = await bot.api.sendMessage(group.id, "I am here");
    const own = group.replies.find(({ id }) => id === message_id);
    await sendText("to the bot", { replyTo: own });
    await sendText("/find@koma_bot mine");
    await fake.updates.settled();
    expect(heard).toEqual([
      "@koma_bot what is this",
      "/find",
      "to a message for the bot",
      "to the bot",
      "/find@koma_bot mine",
    ]);
    group.promoteBot();
    await sendText("admins hear all");
    await fake.updates.settled();
    expect(heard.at(-1)).toBe("admins hear all");
    expect(fake.violations).toEqual([]);
  });

  it("has topics, rights, members and becomes a supergroup", async () => {
    const mina = fake.createUser();
    const seen: Update[] = [];
    const bot = await start((one) => one.use((context) => void seen.push(context.update)));
    const forum = fake.createGroup({ members: [mina], isForum: true });
    const topic = forum.topic("Screenshots");
    const requested = await mina.sends(forum, { text: "/find", topic });
    await bot.api.sendMessage(forum.id, "found", { reply_parameters: { message_id: requested.id } });
    expect((await requested.reply()).topicId).toBe(topic.id);
    topic.close();
    const closed = bot.api.sendMessage(forum.id, "again", { message_thread_id: topic.id });
    expect((await failureOf(closed)).description).toMatch(/TOPIC_CLOSED/);
    forum.denyBot(["photos"]);
    const denied = bot.api.sendPhoto(forum.id, new InputFile(await drawImage(50, 50)));
    expect((await failureOf(denied)).description).toMatch(/not enough rights to send photos/);
    const group = fake.createGroup({ kind: "group", members: [mina] });
    expect((await bot.api.getChatMember(group.id, mina.id)).status).toBe("creator");
    const next = group.migrate();
    expect((await failureOf(bot.api.sendMessage(group.id, "hi"))).parameters).toEqual({
      migrate_to_chat_id: next.id,
    });
    await fake.updates.settled();
    expect(seen.at(-1)).toMatchObject({ message: { migrate_from_chat_id: group.id } });
    expect(fake.violations).toEqual([]);
  });

  it("lets users block the bot, and start it by a link", async () => {
    const mina = fake.createUser();
    const bot = await start((one) =>
      one.command("start", (context) => context.reply(`payload ${context.match}`)),
    );
    expect((await failureOf(bot.api.sendMessage(mina.id, "hi"))).description).toMatch(/can't initiate/);
    expect((await (await mina.starts("link_7")).reply()).text).toBe("payload link_7");
    mina.blocks();
    expect(await failureOf(bot.api.sendMessage(mina.id, "hi"))).toMatchObject({
      error_code: 403,
      description: "Forbidden: bot was blocked by the user",
    });
    expect(fake.violations).toEqual([]);
  });
});

describe("outside of chats", () => {
  it("answers inline queries, and edits sent results", async () => {
    const [mina, jon] = [fake.createUser(), fake.createUser()];
    const bot = await start((one) => {
      one.on("inline_query", (context) =>
        context.answerInlineQuery(
          [
            {
              type: "article",
              id: "r1",
              title: "Frieren",
              input_message_content: {
                message_text: `<b>${context.inlineQuery.query}</b>`,
                parse_mode: "HTML",
              },
              reply_markup: { inline_keyboard: [[{ text: "More", callback_data: "more" }]] },
            },
          ],
          { is_personal: true, cache_time: 0 },
        ),
      );
      one.on("callback_query:data", async (context) => {
        await context.answerCallbackQuery();
        if (context.inlineMessageId)
          await context.api.editMessageTextInline(context.inlineMessageId, "changed");
      });
    });
    const chat = fake.createPrivate(mina, jon);
    const { results, isPersonal } = await mina.asksInline("mine", { chat }).response();
    expect([results.length, isPersonal]).toEqual([1, true]);
    const [result] = results;
    if (!result) throw new Error("There is no result.");
    const sent = await mina.picks(result, chat);
    expect(sent).toMatchObject({ text: "mine", isViaBot: true, author: { id: mina.id } });
    await jon.clicks(sent.button("More")).response();
    expect((await sent.becomes(({ text }) => text === "changed")).buttons).toEqual([]);
    expect((await failureOf(bot.api.editMessageTextInline("nonsense", "x"))).description).toMatch(
      /MESSAGE_ID_INVALID/,
    );
    expect(fake.violations).toEqual([]);
  });

  it("sends guest queries where the bot is no member", async () => {
    const [mina, jon] = [fake.createUser(), fake.createUser()];
    const image = await drawImage(200, 100);
    const heard: Update[] = [];
    await start((one) =>
      one.use(async (context) => {
        heard.push(context.update);
        const id = context.update.guest_message?.guest_query_id;
        if (id !== undefined)
          await context.api.raw.answerGuestQuery({
            guest_query_id: id,
            result: {
              type: "article",
              id: "g",
              title: "Found",
              input_message_content: { message_text: "Found it" },
            },
          });
      }),
    );
    for (const chat of [
      fake.createPrivate(mina, jon),
      fake.createGroup({ members: [mina, jon], hasBot: false }),
    ]) {
      const shown = await jon.sends(chat, { photo: image });
      const requested = await mina.sends(chat, { text: "@koma_bot", replyTo: shown });
      expect(await requested.reply()).toMatchObject({ text: "Found it", guestOf: mina.id });
    }
    expect(heard).toMatchObject([
      { guest_message: { text: "@koma_bot", reply_to_message: { photo: [{}, {}] } } },
      { guest_message: { chat: { type: "supergroup" } } },
    ]);
    expect(fake.violations).toEqual([]);
  });

  it("stores commands by scope and language", async () => {
    const mina = fake.createUser({ language: "ja" });
    const jon = fake.createUser({ language: "de-AT" });
    const bot = await start((one) => one.use(() => undefined));
    await bot.api.setMyCommands([{ command: "find", description: "Find" }]);
    await bot.api.setMyCommands([{ command: "find", description: "探す" }], {
      language_code: "ja",
      scope: { type: "all_private_chats" },
    });
    await bot.api.setMyName("Scenes");
    await bot.api.setMyName("場面", { language_code: "ja" });
    expect(mina.commandsIn(mina.direct)).toEqual([{ command: "find", description: "探す" }]);
    expect(jon.commandsIn(jon.direct)).toEqual([{ command: "find", description: "Find" }]);
    expect(fake.profile.commands("all_private_chats", "ja")).toHaveLength(1);
    expect([fake.profile.name(), fake.profile.name("ja")]).toEqual(["Scenes", "場面"]);
    expect(fake.violations).toEqual([]);
  });

  it("accepts actions, and shows reactions", async () => {
    const mina = fake.createUser();
    const bot = await start((one) => one.use(() => undefined));
    const requested = await mina.sends(mina.direct, "hm");
    await bot.api.sendChatAction(mina.id, "upload_video");
    await bot.api.setMessageReaction(mina.id, requested.id, [{ type: "emoji", emoji: "👀" }]);
    expect(fake.calls.map(({ parameters }) => parameters.action)).toContain("upload_video");
    expect(requested.reactions).toEqual(["👀"]);
    expect(fake.violations).toEqual([]);
  });

  it("lets users edit, follow links and pick results", async () => {
    const mina = fake.createUser();
    const seen: Update[] = [];
    const bot = await start((one) => one.use((context) => void seen.push(context.update)));
    const message = await mina.sends(mina.direct, "fnd");
    mina.edits(message, "find");
    const link = { inline_keyboard: [[{ text: "Link", url: "https://t.me/koma_bot?start=link_1" }]] };
    await bot.api.sendMessage(mina.id, "link", { reply_markup: link });
    expect((await mina.opens((await message.reply()).button("Link")))?.text).toBe("/start link_1");
    const group = fake.createGroup({ members: [mina], hasBot: false });
    group.addBot(mina);
    const query = mina.asksInline("old");
    const result = {
      type: "article",
      id: "r",
      title: "Old",
      input_message_content: { message_text: "shared" },
    } as const;
    await bot.api.answerInlineQuery(query.id, [result]);
    const [picked] = (await query.response()).results;
    if (!picked) throw new Error("There is no result.");
    await mina.picks(picked, group);
    await fake.updates.settled();
    const order = seen.map((update) => Object.keys(update).find((key) => key !== "update_id"));
    expect(order).toEqual([
      "message",
      "edited_message",
      "message",
      "my_chat_member",
      "message",
      "inline_query",
      "message",
    ]);
    expect(seen.at(-1)).toMatchObject({ message: { text: "shared", via_bot: { is_bot: true } } });
    expect(fake.violations).toEqual([]);
  });

  it("applies Telegram's limits, and the rules for deletions", async () => {
    await fake.close();
    fake = await openFake({ hasRateLimits: true });
    const mina = fake.createUser();
    const group = fake.createGroup({ members: [mina] });
    const bot = await start((one) => one.use(() => undefined));
    for (let count = 0; count < 20; count++) await bot.api.sendMessage(group.id, `${count}`);
    expect(
      (await failureOf(bot.api.sendMessage(group.id, "one too many"))).parameters.retry_after,
    ).toBeGreaterThan(50);
    const message = await mina.sends(group, "koma_secret @koma_bot");
    expect((await failureOf(bot.api.deleteMessage(group.id, message.id))).description).toMatch(
      /can't be deleted/,
    );
    group.promoteBot();
    await bot.api.deleteMessage(group.id, message.id);
    expect([message.isDeleted, group.messages.length]).toEqual([true, 20]);
    expect(fake.violations).toEqual([]);
  });
});

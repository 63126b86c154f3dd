import { Api, InputFile } from "grammy";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Fake, openFake, type User } from "../src/index.ts";

let fake: Fake;
let mina: User;
let texts: number;
const draw = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: "#406080" } })
    .jpeg()
    .toBuffer();
const still = await draw(64, 36);

/** Calls a method without the client's types, in the client's encoding. */
async function call(method: string, parameters: object) {
  const raw = new Api(fake.token, { apiRoot: fake.apiUrl }).raw as unknown as Record<
    string,
    (parameters: object) => Promise<{ message_id: number }>
  >;
  return raw[method]?.(parameters).catch(() => undefined);
}

beforeAll(async () => {
  fake = await openFake();
  mina = fake.createUser({ name: "Mina" });
  await mina.starts();
  texts = (await call("sendMessage", text("a text")))?.message_id ?? 0;
});
afterAll(() => fake.close());

/** The rules that a call breaks. */
async function rulesOf(method: string, parameters: object): Promise<readonly string[]> {
  const before = fake.violations.length;
  await call(method, parameters);
  return fake.violations.slice(before).map(({ rule, problem }) => `${rule}: ${problem}`);
}

const inChat = (fields: object) => ({ chat_id: mina.id, ...fields });
const text = (value: string, more: object = {}) => inChat({ text: value, ...more });
const html = (value: string) => text(value, { parse_mode: "HTML" });
const keyboard = (...rows: readonly (readonly object[])[]) =>
  text("x", { reply_markup: { inline_keyboard: rows } });
const button = { text: "A", callback_data: "a" };
const link = (url: string) => keyboard([{ text: "A", url }]);
const commands = (...list: readonly object[]) => ({ commands: list });
const media = (item: object) => inChat({ message_id: texts, media: item });

describe("a call breaks a rule:", () => {
  const broken: Readonly<Record<string, Readonly<Record<string, () => object>>>> = {
    sendMessage: {
      "length: text is empty": () => text("  "),
      "length: text has 4097": () => text("x".repeat(4097)),
      'Unsupported start tag "div"': () => html("<div>x</div>"),
      "Can't find end tag": () => html("<b>x"),
      "Unmatched end tag": () => html("<b><i>x</b></i>"),
      '"&" is unescaped': () => html("you & me"),
      '">" is unescaped': () => html("1 > 0"),
      malformed: () => html("1 < 2"),
      "inside or around code": () => html("<b><code>x</code></b>"),
      "address: text: a link": () => html('<a href="nowhere">x</a>'),
      "has 65 bytes": () => keyboard([{ text: "A", callback_data: `${"é".repeat(32)}x` }]),
      "row 1 has 9": () => keyboard(Array.from({ length: 9 }, () => button)),
      "has 101 buttons": () => keyboard(...Array.from({ length: 101 }, () => [button])),
      "callback_data and url: exactly one": () => keyboard([{ ...button, url: "https://anilist.co" }]),
      "no action: exactly one": () => keyboard([{ text: "A" }]),
      "a button has no text": () => keyboard([{ text: " ", callback_data: "a" }]),
      "is no address that Telegram opens": () => link("javascript:alert(1)"),
      "deep-link: ": () => link(`https://t.me/koma_bot?start=${"x".repeat(65)}`),
      'chat_id "12" is neither': () => text("x", { chat_id: "12" }),
      "secret: ": () => text(`see /file/bot${fake.token}/photos/1.jpg`),
      "unknown-field: colour": () => text("x", { colour: "red" }),
      "unknown-field: reply_markup.inline_keyboard[0][0].emoji": () => keyboard([{ ...button, emoji: "x" }]),
      "schema: text is required": () => inChat({}),
    },
    sendPhoto: {
      "caption has 1025": () => inChat({ photo: new InputFile(still), caption: "x".repeat(1025) }),
      "attach://nothing names no file": () => inChat({ photo: "attach://nothing" }),
      "a photo that is no image": () => inChat({ photo: new InputFile(Buffer.from("hello")) }),
      "a photo of 10485761": () => inChat({ photo: new InputFile(Buffer.alloc(10 * 1024 * 1024 + 1, 1)) }),
    },
    sendVideo: {
      "is no file id": () => inChat({ video: "BAADmadeup" }),
      "sendVideo requires MPEG-4": () => inChat({ video: new InputFile(still, "a.mp4") }),
      "the file is empty": () => inChat({ video: new InputFile(new Uint8Array(0), "a.mp4") }),
    },
    editMessageCaption: { "a text has no caption": () => inChat({ message_id: texts, caption: "x" }) },
    editMessageText: {
      "the message is not the bot's": () => text("x", { message_id: 1 }),
      "schema: neither": () => ({ text: "x" }),
    },
    editMessageMedia: { 'media.type "gif"': () => media({ type: "gif", media: "x" }) },
    deleteMessage: { "should be of type Integer": () => inChat({ message_id: "12" }) },
    setMyCommands: {
      'command: "Find"': () => commands({ command: "Find", description: "x" }),
      "command: the same": () => commands(...[1, 2].map(() => ({ command: "find", description: "x" }))),
      "257 characters": () => commands({ command: "find", description: "x".repeat(257) }),
      '"zh-hans" is no two-letter': () => ({ commands: [], language_code: "zh-hans" }),
      "scope.chat_id is required": () => ({ commands: [], scope: { type: "chat" } }),
      "length: commands has 101": () =>
        commands(...Array.from({ length: 101 }, (_, index) => ({ command: `c${index}`, description: "x" }))),
    },
    answerCallbackQuery: { "there is no callback query": () => ({ callback_query_id: "1" }) },
    sendChatAction: { "the fake knows no action": () => inChat({ action: "thinking" }) },
    setWebhook: {
      "webhook: ": () => ({ url: "http://example.org/hook" }),
      "secret_token has characters": () => ({ url: "", secret_token: "a b" }),
    },
    getUpdates: { "allowed-updates: ": () => ({ allowed_updates: ["messages"] }) },
    getFile: { "file-id: ": () => ({ file_id: "nope" }) },
    sendHug: { "method: ": () => inChat({}) },
  };
  const cases = Object.entries(broken).flatMap(([method, rules]) =>
    Object.entries(rules).map(([rule, parameters]) => [method, rule, parameters] as const),
  );
  it.each(cases)("%s %s", async (method, rule, parameters) => {
    expect(await rulesOf(method, parameters())).toEqual(
      expect.arrayContaining([expect.stringContaining(rule)]),
    );
  });
});

describe("rules with state", () => {
  it("a callback query is answered once, with at most 200 characters", async () => {
    await call("sendMessage", keyboard([button]));
    const { id } = mina.clicks(mina.direct.replies.at(-1)?.button("A") ?? expect.fail());
    const response = { callback_query_id: id };
    expect(await rulesOf("answerCallbackQuery", { ...response, text: "x".repeat(201) })).toEqual([
      "length: text has 201 characters, 0 to 200 are allowed",
    ]);
    expect(await rulesOf("answerCallbackQuery", response)).toEqual([
      "callback: the callback query was answered before",
    ]);
  });

  it("inline results have unique ids, are at most 50, and reference known files", async () => {
    const input_message_content = { message_text: "x" };
    const article = (id: string) => ({ type: "article", id, title: "x", input_message_content });
    const reply = async (...results: readonly object[]) =>
      rulesOf("answerInlineQuery", { inline_query_id: mina.asksInline("q").id, results });
    expect(await reply(article("a"), article("a"))).toEqual(["inline: two results have the same id"]);
    expect(await reply(...Array.from({ length: 51 }, (_, index) => article(String(index))))).toEqual([
      "inline: 51 results, 50 are allowed",
    ]);
    expect(await reply({ type: "video", id: "v", title: "v", video_file_id: "made-up" })).toEqual([
      expect.stringMatching(/^file-id/),
    ]);
  });

  it("a file keeps its kind, and a message with a file keeps a file", async () => {
    const message_id = (await call("sendPhoto", inChat({ photo: new InputFile(still) })))?.message_id;
    const id = mina.direct.replies.at(-1)?.media?.id;
    expect(await rulesOf("sendVideo", inChat({ video: id }))).toEqual([
      "file-id: the id of a photo was sent as video",
    ]);
    expect(await rulesOf("editMessageText", text("x", { message_id }))).toEqual([
      "edit: a message with a file cannot become a text",
    ]);
    expect(await rulesOf("editMessageMedia", media({ type: "photo", media: id }))).toEqual([]);
  });

  it("photos are limited to a ratio of 20 to 1", async () => {
    expect(await rulesOf("sendPhoto", inChat({ photo: new InputFile(await draw(2100, 100)) }))).toEqual([
      expect.stringMatching(/2100 × 100/),
    ]);
  });

  it("calls during a 429 are violations, except those that are underway at the first", async () => {
    fake.faults.rateLimit({ method: "sendMessage", retryAfterSeconds: 600 });
    expect(await rulesOf("sendMessage", text("too early"))).toEqual([]);
    await expect
      .poll(() => rulesOf("sendMessage", text("too early")))
      .toEqual([expect.stringMatching(/^rate-limit/)]);
  });

  it("the fake itself never sends an invalid response", () => {
    expect(fake.violations.filter(({ rule }) => rule === "fake")).toEqual([]);
  });
});

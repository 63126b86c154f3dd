import { Api, InputFile } from "grammy";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Fake, openFake, type User } from "../src/index.ts";

let fake: Fake;
let mina: User;
let call: (
  method: string,
  parameters: object,
) => Promise<{ ok: boolean; result?: { message_id: number }; description?: string }>;
let still: Uint8Array;
let texts: number;

beforeAll(async () => {
  fake = await openFake();
  mina = fake.createUser({ name: "Mina" });
  await mina.starts();
  still = new Uint8Array(
    await sharp({ create: { width: 64, height: 36, channels: 3, background: "#406080" } })
      .jpeg()
      .toBuffer(),
  );
  // Bypasses the client's types, with the client's encoding.
  const raw = new Api(fake.token, { apiRoot: fake.apiUrl }).raw as unknown as Record<
    string,
    (parameters: object) => Promise<unknown>
  >;
  call = async (method, parameters) => {
    try {
      return { ok: true, result: (await raw[method]?.(parameters)) as { message_id: number } };
    } catch (error) {
      return { ok: false, description: error instanceof Error ? error.message : String(error) };
    }
  };
  texts = (await call("sendMessage", { chat_id: mina.id, text: "a text" })).result?.message_id ?? 0;
});
afterAll(() => fake.close());

/** The rules that a call breaks. */
const rulesOf = async (method: string, parameters: object): Promise<readonly string[]> => {
  const before = fake.violations.length;
  await call(method, parameters);
  return fake.violations.slice(before).map(({ rule, problem }) => `${rule}: ${problem}`);
};

const keyboard = (...rows: readonly (readonly object[])[]) => ({
  chat_id: mina.id,
  text: "x",
  reply_markup: { inline_keyboard: rows },
});
const sendText = (text: string, more: object = {}) => ({ chat_id: mina.id, text, ...more });
const html = (text: string) => sendText(text, { parse_mode: "HTML" });
const entities = (text: string, ...list: readonly object[]) => sendText(text, { entities: list });
const button = { text: "A", callback_data: "a" };
const bold = (offset: number, length: number) => ({ type: "bold", offset, length });

describe("each rule detects its violation", () => {
  const byRules: readonly (readonly [string, RegExp, () => readonly [string, object]])[] = [
    ["an empty text", /^length: text is empty/, () => ["sendMessage", sendText("  ")]],
    ["a text of 4097", /^length: text has 4097/, () => ["sendMessage", sendText("x".repeat(4097))]],
    [
      "a caption of 1025",
      /^length: caption has 1025/,
      () => ["sendPhoto", { chat_id: mina.id, photo: new InputFile(still), caption: "x".repeat(1025) }],
    ],
    [
      "a tag that is not Telegram's",
      /^html: .*Unsupported start tag "div"/,
      () => ["sendMessage", html("<div>x</div>")],
    ],
    ["a tag that never ends", /^html: .*Can't find end tag/, () => ["sendMessage", html("<b>x")]],
    ["tags that cross", /^html: .*Unmatched end tag/, () => ["sendMessage", html("<b><i>x</b></i>")]],
    ["an ampersand", /^html: text: "&" is unescaped/, () => ["sendMessage", html("you & me")]],
    ["a greater-than sign", /^html: text: ">" is unescaped/, () => ["sendMessage", html("1 > 0")]],
    ["a less-than sign", /^html: .*malformed/, () => ["sendMessage", html("1 < 2")]],
    ["code that is bold", /^entities: .*pre and code/, () => ["sendMessage", html("<b><code>x</code></b>")]],
    ["a link without an address", /^address: /, () => ["sendMessage", html('<a href="nowhere">x</a>')]],
    [
      "a parse mode that does not exist",
      /^html: parse_mode BBCode/,
      () => ["sendMessage", sendText("x", { parse_mode: "BBCode" })],
    ],
    ["an entity beyond the text", /^entities: .*outside/, () => ["sendMessage", entities("ab", bold(1, 2))]],
    ["half an emoji", /^entities: .*in two/, () => ["sendMessage", entities("😀😀", bold(0, 3))]],
    [
      "entities that overlap",
      /^entities: .*overlap/,
      () => ["sendMessage", entities("abcdef", bold(0, 4), { type: "italic", offset: 2, length: 4 })],
    ],
    [
      "markup twice",
      /^entities: .*at once/,
      () => [
        "sendMessage",
        entities("ab", bold(0, 1)) && { ...entities("ab", bold(0, 1)), parse_mode: "HTML" },
      ],
    ],
    [
      "65 bytes of callback data",
      /^keyboard: .*65 bytes/,
      () => ["sendMessage", keyboard([{ text: "A", callback_data: `${"é".repeat(32)}x` }])],
    ],
    [
      "nine buttons in a row",
      /^keyboard: row 1 has 9/,
      () => ["sendMessage", keyboard(Array.from({ length: 9 }, () => button))],
    ],
    [
      "101 buttons",
      /^keyboard: has 101/,
      () => ["sendMessage", keyboard(...Array.from({ length: 101 }, () => [button]))],
    ],
    [
      "a button that does two things",
      /^keyboard: .*exactly one/,
      () => ["sendMessage", keyboard([{ ...button, url: "https://anilist.co" }])],
    ],
    [
      "a button that does nothing",
      /^keyboard: .*exactly one/,
      () => ["sendMessage", keyboard([{ text: "A" }])],
    ],
    [
      "a button without text",
      /^keyboard: a button has no text/,
      () => ["sendMessage", keyboard([{ text: " ", callback_data: "a" }])],
    ],
    [
      "a button with an invalid address",
      /^address: /,
      () => ["sendMessage", keyboard([{ text: "A", url: "javascript:alert(1)" }])],
    ],
    [
      "a deep link of 65",
      /^deep-link: /,
      () => ["sendMessage", keyboard([{ text: "A", url: `https://t.me/koma_bot?start=${"x".repeat(65)}` }])],
    ],
    [
      "a deep link with a colon",
      /^deep-link: /,
      () => ["sendMessage", keyboard([{ text: "A", url: "https://t.me/koma_bot?start=a:b" }])],
    ],
    [
      "a file that was not sent",
      /^media: attach:\/\/nothing names no file/,
      () => ["sendPhoto", { chat_id: mina.id, photo: "attach://nothing" }],
    ],
    ["an unknown file id", /^file-id: /, () => ["sendVideo", { chat_id: mina.id, video: "BAADmadeup" }]],
    [
      "a photo that is none",
      /^media: a photo that is no image/,
      () => ["sendPhoto", { chat_id: mina.id, photo: new InputFile(Buffer.from("hello")) }],
    ],
    [
      "a photo above 10 MB",
      /^media: a photo of 10485761/,
      () => ["sendPhoto", { chat_id: mina.id, photo: new InputFile(Buffer.alloc(10 * 1024 * 1024 + 1, 1)) }],
    ],
    [
      "a photo as a clip",
      /^media: sendVideo requires MPEG-4/,
      () => ["sendVideo", { chat_id: mina.id, video: new InputFile(still, "a.mp4") }],
    ],
    [
      "an empty file",
      /^media: the file is empty/,
      () => ["sendVideo", { chat_id: mina.id, video: new InputFile(new Uint8Array(0), "a.mp4") }],
    ],
    [
      "a text that becomes a caption",
      /^edit: a text has no caption/,
      () => ["editMessageCaption", { chat_id: mina.id, message_id: texts, caption: "x" }],
    ],
    [
      "a message of another user",
      /^edit: the message is not the bot's/,
      () => ["editMessageText", { chat_id: mina.id, message_id: 1, text: "x" }],
    ],
    ["an edit of nothing", /^schema: neither/, () => ["editMessageText", { text: "x" }]],
    [
      "an upper-case command",
      /^command: "Find"/,
      () => ["setMyCommands", { commands: [{ command: "Find", description: "x" }] }],
    ],
    [
      "a command twice",
      /^command: the same/,
      () => ["setMyCommands", { commands: [1, 2].map(() => ({ command: "find", description: "x" })) }],
    ],
    [
      "a long description",
      /^(command|length): .*257/,
      () => ["setMyCommands", { commands: [{ command: "find", description: "x".repeat(257) }] }],
    ],
    [
      "a language of three parts",
      /^command: "zh-hans"/,
      () => ["setMyCommands", { commands: [], language_code: "zh-hans" }],
    ],
    [
      "a response without a callback query",
      /^callback: there is no callback query/,
      () => ["answerCallbackQuery", { callback_query_id: "1" }],
    ],
    [
      "an action that does not exist",
      /^schema: there is no action/,
      () => ["sendChatAction", { chat_id: mina.id, action: "thinking" }],
    ],
    [
      "an id in letters",
      /^schema: chat_id "12" is neither/,
      () => ["sendMessage", { chat_id: "12", text: "x" }],
    ],
    ["a webhook without HTTPS", /^webhook: /, () => ["setWebhook", { url: "http://example.org/hook" }]],
    [
      "the bot's token in a message",
      /^secret: /,
      () => ["sendMessage", sendText(`see /file/bot${fake.token}/photos/1.jpg`)],
    ],
    ["a file id of nothing", /^file-id: /, () => ["getFile", { file_id: "nope" }]],
    [
      "a method that does not exist",
      /^method: does not exist|^method: /,
      () => ["sendHug", { chat_id: mina.id }],
    ],
  ];
  it.each(byRules)("%s", async (_, expected, broken) => {
    expect(await rulesOf(...broken())).toEqual(expect.arrayContaining([expect.stringMatching(expected)]));
  });

  const bySchema: readonly (readonly [string, RegExp, () => readonly [string, object]])[] = [
    [
      "a parameter that does not exist",
      /^unknown-field: colour is not in the Bot API/,
      () => ["sendMessage", sendText("x", { colour: "red" })],
    ],
    [
      "an old parameter",
      /^unknown-field: reply_to_message_id/,
      () => ["sendMessage", sendText("x", { reply_to_message_id: 1 })],
    ],
    [
      "a key that a button has not",
      /^unknown-field: reply_markup.inline_keyboard\[0\]\[0\]\.emoji/,
      () => ["sendMessage", keyboard([{ ...button, emoji: "x" }])],
    ],
    ["what is missing", /^schema: text is required/, () => ["sendMessage", { chat_id: mina.id }]],
    [
      "a number that is text",
      /^schema: message_id should be of type Integer/,
      () => ["deleteMessage", { chat_id: mina.id, message_id: "12" }],
    ],
    [
      "an album of one",
      /^length: media has 1 items/,
      () => ["sendMediaGroup", { chat_id: mina.id, media: [{ type: "photo", media: new InputFile(still) }] }],
    ],
    [
      "an album with a keyboard",
      /^unknown-field: reply_markup/,
      () => [
        "sendMediaGroup",
        {
          chat_id: mina.id,
          reply_markup: { inline_keyboard: [] },
          media: [1, 2].map(() => ({ type: "photo", media: new InputFile(still) })),
        },
      ],
    ],
    [
      "a kind of media that does not exist",
      /^schema: media\.type "gif"/,
      () => ["editMessageMedia", { chat_id: mina.id, message_id: texts, media: { type: "gif", media: "x" } }],
    ],
    [
      "an entity that does not exist",
      /^schema: entities\[0\]\.type "loud"/,
      () => ["sendMessage", entities("ab", { type: "loud", offset: 0, length: 1 })],
    ],
    [
      "an emoji that bots cannot use",
      /^schema: reaction\[0\]\.emoji/,
      () => [
        "setMessageReaction",
        { chat_id: mina.id, message_id: texts, reaction: [{ type: "emoji", emoji: "🔎" }] },
      ],
    ],
    [
      "a scope that does not exist",
      /^schema: scope/,
      () => ["setMyCommands", { commands: [], scope: { type: "everybody" } }],
    ],
    [
      "a scope without its chat",
      /^schema: scope\.chat_id is required/,
      () => ["setMyCommands", { commands: [], scope: { type: "chat" } }],
    ],
    [
      "101 commands",
      /^length: commands has 101/,
      () => [
        "setMyCommands",
        { commands: Array.from({ length: 101 }, (_, index) => ({ command: `c${index}`, description: "x" })) },
      ],
    ],
    [
      "a description of 513",
      /^length: description has 513/,
      () => ["setMyDescription", { description: "x".repeat(513) }],
    ],
    [
      "a short description of 121",
      /^length: short_description has 121/,
      () => ["setMyShortDescription", { short_description: "x".repeat(121) }],
    ],
    [
      "a secret with a space",
      /^schema: secret_token has characters/,
      () => ["setWebhook", { url: "", secret_token: "a b" }],
    ],
    [
      "updates that do not exist",
      /^allowed-updates: /,
      () => ["getUpdates", { allowed_updates: ["messages"] }],
    ],
    [
      "a style that does not exist",
      /^schema: .*style "pink"/,
      () => ["sendMessage", keyboard([{ ...button, style: "pink" }])],
    ],
  ];
  it.each(bySchema)("%s", async (_, expected, broken) => {
    expect(await rulesOf(...broken())).toEqual(expect.arrayContaining([expect.stringMatching(expected)]));
  });
});

describe("rules with state", () => {
  it("a callback query is answered once, with at most 200 characters", async () => {
    await call("sendMessage", keyboard([button]));
    const message = mina.direct.replies.at(-1);
    if (!message) throw new Error("There is no message.");
    const click = mina.clicks(message.button("A"));
    const long = { callback_query_id: click.id, text: "x".repeat(201) };
    expect(await rulesOf("answerCallbackQuery", long)).toEqual([
      "length: text has 201 characters, 0 to 200 are allowed",
    ]);
    expect(await rulesOf("answerCallbackQuery", { callback_query_id: click.id })).toEqual([
      "callback: the callback query was answered before",
    ]);
    const other = mina.clicks(message.button("A"));
    expect(
      await rulesOf("answerCallbackQuery", { callback_query_id: other.id, url: "https://example.org" }),
    ).toEqual(["callback: https://example.org does not open the bot"]);
  });

  it("inline results have unique ids, are at most 50, and contain no uploads", async () => {
    const article = (id: string) => ({
      type: "article",
      id,
      title: "x",
      input_message_content: { message_text: "x" },
    });
    const reply = async (...results: readonly object[]) => {
      const { id } = mina.asksInline("q");
      return rulesOf("answerInlineQuery", { inline_query_id: id, results });
    };
    expect(await reply(article("a"), article("b"))).toEqual([]);
    expect(await reply(article("a"), article("a"))).toEqual(["inline: two results have the same id"]);
    expect(await reply(...Array.from({ length: 51 }, (_, index) => article(String(index))))).toEqual([
      "inline: 51 results, 50 are allowed",
    ]);
    expect(await reply(article("x".repeat(65)))).toEqual([
      expect.stringMatching(/^length: results\[0\]\.id has 65 bytes/),
    ]);
    expect(await reply({ type: "video", id: "v", title: "v", video_file_id: "made-up" })).toEqual([
      expect.stringMatching(/^file-id/),
    ]);
  });

  it("a file keeps its kind, a message with a file keeps a file, inline messages accept no uploads", async () => {
    const { result } = await call("sendPhoto", { chat_id: mina.id, photo: new InputFile(still) });
    const message = mina.direct.replies.at(-1);
    const id = message?.media?.id;
    expect(await rulesOf("sendVideo", { chat_id: mina.id, video: id })).toEqual([
      "file-id: the id of a photo was sent as video",
    ]);
    expect(
      await rulesOf("editMessageText", { chat_id: mina.id, message_id: result?.message_id, text: "x" }),
    ).toEqual(["edit: a message with a file cannot become a text"]);
    const media = { type: "photo", media: id, caption: "now a photo" };
    expect(await rulesOf("editMessageMedia", { chat_id: mina.id, message_id: texts, media })).toEqual([]);
    await call("getUpdates", { allowed_updates: [] });
    const guest = await mina.sends(fake.createPrivate(mina, fake.createUser()), "@koma_bot");
    const reply = { type: "article", id: "a", title: "x", input_message_content: { message_text: "x" } };
    const guestQuery = fake.updates.all.at(-1)?.guest_message?.guest_query_id;
    expect(await rulesOf("answerGuestQuery", { guest_query_id: guestQuery, result: reply })).toEqual([]);
    expect(await rulesOf("answerGuestQuery", { guest_query_id: guestQuery, result: reply })).toEqual([
      "callback: the guest query was answered before",
    ]);
    const upload = {
      inline_message_id: guest.replies[0]?.inlineMessageId,
      media: { type: "photo", media: new InputFile(still) },
    };
    expect(await rulesOf("editMessageMedia", upload)).toEqual([
      "media: a new file cannot be uploaded into an inline message",
    ]);
  });

  it("photos are limited to a sum of 10000 and a ratio of 20 to 1", async () => {
    const strip = await sharp({ create: { width: 2100, height: 100, channels: 3, background: "#fff" } })
      .jpeg()
      .toBuffer();
    expect(await rulesOf("sendPhoto", { chat_id: mina.id, photo: new InputFile(strip) })).toEqual([
      expect.stringMatching(/2100 × 100/),
    ]);
  });

  it("an unreferenced file is detected", async () => {
    const form = new FormData();
    form.set("chat_id", String(mina.id));
    form.set("photo", "attach://one");
    for (const name of ["one", "two"]) form.set(name, new Blob([Buffer.from(still)]), "a.jpg");
    const before = fake.violations.length;
    await fetch(`${fake.apiUrl}/bot${fake.token}/sendPhoto`, { method: "POST", body: form });
    expect(fake.violations.slice(before)).toMatchObject([
      { rule: "media", problem: 'the file "two" was uploaded and never referenced' },
    ]);
  });

  it("accepts valid calls", async () => {
    const rich =
      '<b>a <i>b</i></b> <tg-spoiler>c</tg-spoiler> <a href="https://anilist.co/?a=1&amp;b=2">d</a> <code>e &lt; f</code> &#128512; &quot;g&quot;';
    expect(await rulesOf("sendMessage", html(rich))).toEqual([]);
    const message = mina.direct.replies.at(-1);
    expect(message?.text).toBe('a b c d e < f 😀 "g"');
    const types = message?.entities.map(({ type }) => type);
    expect(types).toEqual(["bold", "italic", "spoiler", "text_link", "code"]);
    expect(message?.entities[3]).toMatchObject({ url: "https://anilist.co/?a=1&b=2" });
    expect(await rulesOf("sendMessage", sendText("x".repeat(4096)))).toEqual([]);
    expect(await rulesOf("sendMessage", html(`<b>${"x".repeat(4096)}</b>`))).toEqual([]);
    expect(
      await rulesOf(
        "sendMessage",
        keyboard(Array.from({ length: 8 }, () => ({ text: "A", callback_data: "x".repeat(64) }))),
      ),
    ).toEqual([]);
    expect(
      await rulesOf(
        "sendMessage",
        keyboard([{ text: "A", url: `https://t.me/koma_bot?start=${"x".repeat(64)}` }]),
      ),
    ).toEqual([]);
  });

  it("never sends an invalid response itself", () => {
    expect(fake.violations.filter(({ rule }) => rule === "fake")).toEqual([]);
  });
});

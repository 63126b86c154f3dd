import { readFrame } from "@koma/bot-core/testing/open-test-env";
import type { Chat, Message, User, Written } from "@koma/fake-telegram";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { toThumbnail, toVideo, toVideoSticker, toWebp } from "../fixtures/files.ts";
import { openTestEnv, type TestEnv } from "../fixtures/test-env.ts";

let testEnv: TestEnv;
beforeAll(async () => {
  testEnv = await openTestEnv();
  await testEnv.openBot();
});
afterAll(async () => {
  expect(testEnv.fake.violations).toEqual([]);
  expect(testEnv.fake.warnings).toEqual([]);
  expect(testEnv.log()).not.toContain(testEnv.fake.token);
  await testEnv.close();
});

let people = 0;

function join(): { person: User; group: Chat } {
  const person = testEnv.fake.createUser({ name: `Person ${++people}`, language: "en" });
  return { person, group: testEnv.fake.createGroup({ members: [person] }) };
}

const paid = (person: User) => testEnv.api.countGuestSearches(`telegram:${person.id}`);

/** Sends a message and expects one reply that names the anime, with one charge. */
async function find(person: User, chat: Chat, written: Written, title: RegExp): Promise<Message> {
  const before = await paid(person);
  const requested = await person.sends(chat, written);
  const reply = await requested.reply();
  expect(reply.text).toMatch(title);
  await testEnv.fake.updates.settled();
  expect(requested.replies).toHaveLength(1);
  await testEnv.fake.waitUntil(() => requested.reactions.length === 0, "the sign of work to go");
  expect(await paid(person)).toBe(before + 1);
  return reply;
}

describe("in private chats", () => {
  type Kinds = { [kind: string]: (image: Uint8Array) => Promise<Written> };
  const kinds: Kinds = {
    photo: async (image) => ({ photo: image }),
    "picture as a file": async (bytes) => ({ document: { bytes, name: "a.jpg" } }),
    "static sticker": async (image) => ({ sticker: { kind: "static", bytes: await toWebp(image) } }),
    "animated sticker": async (image) => {
      const sticker = { bytes: new Uint8Array([31, 139, 8]), thumbnail: await toThumbnail(image) };
      return { sticker: { kind: "animated", ...sticker } };
    },
    GIF: async (image) => ({ animation: { bytes: await toVideo(image), name: "a.mp4" } }),
    video: async (image) => ({ video: { bytes: await toVideo(image), name: "a.mp4" } }),
    "video message": async (image) => ({ videoNote: { bytes: await toVideo(image) } }),
    "video sticker": async (image) => ({
      sticker: { kind: "video", bytes: await toVideoSticker(image) },
    }),
    "video as a file": async (image) => ({ document: { bytes: await toVideo(image), name: "a.mkv" } }),
  };

  test.each(Object.entries(kinds))("%s", async (_kind, write) => {
    const { person } = join();
    const written = await write(await readFrame("alpha", 3));
    const reply = await find(person, person.direct, written, /^Alpha Show/);
    await reply.becomes(({ media }) => media?.kind === "video");
  });

  test("searches the small preview of a video over 20 MB, and says so", async () => {
    const { person } = join();
    const thumbnail = await toThumbnail(await readFrame("alpha", 4));
    const video = { bytes: new Uint8Array(100), size: 30 * 1024 * 1024, thumbnail, name: "long.mp4" };
    const reply = await find(person, person.direct, { video }, /^Alpha Show/);
    expect(reply.text).toContain("over 20 MB");
  });

  test("searches the small preview of a video over 20 MB without a stated size, and says so", async () => {
    const { person } = join();
    const thumbnail = await toThumbnail(await readFrame("beta", 4));
    const video = { bytes: new Uint8Array(100), size: 30 * 1024 * 1024, isSizeUntold: true, thumbnail };
    const reply = await find(person, person.direct, { video }, /^Beta Show/);
    expect(reply.text).toContain("over 20 MB");
  });

  test.each([false, true])(
    "rejects a file over 20 MB without a preview and a stated size: %s",
    async (isSizeUntold) => {
      const { person } = join();
      const document = { bytes: new Uint8Array(100), size: 21 * 1024 * 1024, isSizeUntold, name: "a.bin" };
      const requested = await person.sends(person.direct, { document });
      const { text } = await requested.reply();
      expect(text).toContain("20 MB");
      expect(text).not.toContain("50 MB");
    },
  );

  test("searches a forwarded image", async () => {
    const { person, group } = join();
    const shown = await person.sends(group, { photo: await readFrame("cards", 3) });
    await find(person, person.direct, { forward: shown }, /^Cards/);
  });

  test("reads options from a caption of nothing else", async () => {
    const { person } = join();
    const photo = await readFrame("beta", 3);
    const quiet = await find(person, person.direct, { photo, text: "TEXT!" }, /^Beta Show/);
    expect(quiet.media).toBeUndefined();
    const requested = await person.sends(person.direct, {
      photo: await readFrame("beta", 4),
      text: "TEXT, please",
    });
    const shown = await requested.reply();
    await shown.becomes(({ media }) => media?.kind === "video");
  });

  test("keeps a spoiler hidden", async () => {
    const { person } = join();
    const photo = await readFrame("alpha", 5);
    const reply = await find(person, person.direct, { photo, hasSpoiler: true }, /^Alpha Show/);
    await reply.becomes(({ media }) => media !== undefined);
    expect(reply.hasSpoiler).toBe(true);
    expect(reply.entities.some(({ type }) => type === "spoiler")).toBe(true);
  });

  test("explains an animated sticker without a thumbnail", async () => {
    const { person } = join();
    const bytes = new Uint8Array([31, 139, 8]);
    const requested = await person.sends(person.direct, { sticker: { kind: "animated", bytes } });
    expect((await requested.reply()).text).toContain("Send a screenshot of it");
  });

  test("rejects a text with the type of an image, and a sound", async () => {
    const { person } = join();
    const bytes = new TextEncoder().encode("no picture at all");
    const requested = await person.sends(person.direct, { document: { bytes, name: "a.png" } });
    expect((await requested.reply()).text).toContain("can't read this file");
    const voice = await person.sends(person.direct, { voice: { bytes, name: "a.ogg" } });
    expect((await voice.reply()).text).toContain("can't read this file");
    expect(await paid(person)).toBe(0);
  });
});

describe("in groups", () => {
  test("serves a mention with an image", async () => {
    const { person, group } = join();
    await find(person, group, { photo: await readFrame("alpha", 2), text: "@koma_bot" }, /^Alpha Show/);
  });

  test("serves /find in reply to an image, also from another chat", async () => {
    const { person, group } = join();
    const shown = await person.sends(group, { photo: await readFrame("beta", 2) });
    await find(person, group, { text: "/find@koma_bot mute", replyTo: shown }, /^Beta Show/);
    const other = testEnv.fake.createGroup({ members: [person] });
    const message = await person.sends(other, { photo: await readFrame("cards", 2) });
    await find(person, group, { text: "@koma_bot", externalReply: { message } }, /^Cards/);
  });

  test("ignores other messages and commands of other bots without privacy mode", async () => {
    const { person, group } = join();
    group.promoteBot();
    const photo = await readFrame("alpha", 1);
    await person.sends(group, { photo });
    await person.sends(group, { photo, text: "/find@other_bot" });
    await person.sends(group, { album: [{ photo }, { photo: await readFrame("beta", 1) }] });
    await person.sends(group, "hello");
    await person.sends(group, "and @other_bot");
    // Later than the wait for the messages of an album.
    const last = await person.sends(group, { photo: await readFrame("beta", 4), text: "@koma_bot" });
    await last.reply();
    await testEnv.fake.updates.settled(1_000);
    expect(group.replies).toHaveLength(1);
    expect(await paid(person)).toBe(1);
  });

  test("serves an album that mentions the bot", async () => {
    const { person, group } = join();
    group.promoteBot();
    const album = [
      { photo: await readFrame("alpha", 1), text: "@koma_bot" },
      { photo: await readFrame("beta", 1) },
    ];
    const requested = await person.sends(group, { album });
    const reply = await requested.reply();
    await reply.becomes(({ text }) => text.includes("2. Beta Show"));
    await testEnv.fake.updates.settled();
    expect(group.replies).toHaveLength(1);
  });

  test("searches an image in reply to the bot, and ignores thanks", async () => {
    const { person, group } = join();
    const photo = await readFrame("alpha", 4);
    const first = await find(person, group, { photo, text: "@koma_bot" }, /^Alpha Show/);
    await find(person, group, { photo: await readFrame("beta", 4), replyTo: first }, /^Beta Show/);
    await person.sends(group, { text: "thanks", replyTo: first });
    await testEnv.fake.updates.settled(500);
    expect(group.replies).toHaveLength(2);
  });

  test("replies in the topic of the request", async () => {
    const person = testEnv.fake.createUser({ name: "Topic", language: "en" });
    const group = testEnv.fake.createGroup({ members: [person], isForum: true });
    const topic = group.topic("Which one");
    const photo = await readFrame("alpha", 2);
    const reply = await find(person, group, { photo, text: "@koma_bot", topic }, /^Alpha Show/);
    expect(reply.topicId).toBe(topic.id);
  });
});

test("guest mode: sends text, and the clip in the private chat", async () => {
  const { fake } = testEnv;
  const ann = fake.createUser({ name: "Ann", language: "en" });
  const bob = fake.createUser({ name: "Bob", language: "en" });
  const between = fake.createPrivate(ann, bob);
  const reply = await find(
    ann,
    between,
    { photo: await readFrame("beta", 5), text: "@koma_bot" },
    /^Beta Show/,
  );
  expect(reply.guestOf).toBe(ann.id);
  ann.clicks(reply.button(/look-alike/));
  await reply.becomes(({ text }) => !text.startsWith("Beta Show"));
  await ann.opens(reply.button(/Clip/));
  await ann.direct.waitForMessage(({ media }) => media?.kind === "video");
});

test("inline mode: lists the user's own results, then titles of the library", async () => {
  const { fake } = testEnv;
  const { person, group } = join();
  const nothing = await person.asksInline("").response();
  expect(nothing.results).toEqual([]);
  const reply = await find(person, person.direct, { photo: await readFrame("alpha", 3) }, /^Alpha Show/);
  // Inline results show files that Telegram has, and the clip can arrive after the still.
  await reply.becomes(({ media }) => media?.kind === "video");
  const found = await person.asksInline("alp").response();
  expect(found.results.map(({ type, title }) => [type, title])).toEqual([
    ["video", "Alpha Show"],
    ["article", "Alpha Show"],
  ]);
  const [first] = found.results;
  if (first !== undefined) expect((await person.picks(first, group)).text).toContain("Alpha Show");
  expect((await join().person.asksInline("").response()).results).toEqual([]);
  await fake.updates.settled();
});

import { guestQuota } from "@koma/bot-core/testing/account";
import { readFrame } from "@koma/bot-core/testing/open-world";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { toFilm, toThumbnail, toVideoSticker, toWebp } from "../fixtures/files.ts";
import { openWorld, type World } from "../fixtures/world.ts";
import type { Chat, Message, User, Written } from "../stand-in/index.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld({ api: { KOMA_GUEST_SEARCHES_PER_DAY: "100" } });
});
afterAll(async () => {
  expect(world.standIn.violations).toEqual([]);
  expect(world.standIn.warnings).toEqual([]);
  expect(world.log()).not.toContain(world.standIn.token);
  await world.close();
});

let people = 0;

function join(): { person: User; group: Chat } {
  const person = world.standIn.createUser({ name: `Person ${++people}`, language: "en" });
  return { person, group: world.standIn.createGroup({ members: [person] }) };
}

async function paid(person: User): Promise<number> {
  const botKey = await world.botKey();
  const { limit, remaining } = await guestQuota(world.apiUrl(), {
    botKey,
    chatUser: `telegram:${person.id}`,
  });
  return limit - remaining;
}

/** Sends it, and sees one answer that names the anime, paid for once. */
async function find(person: User, chat: Chat, written: Written, title: RegExp): Promise<Message> {
  const before = await paid(person);
  const asked = await person.sends(chat, written);
  const answer = await asked.reply();
  expect(answer.text).toMatch(title);
  await world.standIn.updates.settled();
  expect(asked.replies).toHaveLength(1);
  await world.standIn.waitUntil(() => asked.reactions.length === 0, "the sign of work to go");
  expect(await paid(person)).toBe(before + 1);
  return answer;
}

describe("in private", () => {
  const kinds: { [kind: string]: (picture: Uint8Array) => Promise<Written> } = {
    photo: async (picture) => ({ photo: picture }),
    "picture as a file": async (bytes) => ({ document: { bytes, name: "a.jpg" } }),
    GIF: async (picture) => ({ animation: { bytes: await toFilm(picture), name: "a.mp4" } }),
    video: async (picture) => ({ video: { bytes: await toFilm(picture), name: "a.mp4" } }),
    "video message": async (picture) => ({ videoNote: { bytes: await toFilm(picture) } }),
    "static sticker": async (picture) => ({ sticker: { kind: "static", bytes: await toWebp(picture) } }),
    "video sticker": async (picture) => ({
      sticker: { kind: "video", bytes: await toVideoSticker(picture) },
    }),
    "animated sticker": async (picture) => {
      const sticker = { bytes: new Uint8Array([31, 139, 8]), thumbnail: await toThumbnail(picture) };
      return { sticker: { kind: "animated", ...sticker } };
    },
    "video as a file": async (picture) => ({ document: { bytes: await toFilm(picture), name: "a.mkv" } }),
  };

  test.each(Object.keys(kinds))("%s", async (kind) => {
    const { person } = join();
    const written = await kinds[kind]?.(await readFrame("alpha", 3));
    const answer = await find(person, person.direct, written ?? {}, /^Alpha Show/);
    expect(answer.media?.kind).toBe("video");
  });

  test("a film over 20 MB: its small preview, and that is said", async () => {
    const { person } = join();
    const thumbnail = await toThumbnail(await readFrame("alpha", 4));
    const video = { bytes: new Uint8Array(100), size: 30 * 1024 * 1024, thumbnail, name: "long.mp4" };
    const answer = await find(person, person.direct, { video }, /^Alpha Show/);
    expect(answer.text).toContain("over 20 MB");
  });

  test("a film over 20 MB whose size is not told: its small preview, and that is said", async () => {
    const { person } = join();
    const thumbnail = await toThumbnail(await readFrame("beta", 4));
    const video = { bytes: new Uint8Array(100), size: 30 * 1024 * 1024, isSizeUntold: true, thumbnail };
    const answer = await find(person, person.direct, { video }, /^Beta Show/);
    expect(answer.text).toContain("over 20 MB");
  });

  test.each([false, true])("a file over 20 MB without a preview, size untold: %s", async (isSizeUntold) => {
    const { person } = join();
    const document = { bytes: new Uint8Array(100), size: 21 * 1024 * 1024, isSizeUntold, name: "a.bin" };
    const asked = await person.sends(person.direct, { document });
    const { text } = await asked.reply();
    expect(text).toContain("20 MB");
    expect(text).not.toContain("50 MB");
  });

  test("an album: one answer, and each picture on its own page", async () => {
    const { person } = join();
    const album = [{ photo: await readFrame("alpha", 1) }, { photo: await readFrame("beta", 1) }];
    const asked = await person.sends(person.direct, { album });
    const answer = await asked.reply(({ text }) => text.includes("Alpha Show"));
    expect(answer.text).toContain("Picture 1 of 2");
    person.presses(answer.button(/Next picture/));
    await answer.becomes(({ text }) => text.startsWith("Beta Show") && text.includes("Picture 2 of 2"));
    await world.standIn.updates.settled();
    expect(person.direct.answers).toHaveLength(1);
    expect(await paid(person)).toBe(2);
  });

  test("a forwarded picture", async () => {
    const { person, group } = join();
    const shown = await person.sends(group, { photo: await readFrame("cards", 3) });
    await find(person, person.direct, { forward: shown }, /^Cards/);
  });

  test("words of the caption, whole ones only", async () => {
    const { person } = join();
    const photo = await readFrame("beta", 3);
    const quiet = await find(person, person.direct, { photo, text: "TEXT, please" }, /^Beta Show/);
    expect(quiet.media).toBeUndefined();
    const asked = await person.sends(person.direct, { photo: await readFrame("beta", 4), text: "context" });
    const shown = await asked.reply();
    expect(shown.media?.kind).toBe("video");
  });

  test("a spoiler stays one", async () => {
    const { person } = join();
    const photo = await readFrame("alpha", 5);
    const answer = await find(person, person.direct, { photo, hasSpoiler: true }, /^Alpha Show/);
    expect(answer.media?.hasSpoiler).toBe(true);
    expect(answer.entities.some(({ type }) => type === "spoiler")).toBe(true);
  });

  test("the same picture again costs nothing", async () => {
    const { person } = join();
    const photo = await readFrame("alpha", 6);
    await find(person, person.direct, { photo }, /^Alpha Show/);
    const again = await person.sends(person.direct, { photo });
    await again.reply(({ text }) => text.includes("free"));
    expect(await paid(person)).toBe(1);
  });

  test("an address: the API fetches it, behind its guard", async () => {
    const { person } = join();
    const url = world.standIn.hostFile({ name: "a.jpg", bytes: await readFrame("alpha", 2) });
    const asked = await person.sends(person.direct, `look ${url}`);
    expect((await asked.reply()).text).toMatch(/address/i);
  });

  test("an animated sticker without a picture of it", async () => {
    const { person } = join();
    const bytes = new Uint8Array([31, 139, 8]);
    const asked = await person.sends(person.direct, { sticker: { kind: "animated", bytes } });
    expect((await asked.reply()).text).toContain("no picture in this message");
  });

  test("a text that calls itself a picture, and a sound", async () => {
    const { person } = join();
    const bytes = new TextEncoder().encode("no picture at all");
    const asked = await person.sends(person.direct, { document: { bytes, name: "a.png" } });
    expect((await asked.reply()).text).toContain("can't read this file");
    const voice = await person.sends(person.direct, { voice: { bytes, name: "a.ogg" } });
    expect((await voice.reply()).text).toContain("can't read this file");
    expect(await paid(person)).toBe(0);
  });
});

describe("in groups", () => {
  test("a mention with the picture", async () => {
    const { person, group } = join();
    await find(person, group, { photo: await readFrame("alpha", 2), text: "@koma_bot" }, /^Alpha Show/);
  });

  test("/find in answer to a picture, also one of another chat", async () => {
    const { person, group } = join();
    const shown = await person.sends(group, { photo: await readFrame("beta", 2) });
    await find(person, group, { text: "/find@koma_bot mute", replyTo: shown }, /^Beta Show/);
    const other = world.standIn.createGroup({ members: [person] });
    const message = await person.sends(other, { photo: await readFrame("cards", 2) });
    await find(person, group, { text: "@koma_bot", externalReply: { message } }, /^Cards/);
  });

  test("without privacy mode nothing else is answered, nor commands of other bots", async () => {
    const { person, group } = join();
    group.promoteBot();
    const photo = await readFrame("alpha", 1);
    await person.sends(group, { photo });
    await person.sends(group, { photo, text: "/find@other_bot" });
    await person.sends(group, { album: [{ photo }, { photo: await readFrame("beta", 1) }] });
    await person.sends(group, "hello");
    await person.sends(group, "and @other_bot");
    // Later than any album waits for its other pictures.
    const last = await person.sends(group, { photo: await readFrame("beta", 4), text: "@koma_bot" });
    await last.reply();
    await world.standIn.updates.settled(1_000);
    expect(group.answers).toHaveLength(1);
    expect(await paid(person)).toBe(1);
  });

  test("an album that names the bot", async () => {
    const { person, group } = join();
    group.promoteBot();
    const album = [
      { photo: await readFrame("alpha", 1), text: "@koma_bot" },
      { photo: await readFrame("beta", 1) },
    ];
    const asked = await person.sends(group, { album });
    const answer = await asked.reply();
    expect(answer.text).toContain("Picture 1 of 2");
    await world.standIn.updates.settled();
    expect(group.answers).toHaveLength(1);
  });

  test("a picture in answer to the bot is a question, thanks are none", async () => {
    const { person, group } = join();
    const photo = await readFrame("alpha", 4);
    const first = await find(person, group, { photo, text: "@koma_bot" }, /^Alpha Show/);
    await find(person, group, { photo: await readFrame("beta", 4), replyTo: first }, /^Beta Show/);
    await person.sends(group, { text: "thanks", replyTo: first });
    await world.standIn.updates.settled(500);
    expect(group.answers).toHaveLength(2);
  });

  test("in a topic the answer stands in the topic", async () => {
    const person = world.standIn.createUser({ name: "Topic", language: "en" });
    const group = world.standIn.createGroup({ members: [person], isForum: true });
    const topic = group.topic("Which one");
    const photo = await readFrame("alpha", 2);
    const answer = await find(person, group, { photo, text: "@koma_bot", topic }, /^Alpha Show/);
    expect(answer.topicId).toBe(topic.id);
  });
});

test("guest mode: words, and the clip in the private chat", async () => {
  const { standIn } = world;
  const ann = standIn.createUser({ name: "Ann", language: "en" });
  const bob = standIn.createUser({ name: "Bob", language: "en" });
  const between = standIn.createPrivate(ann, bob);
  const answer = await find(
    ann,
    between,
    { photo: await readFrame("beta", 5), text: "@koma_bot" },
    /^Beta Show/,
  );
  expect(answer.guestOf).toBe(ann.id);
  ann.presses(answer.button(/Next/));
  await answer.becomes(({ text }) => !text.startsWith("Beta Show"));
  await ann.opens(answer.button(/Clip/));
  await ann.direct.waitForMessage(({ media }) => media?.kind === "video");
});

test("inline mode: one's own results", async () => {
  const { standIn } = world;
  const { person, group } = join();
  const nothing = await person.asksInline("").answered();
  expect(nothing.results).toEqual([]);
  await find(person, person.direct, { photo: await readFrame("alpha", 3) }, /^Alpha Show/);
  const found = await person.asksInline("alp").answered();
  expect(found.results.map(({ type, title }) => [type, title])).toEqual([["video", "Alpha Show"]]);
  const [first] = found.results;
  if (first !== undefined) expect((await person.picks(first, group)).text).toContain("Alpha Show");
  expect((await join().person.asksInline("").answered()).results).toEqual([]);
  await standIn.updates.settled();
});

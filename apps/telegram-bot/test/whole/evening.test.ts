import { type Account, guestQuota, signUp } from "@koma/bot-core/testing/account";
import { type FilmName, films } from "@koma/bot-core/testing/films";
import { inTurns } from "@koma/bot-core/testing/in-turns";
import { readFrame } from "@koma/bot-core/testing/open-world";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { toWebp } from "../fixtures/files.ts";
import { openWorld, type World } from "../fixtures/world.ts";
import type { Chat, Message, User, Written } from "../stand-in/index.ts";

/** What a stranger gets a day, and an account. */
const guestSearches = 3;
const freeCredits = 3;
const patienceMs = 180_000;

let world: World;
let groups: Chat[];
beforeAll(async () => {
  world = await openWorld({
    standIn: { patienceMs, hasRateLimits: true },
    api: {
      KOMA_GUEST_SEARCHES_PER_DAY: String(guestSearches),
      KOMA_FREE_CREDITS_PER_DAY: String(freeCredits),
    },
  });
  groups = [1, 2, 3, 4, 5].map((n) => world.standIn.createGroup({ title: `Group ${n}` }));
});
afterAll(() => world.close());

/** One question and what came of it. */
type Question = { who: User; what: string; expected: RegExp; asked: Message };

const questions: Question[] = [];
/** Searches that each person must have paid for, as a guest. */
const guestCosts = new Map<User, number>();
let people = 0;

function join(): { person: User; group: Chat } {
  const person = world.standIn.createUser({ name: `Person ${++people}`, language: "en" });
  const group = groups[people % groups.length];
  group?.addMember(person);
  guestCosts.set(person, 0);
  return { person, group: group ?? person.direct };
}

const titleOf = (film: FilmName) => new RegExp(films[film].title);

/** Sends it and waits for the answer. */
async function ask(person: User, chat: Chat, written: Written | string, expected: RegExp): Promise<Message> {
  const asked = await person.sends(chat, written);
  const what = typeof written === "string" ? written : Object.keys(written).join(" ");
  questions.push({ who: person, what, expected, asked });
  try {
    return await asked.reply(({ text }) => expected.test(text));
  } catch {
    const texts = asked.replies.map(({ text }) => text);
    const told = world.log().split("\n").slice(-30).join("\n");
    throw new Error(`${person.name}, ${what}: ${JSON.stringify(texts)}, not ${expected}\n${told}`);
  }
}

function pays(person: User, count = 1): void {
  guestCosts.set(person, (guestCosts.get(person) ?? 0) + count);
}

async function link(person: User, account: Account): Promise<void> {
  const isFresh = freshIn(person.direct);
  await person.starts("link");
  const offer = await person.direct.waitForMessage(
    (one) => isFresh(one) && /[A-Z]{4}-[A-Z]{4}/.test(one.text),
  );
  await account.approve(/[A-Z]{4}-[A-Z]{4}/.exec(offer.text)?.[0] ?? "");
  await person.direct.waitForMessage(({ text }) => text.startsWith("Connected"));
}

function freshIn({ history }: Chat): (message: Message) => boolean {
  const before = new Set(history.map(({ id }) => id));
  return ({ id, author }) => author.isBot && !before.has(id);
}

test("an evening of fifty people", async () => {
  const { standIn } = world;
  const linked: { person: User; account: Account; spent: number }[] = [];

  const byDirect = async (film: FilmName, at: number) => {
    const { person } = join();
    pays(person);
    await ask(person, person.direct, { photo: await readFrame(film, at) }, titleOf(film));
  };
  const byMention = async (film: FilmName, at: number) => {
    const { person, group } = join();
    pays(person);
    const photo = await readFrame(film, at);
    return { person, message: await ask(person, group, { photo, text: "@koma_bot" }, titleOf(film)) };
  };
  const byCommand = async (film: FilmName, at: number) => {
    const { person, group } = join();
    pays(person);
    const other = join().person;
    group.addMember(other);
    const replyTo = await other.sends(group, { photo: await readFrame(film, at) });
    await ask(person, group, { text: "/find@koma_bot", replyTo }, titleOf(film));
  };
  const bySticker = async (film: FilmName, at: number) => {
    const { person } = join();
    pays(person);
    const sticker = { kind: "static" as const, bytes: await toWebp(await readFrame(film, at)) };
    await ask(person, person.direct, { sticker }, titleOf(film));
  };
  const byAlbum = async (one: FilmName, other: FilmName) => {
    const { person } = join();
    pays(person, 2);
    const album = [{ photo: await readFrame(one, 2) }, { photo: await readFrame(other, 4) }];
    const answer = await ask(
      person,
      person.direct,
      { album },
      new RegExp(`${films[one].title}|Picture 2 of 2`),
    );
    await person.presses(answer.button(/Next picture/)).answered();
    await answer.becomes(({ text }) => titleOf(other).test(text) && text.includes("Picture 2 of 2"));
    await person.presses(answer.button(/Previous picture/)).answered();
    await answer.becomes(({ text }) => titleOf(one).test(text));
  };
  const byPaging = async (film: FilmName) => {
    const { person, message } = await byMention(film, 2);
    const stranger = join().person;
    message.chat.addMember(stranger);
    const refused = await stranger.presses(message.button(/Next/)).answered();
    expect(refused).toMatchObject({
      isAlert: true,
      text: expect.stringMatching(/Only the person who asked/),
    });
    await person.presses(message.button(/Next/)).answered();
    await message.becomes(({ text }) => !titleOf(film).test(text));
    await person.presses(message.button(/Previous/)).answered();
    await message.becomes(({ text }) => titleOf(film).test(text));
    await person.presses(message.button(/That's it/)).answered();
    await message.becomes(({ buttons }) => buttons.some(({ text }) => text.endsWith("✓")));
  };
  const byAccount = async (film: FilmName) => {
    const { person, group } = join();
    const account = await signUp(world.apiUrl(), `linked${people}`);
    await link(person, account);
    linked.push({ person, account, spent: freeCredits });
    for (const at of [1, 2, 3]) {
      await ask(person, group, { photo: await readFrame(film, at), text: "@koma_bot" }, titleOf(film));
    }
    const photo = await readFrame(film, 4);
    await ask(person, group, { photo, text: "@koma_bot" }, /credits are used up/);
  };
  const byRevokedKey = async (film: FilmName) => {
    const { person } = join();
    const account = await signUp(world.apiUrl(), `revoked${people}`);
    await link(person, account);
    linked.push({ person, account, spent: 1 });
    await ask(person, person.direct, { photo: await readFrame(film, 1) }, titleOf(film));
    const [key] = await account.listKeys();
    expect(key?.title).toBe(`Telegram: ${person.name}`);
    await account.deleteKey(key?.id ?? "");
    await ask(person, person.direct, { photo: await readFrame(film, 2) }, /no longer connected/);
    pays(person);
    await ask(person, person.direct, { photo: await readFrame(film, 3) }, titleOf(film));
  };
  const byGuestWithout = async (film: FilmName) => {
    const { person, group } = join();
    for (const at of [1, 2, 3]) {
      pays(person);
      await ask(person, group, { photo: await readFrame(film, at), text: "@koma_bot" }, titleOf(film));
    }
    const photo = await readFrame(film, 5);
    await ask(person, group, { photo, text: "@koma_bot" }, /free searches for today are used up/);
  };
  const byStrangePicture = async () => {
    const { person } = join();
    pays(person);
    const noise = { type: "gaussian" as const, mean: 128, sigma: 40 };
    const strange = sharp({ create: { width: 640, height: 360, channels: 3, background: "#fff", noise } });
    const photo = new Uint8Array(await strange.jpeg().toBuffer());
    await ask(person, person.direct, { photo }, /not sure|couldn't find/);
  };

  // Limits and failures of Telegram's, while all of this goes on.
  const trouble = (async () => {
    await standIn.waitUntil(() => questions.length > 12, "the evening to begin");
    const [group] = groups;
    if (group)
      standIn.faults.rateLimit({ method: ["sendVideo", "sendMessage"], chat: group, retryAfterSeconds: 2 });
    standIn.faults.fail({ method: "sendVideo", status: 502, times: 2 });
    standIn.faults.hangUp({ method: "getUpdates", times: 1 });
    standIn.faults.failDownloads({ status: 500, times: 1 });
    standIn.updates.deliverAgain();
  })();

  const seconds = [1, 2, 3, 4, 5, 6];
  const kinds: FilmName[] = ["alpha", "beta", "cards"];
  const filmAt = (index: number) => kinds[index % kinds.length] ?? "alpha";
  const stories = [
    ...[() => byStrangePicture(), () => byAlbum("alpha", "cards"), () => byAlbum("cards", "beta")],
    ...[() => byAccount("alpha"), () => byRevokedKey("cards"), () => byGuestWithout("alpha")],
    ...[() => byPaging("alpha"), () => byPaging("beta"), () => byAccount("beta")],
    ...seconds.flatMap((at, index) => [
      ...[() => byDirect(filmAt(index), at), () => byMention(filmAt(index + 1), at)],
      ...[() => byCommand(filmAt(index + 2), at), () => bySticker(filmAt(index), at)],
    ]),
  ];
  await Promise.all([inTurns(stories, 10), trouble]);

  // What is for adults: neutral words for all, the scene for the asker alone; in private at once.
  const curious = join();
  await curious.person.starts();
  pays(curious.person);
  const photo = await readFrame("night", 3);
  const isFresh = freshIn(curious.person.direct);
  const neutral = await ask(curious.person, curious.group, { photo, text: "@koma_bot" }, /can't show/);
  expect(neutral.text).not.toMatch(titleOf("night"));
  await curious.person.direct.waitForMessage((one) => isFresh(one) && titleOf("night").test(one.text));

  // The API is away for a while: everybody is told, nobody pays, and asking again works.
  await world.stopApi();
  const unlucky = [join(), join(), join()];
  for (const { person } of unlucky) {
    await ask(person, person.direct, { photo: await readFrame("cards", 2) }, /can't be reached/);
  }
  await world.startApi();
  for (const { person } of unlucky) {
    pays(person);
    await ask(person, person.direct, { photo: await readFrame("cards", 2) }, titleOf("cards"));
  }

  // The bot is killed in the middle, and started again.
  const patient = [join(), join(), join(), join()];
  const answers = patient.map(async ({ person }, index) => {
    pays(person);
    await ask(person, person.direct, { photo: await readFrame(filmAt(index), 5) }, titleOf(filmAt(index)));
  });
  await standIn.waitUntil(() =>
    standIn.calls.some(({ method, at }) => method === "getFile" && at > Date.now() - 500),
  );
  await world.stopBot("SIGKILL");
  await world.startBot();
  await Promise.all(answers);
  await standIn.updates.settled();

  expect(people).toBeGreaterThanOrEqual(40);
  // Exactly one right answer each.
  for (const { who, what, expected, asked } of questions) {
    const texts = asked.replies.filter(({ replyToId }) => replyToId !== undefined).map(({ text }) => text);
    expect(texts, `${who.name}, ${what}`).toEqual([expect.stringMatching(expected)]);
  }
  // Nothing is charged twice, and nobody's key serves another.
  const botKey = await world.botKey();
  for (const [person, cost] of guestCosts) {
    const { limit, remaining } = await guestQuota(world.apiUrl(), {
      botKey,
      chatUser: `telegram:${person.id}`,
    });
    expect(limit - remaining, `${person.name} as a guest`).toBe(cost);
  }
  for (const { person, account, spent } of linked) {
    expect(await account.usedCredits(), person.name).toBe(spent);
    expect(await account.listSearches(), person.name).toHaveLength(spent);
  }
  expect(standIn.violations).toEqual([]);
  expect(standIn.warnings).toEqual([]);
  expect(world.log()).not.toContain(standIn.token);
  expect(world.log()).not.toMatch(/koma_\w{10}/);
}, 900_000);

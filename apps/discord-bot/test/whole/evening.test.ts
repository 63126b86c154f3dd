import { type Account, guestQuota, signUp } from "@koma/bot-core/testing/account";
import type { FilmName } from "@koma/bot-core/testing/films";
import { films } from "@koma/bot-core/testing/films";
import { inTurns } from "@koma/bot-core/testing/in-turns";
import { readFrame } from "@koma/bot-core/testing/open-world";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openWorld, type World } from "../fixtures/world.ts";
import type { Channel, Guild, Interaction, Message, OwnFile, User } from "../stand-in/index.ts";

/** What a stranger gets a day, and an account. */
const guestSearches = 3;
const freeCredits = 3;
const patienceMs = 180_000;

let world: World;
let guilds: Guild[];
beforeAll(async () => {
  world = await openWorld({
    standIn: { patienceMs, hasRateLimits: true, heartbeatMs: 2_000 },
    api: {
      KOMA_GUEST_SEARCHES_PER_DAY: String(guestSearches),
      KOMA_FREE_CREDITS_PER_DAY: String(freeCredits),
    },
  });
  guilds = [1, 2, 3, 4, 5].map((n) => world.standIn.createGuild({ name: `Server ${n}` }));
});
afterAll(() => world.close());

/** One question and what came of it. */
type Question = { who: User; what: string; expected: RegExp; answers: () => Message[] };

const questions: Question[] = [];
/** Searches that each person must have paid for, as a guest. */
const guestCosts = new Map<User, number>();
let people = 0;

function join(): { person: User; channel: Channel } {
  const person = world.standIn.createUser({ name: `Person ${++people}` });
  const guild = guilds[people % guilds.length];
  guild?.addMember(person);
  guestCosts.set(person, 0);
  return { person, channel: guild?.channel("general") ?? person.direct };
}

async function picture(film: FilmName, atSeconds: number, more: Partial<OwnFile> = {}): Promise<OwnFile> {
  return { name: `${film}.jpg`, bytes: await readFrame(film, atSeconds), ...more };
}

const titleOf = (film: FilmName) => new RegExp(films[film].title);

/**
 * Waits for the one answer to a command, button or form: there, or, where the gateway was away for longer than Discord waits,
 * in a message of the bot that names the asker.
 */
async function follow(interaction: Interaction, what: string, expected: RegExp): Promise<Message> {
  const { channel, user, id } = interaction;
  const isIts = (message: Message) =>
    message.interactionId === id ||
    (message.interactionId === undefined && isAfter(message.id, id) && isFor(message, user));
  // Where the bot is no member, it writes directly.
  const places = channel === user.direct ? [channel] : [channel, user.direct];
  const seen = () => places.flatMap(({ history }) => history.filter((one) => one.author.isBot && isIts(one)));
  const before = new Set(seen().map((one) => one.id));
  // A message that is changed later pings nobody any more, and is the answer all the same.
  const found = new Set<string>();
  const answers = () => {
    for (const { id: own } of seen()) if (!before.has(own)) found.add(own);
    const all = places.flatMap(({ history }) => history);
    return all.filter((one) => found.has(one.id) && !one.isDeleted && !one.isThinking);
  };
  return await waitFor({ who: user, what, expected, answers });
}

function isFor({ pings, channel, referenceId }: Message, user: User): boolean {
  return pings.includes(user.id) || (channel === user.direct && referenceId === undefined);
}

function isAfter(a: string, b: string): boolean {
  return BigInt(a) > BigInt(b);
}

/** Waits for the one answer to a message, in its channel or in private. */
async function answerTo(written: Message, who: User, what: string, expected: RegExp): Promise<Message> {
  const { channel } = written;
  const answers = () => channel.history.filter((one) => one.author.isBot && one.referenceId === written.id);
  return await waitFor({ who, what, expected, answers });
}

async function waitFor(question: Question): Promise<Message> {
  const { who, what, expected, answers } = question;
  questions.push(question);
  try {
    await world.standIn.waitUntil(() => answers().some(({ text }) => expected.test(text)));
  } catch {
    const texts = answers().map(({ text }) => text);
    const told = world.log().split("\n").slice(-30).join("\n");
    throw new Error(`${who.name}, ${what}: ${JSON.stringify(texts)}, not ${expected}\n${told}`);
  }
  const [answer] = answers();
  if (answer === undefined) throw new Error("no answer");
  return answer;
}

function pays(person: User, count = 1): void {
  guestCosts.set(person, (guestCosts.get(person) ?? 0) + count);
}

async function link(person: User, account: Account, channel: Channel): Promise<void> {
  const interaction = person.slash("link", {}, { channel });
  const offer = await interaction.replyWhere(({ text }) => /[A-Z]{4}-[A-Z]{4}/.test(text));
  expect(offer.visibleTo ?? person.id).toBe(person.id);
  await account.approve(/[A-Z]{4}-[A-Z]{4}/.exec(offer.text)?.[0] ?? "");
  await interaction.replyWhere(({ text }) => text.includes("Connected"));
}

test("an evening of fifty people", async () => {
  const { standIn } = world;
  const linked: { person: User; account: Account; spent: number }[] = [];

  const bySlash = async (film: FilmName, atSeconds: number) => {
    const { person, channel } = join();
    pays(person);
    const asked = person.slash("find", { image: await picture(film, atSeconds) }, { channel });
    return { person, channel, message: await follow(asked, "slash", titleOf(film)) };
  };
  const byMenu = async (film: FilmName, atSeconds: number) => {
    const { person, channel } = join();
    pays(person);
    const shown = person.sendMessage(channel, { attachments: [await picture(film, atSeconds)] });
    await follow(person.messageCommand("Find anime scene", shown), "menu", titleOf(film));
  };
  const byMention = async (film: FilmName, atSeconds: number) => {
    const { person, channel } = join();
    pays(person);
    const file = await picture(film, atSeconds);
    const shown = atSeconds % 2 === 0 ? person.sendMessage(channel, { attachments: [file] }) : undefined;
    const written = person.sendMessage(channel, {
      ...{ mentionsBot: true, content: "which one?" },
      ...(shown === undefined ? { attachments: [file] } : { replyTo: shown }),
    });
    await answerTo(written, person, "mention", titleOf(film));
  };
  const byDirect = async (film: FilmName, atSeconds: number) => {
    const { person } = join();
    pays(person);
    const written = person.sendMessage(person.direct, { attachments: [await picture(film, atSeconds)] });
    await answerTo(written, person, "direct", titleOf(film));
  };
  const byPaging = async (film: FilmName) => {
    const { person, channel, message } = await bySlash(film, 2);
    const stranger = join().person;
    const guild = guilds.find((one) => one.channels.includes(channel));
    guild?.addMember(stranger);
    const next = message.button("Next").customId ?? "";
    const refused = await follow(
      stranger.pressButton(message, next),
      "stranger",
      /Only the person who asked/,
    );
    expect(refused.visibleTo).toBe(stranger.id);
    await person.pressButton(message, next).replyWhere(({ text }) => !titleOf(film).test(text));
    const back = message.button("Previous").customId ?? "";
    await person.pressButton(message, back).replyWhere(({ text }) => titleOf(film).test(text));
    const right = message.button("That's it").customId ?? "";
    await person.pressButton(message, right).replyWhere(() => message.button("That's it").isDisabled);
  };
  const byAccount = async (film: FilmName) => {
    const { person, channel } = join();
    const account = await signUp(world.apiUrl(), `linked${people}`);
    await link(person, account, channel);
    linked.push({ person, account, spent: freeCredits });
    for (const atSeconds of [1, 2, 3]) {
      const asked = person.slash("find", { image: await picture(film, atSeconds) }, { channel });
      await follow(asked, "own account", titleOf(film));
    }
    const image = await picture(film, 4);
    await follow(person.slash("find", { image }, { channel }), "no credits", /credits are used up/);
    // The same picture again is the first answer again.
    const again = await picture(film, 1);
    await follow(person.slash("find", { image: again }, { channel }), "again", titleOf(film));
  };
  const byRevokedKey = async (film: FilmName) => {
    const { person, channel } = join();
    const account = await signUp(world.apiUrl(), `revoked${people}`);
    await link(person, account, channel);
    linked.push({ person, account, spent: 1 });
    await follow(person.slash("find", { image: await picture(film, 1) }, { channel }), "own", titleOf(film));
    const [key] = await account.listKeys();
    expect(key?.title).toBe(`Discord: ${person.name}`);
    await account.deleteKey(key?.id ?? "");
    const image = await picture(film, 2);
    await follow(person.slash("find", { image }, { channel }), "revoked", /no longer connected/);
    // From now on a guest, and told so.
    pays(person);
    const asked = person.slash("find", { image: await picture(film, 3) }, { channel });
    await follow(asked, "guest again", titleOf(film));
  };
  const byGuestWithout = async (film: FilmName) => {
    const { person, channel } = join();
    for (const atSeconds of [1, 2, 3]) {
      pays(person);
      const asked = person.slash("find", { image: await picture(film, atSeconds) }, { channel });
      await follow(asked, "guest", titleOf(film));
    }
    const image = await picture(film, 5);
    await follow(
      person.slash("find", { image }, { channel }),
      "used up",
      /free searches for today are used up/,
    );
  };

  // A drop of the gateway and limits of Discord's, while all of this goes on.
  const trouble = (async () => {
    await standIn.waitUntil(() => questions.length > 12, "the evening to begin");
    standIn.faults.rateLimit({ route: /PATCH .*@original/, retryAfterSeconds: 1, times: 2 });
    standIn.gateway.drop();
    await standIn.gateway.resumed();
    standIn.faults.fail({ route: "POST /channels/{channel_id}/messages", status: 502, times: 2 });
  })();

  const seconds = [1, 2, 3, 4, 5, 6, 1, 2, 3];
  const kinds: FilmName[] = ["alpha", "beta", "cards"];
  const filmAt = (index: number) => kinds[index % kinds.length] ?? "alpha";
  // Brought along into a server that the bot is no member of.
  const byInstalling = async (film: FilmName) => {
    const { person } = join();
    person.install();
    pays(person);
    const foreign = standIn.createGuild({ owner: person, hasBot: false }).channel("general");
    const asked = person.slash("find", { image: await picture(film, 5) }, { channel: foreign });
    await follow(asked, "installed", titleOf(film));
  };
  const byStrangePicture = async () => {
    const { person, channel } = join();
    pays(person);
    const noise = { type: "gaussian" as const, mean: 128, sigma: 40 };
    const strange = sharp({ create: { width: 640, height: 360, channels: 3, background: "#fff", noise } });
    const image = { name: "strange.jpg", bytes: new Uint8Array(await strange.jpeg().toBuffer()) };
    await follow(person.slash("find", { image }, { channel }), "strange", /not sure|couldn't find/);
  };
  const stories = [
    ...[() => byInstalling("beta"), () => byStrangePicture()],
    ...[() => byAccount("alpha"), () => byRevokedKey("cards"), () => byGuestWithout("alpha")],
    ...[() => byPaging("alpha"), () => byPaging("beta"), () => byAccount("beta")],
    ...seconds.flatMap((at, index) => [
      ...[() => bySlash(filmAt(index), at), () => byMenu(filmAt(index + 1), at)],
      ...[() => byMention(filmAt(index + 2), at), () => byDirect(filmAt(index), at)],
    ]),
  ];
  await Promise.all([inTurns(stories, 10), trouble]);

  // A picture of 12 MB, and words that call themselves a picture.
  const large = join();
  pays(large.person);
  const frame = sharp(await readFrame("beta", 4))
    .resize(2400, 1800)
    .png({ compressionLevel: 0 });
  const bytes = new Uint8Array(await frame.toBuffer());
  expect(bytes.length).toBeGreaterThan(12_000_000);
  const image = { name: "large.png", bytes };
  await follow(large.person.slash("find", { image }, { channel: large.channel }), "12 MB", titleOf("beta"));
  const joker = join();
  const words = { name: "scene.png", bytes: new TextEncoder().encode("no picture at all") };
  const asked = joker.person.slash("find", { image: words }, { channel: joker.channel });
  await follow(asked, "text named .png", /can't read this file/);

  // What is for adults: neutral words for all, the scene for the asker alone; in direct messages at once.
  const curious = join();
  pays(curious.person);
  const night = curious.person.slash(
    "find",
    { image: await picture("night", 3) },
    { channel: curious.channel },
  );
  const neutral = await night.reply();
  expect([neutral.text, neutral.isEphemeral]).toEqual([expect.stringContaining("can't show"), false]);
  expect(neutral.text).not.toMatch(titleOf("night"));
  const alone = await night.followUp();
  expect([alone.text, alone.visibleTo]).toEqual([expect.stringContaining("Night Garden"), curious.person.id]);

  // The API is away for a while: everybody is told, nobody pays, and asking again works.
  await world.stopApi();
  const unlucky = [join(), join(), join()];
  for (const { person, channel } of unlucky) {
    const file = await picture("cards", 2);
    await follow(person.slash("find", { image: file }, { channel }), "API away", /can't be reached/);
  }
  await world.startApi();
  for (const { person, channel } of unlucky) {
    pays(person);
    const file = await picture("cards", 2);
    await follow(person.slash("find", { image: file }, { channel }), "API back", titleOf("cards"));
  }

  expect(people).toBeGreaterThanOrEqual(50);
  // Exactly one right answer each.
  for (const { who, what, expected, answers } of questions) {
    const texts = answers().map(({ text }) => text);
    expect(texts, `${who.name}, ${what}`).toEqual([expect.stringMatching(expected)]);
  }
  // Nothing is charged twice, and nobody's key serves another.
  const botKey = await world.botKey();
  for (const [person, cost] of guestCosts) {
    const { limit, remaining } = await guestQuota(world.apiUrl(), {
      botKey,
      chatUser: `discord:${person.id}`,
    });
    expect(limit - remaining, `${person.name} as a guest`).toBe(cost);
  }
  for (const { person, account, spent } of linked) {
    expect(await account.usedCredits(), person.name).toBe(spent);
    expect(await account.listSearches(), person.name).toHaveLength(spent);
  }
  expect(standIn.gateway.resumeCount).toBeGreaterThan(0);
  expect(standIn.gateway.identifyCount).toBe(1);
  expect(standIn.violations).toEqual([]);
  expect(standIn.warnings).toEqual([]);
  expect(world.log()).not.toContain(standIn.token);
  expect(world.log()).not.toMatch(/koma_\w{10}/);
}, 900_000);

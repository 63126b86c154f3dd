import { type Account, guestQuota, signUp } from "@koma/bot-core/testing/account";
import { inTurns } from "@koma/bot-core/testing/in-turns";
import { readFrame } from "@koma/bot-core/testing/open-test-env";
import { createReplyTimes } from "@koma/bot-core/testing/reply-times";
import type { VideoName } from "@koma/bot-core/testing/videos";
import { videos } from "@koma/bot-core/testing/videos";
import type { Channel, Guild, Interaction, Message, OwnFile, User } from "@koma/fake-discord";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestEnv, type TestEnv } from "../fixtures/test-env.ts";

/** The daily searches of a guest and of a user with an account. */
const guestSearches = 3;
const freeCredits = 3;
const patienceMs = 180_000;

let testEnv: TestEnv;
let guilds: Guild[];
beforeAll(async () => {
  testEnv = await openTestEnv({
    fake: { patienceMs, hasRateLimits: true, heartbeatMs: 2_000 },
    api: {
      KOMA_GUEST_SEARCHES_PER_DAY: String(guestSearches),
      KOMA_FREE_CREDITS_PER_DAY: String(freeCredits),
    },
  });
  guilds = [1, 2, 3, 4, 5].map((n) => testEnv.fake.createGuild({ name: `Server ${n}` }));
});
afterAll(() => testEnv.close());

/** One request and its outcome. */
type Question = { who: User; what: string; expected: RegExp; replies: () => Message[] };

const questions: Question[] = [];
const times = createReplyTimes();
const clips: Promise<void>[] = [];
/** The number of searches that each guest must have been charged for. */
const guestCosts = new Map<User, number>();
let people = 0;

function join(): { person: User; channel: Channel } {
  const person = testEnv.fake.createUser({ name: `Person ${++people}` });
  const guild = guilds[people % guilds.length];
  guild?.addMember(person);
  guestCosts.set(person, 0);
  return { person, channel: guild?.channel("general") ?? person.direct };
}

async function makeImage(video: VideoName, atSeconds: number, more: Partial<OwnFile> = {}): Promise<OwnFile> {
  return { name: `${video}.jpg`, bytes: await readFrame(video, atSeconds), ...more };
}

const titleOf = (video: VideoName) => new RegExp(videos[video].title);

/**
 * Waits for the single reply to a command, button or modal: in the interaction, or in a message of the bot
 * that mentions the requester if the gateway was away for too long.
 */
async function follow(interaction: Interaction, what: string, expected: RegExp): Promise<Message> {
  const { channel, user, id } = interaction;
  const isIts = (message: Message) =>
    message.interactionId === id ||
    (message.interactionId === undefined && isAfter(message.id, id) && isFor(message, user));
  // Without membership the bot sends a direct message.
  const chats = channel === user.direct ? [channel] : [channel, user.direct];
  const seen = () => chats.flatMap(({ history }) => history.filter((one) => one.author.isBot && isIts(one)));
  const before = new Set(seen().map((one) => one.id));
  // An edited message no longer notifies anybody, and counts as the reply too.
  const found = new Set<string>();
  const replies = () => {
    for (const { id: own } of seen()) if (!before.has(own)) found.add(own);
    const all = chats.flatMap(({ history }) => history);
    return all.filter((one) => found.has(one.id) && !one.isDeleted && !one.isThinking);
  };
  return await waitFor({ who: user, what, expected, replies });
}

function isFor({ pings, channel, referenceId }: Message, user: User): boolean {
  return pings.includes(user.id) || (channel === user.direct && referenceId === undefined);
}

function isAfter(a: string, b: string): boolean {
  return BigInt(a) > BigInt(b);
}

/** Waits for the single reply to a message, in its channel or in direct messages. */
async function waitForReply(written: Message, who: User, what: string, expected: RegExp): Promise<Message> {
  const { channel } = written;
  const replies = () => channel.history.filter((one) => one.author.isBot && one.referenceId === written.id);
  return await waitFor({ who, what, expected, replies });
}

async function waitFor(question: Question): Promise<Message> {
  const { who, what, expected, replies } = question;
  questions.push(question);
  const startedMs = performance.now();
  const has = (file: RegExp) =>
    replies().some(({ text, files }) => expected.test(text) && files.some(({ name }) => file.test(name)));
  try {
    await testEnv.fake.waitUntil(() => replies().some(({ text }) => expected.test(text)));
    const seconds = () => (performance.now() - startedMs) / 1000;
    if (has(/^scene\./)) {
      times.add("title and still", seconds());
      clips.push(
        testEnv.fake
          .waitUntil(() => has(/\.mp4$/), `the clip of ${who.name}`)
          .then(
            () => times.add("clip", seconds()),
            () => times.add("no clip", seconds()),
          ),
      );
    }
  } catch {
    const texts = replies().map(({ text }) => text);
    const logTail = testEnv.log().split("\n").slice(-30).join("\n");
    throw new Error(`${who.name}, ${what}: ${JSON.stringify(texts)}, not ${expected}\n${logTail}`);
  }
  const [reply] = replies();
  if (reply === undefined) throw new Error("no answer");
  return reply;
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

test("fifty concurrent users", async () => {
  const { fake } = testEnv;
  const linked: { person: User; account: Account; spent: number }[] = [];

  const bySlash = async (video: VideoName, atSeconds: number) => {
    const { person, channel } = join();
    pays(person);
    const requested = person.slash("find", { image: await makeImage(video, atSeconds) }, { channel });
    return { person, channel, message: await follow(requested, "slash", titleOf(video)) };
  };
  const byMenu = async (video: VideoName, atSeconds: number) => {
    const { person, channel } = join();
    pays(person);
    const shown = person.sendMessage(channel, { attachments: [await makeImage(video, atSeconds)] });
    await follow(person.messageCommand("Find anime scene", shown), "menu", titleOf(video));
  };
  const byMention = async (video: VideoName, atSeconds: number) => {
    const { person, channel } = join();
    pays(person);
    const file = await makeImage(video, atSeconds);
    const shown = atSeconds % 2 === 0 ? person.sendMessage(channel, { attachments: [file] }) : undefined;
    const written = person.sendMessage(channel, {
      mentionsBot: true,
      content: "which one?",
      ...(shown === undefined ? { attachments: [file] } : { replyTo: shown }),
    });
    await waitForReply(written, person, "mention", titleOf(video));
  };
  const byDirect = async (video: VideoName, atSeconds: number) => {
    const { person } = join();
    pays(person);
    const written = person.sendMessage(person.direct, { attachments: [await makeImage(video, atSeconds)] });
    await waitForReply(written, person, "direct", titleOf(video));
  };
  const byPaging = async (video: VideoName) => {
    const { person, channel, message } = await bySlash(video, 2);
    const otherUser = join().person;
    const guild = guilds.find((one) => one.channels.includes(channel));
    guild?.addMember(otherUser);
    const next = message.button(/look-alike/).customId ?? "";
    const refused = await follow(
      otherUser.clickButton(message, next),
      "stranger",
      /Only the person who asked/,
    );
    expect(refused.visibleTo).toBe(otherUser.id);
    await person.clickButton(message, next).replyWhere(({ text }) => !titleOf(video).test(text));
    const back = message.button("Previous").customId ?? "";
    await person.clickButton(message, back).replyWhere(({ text }) => titleOf(video).test(text));
    const right = message.button("That's it").customId ?? "";
    await person.clickButton(message, right).replyWhere(() => message.button("That's it").isDisabled);
  };
  const byAccount = async (video: VideoName) => {
    const { person, channel } = join();
    const account = await signUp(testEnv.apiUrl(), `linked${people}`);
    await link(person, account, channel);
    linked.push({ person, account, spent: freeCredits });
    for (const atSeconds of [1, 2, 3]) {
      const requested = person.slash("find", { image: await makeImage(video, atSeconds) }, { channel });
      await follow(requested, "own account", titleOf(video));
    }
    const image = await makeImage(video, 4);
    await follow(person.slash("find", { image }, { channel }), "no credits", /credits are used up/);
    // The same image returns the first result again.
    const again = await makeImage(video, 1);
    await follow(person.slash("find", { image: again }, { channel }), "again", titleOf(video));
  };
  const byRevokedKey = async (video: VideoName) => {
    const { person, channel } = join();
    const account = await signUp(testEnv.apiUrl(), `revoked${people}`);
    await link(person, account, channel);
    linked.push({ person, account, spent: 1 });
    await follow(
      person.slash("find", { image: await makeImage(video, 1) }, { channel }),
      "own",
      titleOf(video),
    );
    const [key] = await account.listKeys();
    expect(key?.title).toBe(`Discord: ${person.name}`);
    await account.deleteKey(key?.id ?? "");
    const image = await makeImage(video, 2);
    await follow(person.slash("find", { image }, { channel }), "revoked", /no longer connected/);
    // The user becomes a guest again and is notified.
    pays(person);
    const requested = person.slash("find", { image: await makeImage(video, 3) }, { channel });
    await follow(requested, "guest again", titleOf(video));
  };
  const byGuestWithout = async (video: VideoName) => {
    const { person, channel } = join();
    for (const atSeconds of [1, 2, 3]) {
      pays(person);
      const requested = person.slash("find", { image: await makeImage(video, atSeconds) }, { channel });
      await follow(requested, "guest", titleOf(video));
    }
    const image = await makeImage(video, 5);
    await follow(
      person.slash("find", { image }, { channel }),
      "used up",
      /free searches for today are used up/,
    );
  };

  // The gateway drops and Discord returns rate limits during the test.
  const faultInjection = (async () => {
    await fake.waitUntil(() => questions.length > 12, "the evening to begin");
    fake.faults.rateLimit({ route: /PATCH .*@original/, retryAfterSeconds: 1, times: 2 });
    fake.gateway.drop();
    await fake.gateway.resumed();
    fake.faults.fail({ route: "POST /channels/{channel_id}/messages", status: 502, times: 2 });
  })();

  const seconds = [1, 2, 3, 4, 5, 6, 1, 2, 3];
  const kinds: VideoName[] = ["alpha", "beta", "cards"];
  const videoAt = (index: number) => kinds[index % kinds.length] ?? "alpha";
  // A user installs the bot and uses it in a server where the bot is no member.
  const byInstalling = async (video: VideoName) => {
    const { person } = join();
    person.install();
    pays(person);
    const foreign = fake.createGuild({ owner: person, hasBot: false }).channel("general");
    const requested = person.slash("find", { image: await makeImage(video, 5) }, { channel: foreign });
    await follow(requested, "installed", titleOf(video));
  };
  const byStrangeImage = async () => {
    const { person, channel } = join();
    pays(person);
    const noise = { type: "gaussian" as const, mean: 128, sigma: 40 };
    const strange = sharp({ create: { width: 640, height: 360, channels: 3, background: "#fff", noise } });
    const image = { name: "strange.jpg", bytes: new Uint8Array(await strange.jpeg().toBuffer()) };
    await follow(
      person.slash("find", { image }, { channel }),
      "strange",
      /not sure|couldn't find|isn't in this library/,
    );
  };
  const stories = [
    ...[() => byInstalling("beta"), () => byStrangeImage()],
    ...[() => byAccount("alpha"), () => byRevokedKey("cards"), () => byGuestWithout("alpha")],
    ...[() => byPaging("alpha"), () => byPaging("beta"), () => byAccount("beta")],
    ...seconds.flatMap((at, index) => [
      ...[() => bySlash(videoAt(index), at), () => byMenu(videoAt(index + 1), at)],
      ...[() => byMention(videoAt(index + 2), at), () => byDirect(videoAt(index), at)],
    ]),
  ];
  await Promise.all([inTurns(stories, 10), faultInjection]);

  // An image of 12 MB, and a text with the type of an image.
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
  const requested = joker.person.slash("find", { image: words }, { channel: joker.channel });
  await follow(requested, "text named .png", /can't read this file/);

  // An adult match: neutral text for all, the scene for the requester only; in direct messages at once.
  const curious = join();
  pays(curious.person);
  const night = curious.person.slash(
    "find",
    { image: await makeImage("night", 3) },
    { channel: curious.channel },
  );
  const neutral = await night.reply();
  expect([neutral.text, neutral.isEphemeral]).toEqual([expect.stringContaining("can't show"), false]);
  expect(neutral.text).not.toMatch(titleOf("night"));
  const alone = await night.followUp();
  expect([alone.text, alone.visibleTo]).toEqual([expect.stringContaining("Night Garden"), curious.person.id]);

  // The API is unavailable for a while: every user gets an error, no search is charged, and a retry works.
  await testEnv.stopApi();
  const unlucky = [join(), join(), join()];
  for (const { person, channel } of unlucky) {
    const file = await makeImage("cards", 2);
    await follow(person.slash("find", { image: file }, { channel }), "API away", /can't be reached/);
  }
  await testEnv.startApi();
  for (const { person, channel } of unlucky) {
    pays(person);
    const file = await makeImage("cards", 2);
    await follow(person.slash("find", { image: file }, { channel }), "API back", titleOf("cards"));
  }

  await Promise.all(clips);
  process.stdout.write(`${times.report()}\n`);
  expect(people).toBeGreaterThanOrEqual(50);
  // Every request has exactly one correct reply.
  for (const { who, what, expected, replies } of questions) {
    const texts = replies().map(({ text }) => text);
    expect(texts, `${who.name}, ${what}`).toEqual([expect.stringMatching(expected)]);
  }
  // No search is charged twice, and each key serves only its owner.
  const botKey = await testEnv.botKey();
  for (const [person, cost] of guestCosts) {
    const { limit, remaining } = await guestQuota(testEnv.apiUrl(), {
      botKey,
      chatUser: `discord:${person.id}`,
    });
    expect(limit - remaining, `${person.name} as a guest`).toBe(cost);
  }
  for (const { person, account, spent } of linked) {
    expect(await account.usedCredits(), person.name).toBe(spent);
    expect(await account.listSearches(), person.name).toHaveLength(spent);
  }
  expect(fake.gateway.resumeCount).toBeGreaterThan(0);
  expect(fake.gateway.identifyCount).toBe(1);
  expect(fake.violations).toEqual([]);
  expect(fake.warnings).toEqual([]);
  expect(testEnv.log()).not.toContain(fake.token);
  expect(testEnv.log()).not.toMatch(/koma_\w{10}/);
}, 900_000);

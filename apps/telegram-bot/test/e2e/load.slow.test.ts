import { type Account, guestQuota, signUp } from "@koma/bot-core/testing/account";
import { inTurns } from "@koma/bot-core/testing/in-turns";
import { readFrame } from "@koma/bot-core/testing/open-test-env";
import { createReplyTimes } from "@koma/bot-core/testing/reply-times";
import { type VideoName, videos } from "@koma/bot-core/testing/videos";
import type { Chat, Message, User, Written } from "@koma/fake-telegram";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { toWebp } from "../fixtures/files.ts";
import { openTestEnv, type TestEnv } from "../fixtures/test-env.ts";

/** The daily searches of a guest and of a user with an account. */
const guestSearches = 3;
const freeCredits = 3;
const patienceMs = 180_000;

let testEnv: TestEnv;
let groups: Chat[];
beforeAll(async () => {
  testEnv = await openTestEnv({
    fake: { patienceMs, hasRateLimits: true },
    api: {
      KOMA_GUEST_SEARCHES_PER_DAY: String(guestSearches),
      KOMA_FREE_CREDITS_PER_DAY: String(freeCredits),
    },
  });
  groups = [1, 2, 3, 4, 5].map((n) => testEnv.fake.createGroup({ title: `Group ${n}` }));
});
afterAll(() => testEnv.close());

/** One request and its outcome. */
type Question = { who: User; what: string; expected: RegExp; requested: Message };

const questions: Question[] = [];
/** The number of searches that each guest must have been charged for. */
const guestCosts = new Map<User, number>();
let people = 0;

function join(): { person: User; group: Chat } {
  const person = testEnv.fake.createUser({ name: `Person ${++people}`, language: "en" });
  const group = groups[people % groups.length];
  group?.addMember(person);
  guestCosts.set(person, 0);
  return { person, group: group ?? person.direct };
}

const titleOf = (video: VideoName) => new RegExp(videos[video].title);

/** Sends a message and waits for the reply. */
async function ask(person: User, chat: Chat, written: Written | string, expected: RegExp): Promise<Message> {
  const requested = await person.sends(chat, written);
  const what = typeof written === "string" ? written : Object.keys(written).join(" ");
  questions.push({ who: person, what, expected, requested });
  try {
    return await requested.reply(({ text }) => expected.test(text));
  } catch {
    const texts = requested.replies.map(({ text }) => text);
    const logTail = testEnv.log().split("\n").slice(-30).join("\n");
    throw new Error(`${person.name}, ${what}: ${JSON.stringify(texts)}, not ${expected}\n${logTail}`);
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

/** The times from a request to the first still or clip of its reply, and to its clip. */
function measureReplies() {
  const times = createReplyTimes();
  for (const { requested } of questions) {
    const sentAt = requested.versions[0]?.at ?? Number.NaN;
    for (const { versions } of requested.replies) {
      const still = versions.find(({ media }) => media !== undefined);
      const clip = versions.find(({ media }) => media?.kind === "video" || media?.kind === "animation");
      if (still !== undefined) times.add("title and still", (still.at - sentAt) / 1000);
      if (clip !== undefined) times.add("clip", (clip.at - sentAt) / 1000);
    }
  }
  return times;
}

test("fifty concurrent users", async () => {
  const { fake } = testEnv;
  const linked: { person: User; account: Account; spent: number }[] = [];

  const byDirect = async (video: VideoName, at: number) => {
    const { person } = join();
    pays(person);
    await ask(person, person.direct, { photo: await readFrame(video, at) }, titleOf(video));
  };
  const byMention = async (video: VideoName, at: number) => {
    const { person, group } = join();
    pays(person);
    const photo = await readFrame(video, at);
    return { person, message: await ask(person, group, { photo, text: "@koma_bot" }, titleOf(video)) };
  };
  const byCommand = async (video: VideoName, at: number) => {
    const { person, group } = join();
    pays(person);
    const other = join().person;
    group.addMember(other);
    const replyTo = await other.sends(group, { photo: await readFrame(video, at) });
    await ask(person, group, { text: "/find@koma_bot", replyTo }, titleOf(video));
  };
  const bySticker = async (video: VideoName, at: number) => {
    const { person } = join();
    pays(person);
    const sticker = { kind: "static" as const, bytes: await toWebp(await readFrame(video, at)) };
    await ask(person, person.direct, { sticker }, titleOf(video));
  };
  const byAlbum = async (one: VideoName, other: VideoName) => {
    const { person } = join();
    pays(person, 2);
    const album = [{ photo: await readFrame(one, 2) }, { photo: await readFrame(other, 4) }];
    const reply = await ask(
      person,
      person.direct,
      { album },
      new RegExp(`${videos[one].title}|Picture 2 of 2`),
    );
    await person.clicks(reply.button(/Next picture/)).response();
    await reply.becomes(({ text }) => titleOf(other).test(text) && text.includes("Picture 2 of 2"));
    await person.clicks(reply.button(/Previous picture/)).response();
    await reply.becomes(({ text }) => titleOf(one).test(text));
  };
  const byPaging = async (video: VideoName) => {
    const { person, message } = await byMention(video, 2);
    const otherUser = join().person;
    message.chat.addMember(otherUser);
    const refused = await otherUser.clicks(message.button(/look-alike/)).response();
    expect(refused).toMatchObject({
      isAlert: true,
      text: expect.stringMatching(/Only the person who asked/),
    });
    await person.clicks(message.button(/look-alike/)).response();
    await message.becomes(({ text }) => !titleOf(video).test(text));
    await person.clicks(message.button(/Previous/)).response();
    await message.becomes(({ text }) => titleOf(video).test(text));
    await person.clicks(message.button(/That's it/)).response();
    await message.becomes(({ buttons }) => buttons.some(({ text }) => text === "✓ That's it"));
  };
  const byAccount = async (video: VideoName) => {
    const { person, group } = join();
    const account = await signUp(testEnv.apiUrl(), `linked${people}`);
    await link(person, account);
    linked.push({ person, account, spent: freeCredits });
    for (const at of [1, 2, 3]) {
      await ask(person, group, { photo: await readFrame(video, at), text: "@koma_bot" }, titleOf(video));
    }
    const photo = await readFrame(video, 4);
    await ask(person, group, { photo, text: "@koma_bot" }, /credits are used up/);
  };
  const byRevokedKey = async (video: VideoName) => {
    const { person } = join();
    const account = await signUp(testEnv.apiUrl(), `revoked${people}`);
    await link(person, account);
    linked.push({ person, account, spent: 1 });
    await ask(person, person.direct, { photo: await readFrame(video, 1) }, titleOf(video));
    const [key] = await account.listKeys();
    expect(key?.title).toBe(`Telegram: ${person.name}`);
    await account.deleteKey(key?.id ?? "");
    await ask(person, person.direct, { photo: await readFrame(video, 2) }, /no longer connected/);
    pays(person);
    await ask(person, person.direct, { photo: await readFrame(video, 3) }, titleOf(video));
  };
  const byGuestWithout = async (video: VideoName) => {
    const { person, group } = join();
    for (const at of [1, 2, 3]) {
      pays(person);
      await ask(person, group, { photo: await readFrame(video, at), text: "@koma_bot" }, titleOf(video));
    }
    const photo = await readFrame(video, 5);
    await ask(person, group, { photo, text: "@koma_bot" }, /free searches for today are used up/);
  };
  const byStrangeImage = async () => {
    const { person } = join();
    pays(person);
    const noise = { type: "gaussian" as const, mean: 128, sigma: 40 };
    const strange = sharp({ create: { width: 640, height: 360, channels: 3, background: "#fff", noise } });
    const photo = new Uint8Array(await strange.jpeg().toBuffer());
    await ask(person, person.direct, { photo }, /not sure|couldn't find|isn't in this library/);
  };

  // Rate limits and errors of Telegram during the test.
  const faultInjection = (async () => {
    await fake.waitUntil(() => questions.length > 12, "the evening to begin");
    const [group] = groups;
    if (group)
      fake.faults.rateLimit({ method: ["sendVideo", "sendMessage"], chat: group, retryAfterSeconds: 2 });
    fake.faults.fail({ method: "sendVideo", status: 502, times: 2 });
    fake.faults.hangUp({ method: "getUpdates", times: 1 });
    fake.faults.failDownloads({ status: 500, times: 1 });
    fake.updates.deliverAgain();
  })();

  const seconds = [1, 2, 3, 4, 5, 6];
  const kinds: VideoName[] = ["alpha", "beta", "cards"];
  const videoAt = (index: number) => kinds[index % kinds.length] ?? "alpha";
  const stories = [
    ...[() => byStrangeImage(), () => byAlbum("alpha", "cards"), () => byAlbum("cards", "beta")],
    ...[() => byAccount("alpha"), () => byRevokedKey("cards"), () => byGuestWithout("alpha")],
    ...[() => byPaging("alpha"), () => byPaging("beta"), () => byAccount("beta")],
    ...seconds.flatMap((at, index) => [
      ...[() => byDirect(videoAt(index), at), () => byMention(videoAt(index + 1), at)],
      ...[() => byCommand(videoAt(index + 2), at), () => bySticker(videoAt(index), at)],
    ]),
  ];
  await Promise.all([inTurns(stories, 10), faultInjection]);

  // An adult match: neutral text for all, the scene for the requester only; in private chats at once.
  const curious = join();
  await curious.person.starts();
  pays(curious.person);
  const photo = await readFrame("night", 3);
  const isFresh = freshIn(curious.person.direct);
  const neutral = await ask(curious.person, curious.group, { photo, text: "@koma_bot" }, /can't show/);
  expect(neutral.text).not.toMatch(titleOf("night"));
  await curious.person.direct.waitForMessage((one) => isFresh(one) && titleOf("night").test(one.text));

  // The API is unavailable for a while: every user gets an error, no search is charged, and a retry works.
  await testEnv.stopApi();
  const unlucky = [join(), join(), join()];
  for (const { person } of unlucky) {
    await ask(person, person.direct, { photo: await readFrame("cards", 2) }, /can't be reached/);
  }
  await testEnv.startApi();
  for (const { person } of unlucky) {
    pays(person);
    await ask(person, person.direct, { photo: await readFrame("cards", 2) }, titleOf("cards"));
  }

  // The bot is killed during requests and restarted.
  const patient = [join(), join(), join(), join()];
  const replies = patient.map(async ({ person }, index) => {
    pays(person);
    await ask(person, person.direct, { photo: await readFrame(videoAt(index), 5) }, titleOf(videoAt(index)));
  });
  await fake.waitUntil(() =>
    fake.calls.some(({ method, at }) => method === "getFile" && at > Date.now() - 500),
  );
  await testEnv.stopBot("SIGKILL");
  await testEnv.startBot();
  await Promise.all(replies);
  await fake.updates.settled();

  process.stdout.write(`${measureReplies().report()}\n`);
  expect(people).toBeGreaterThanOrEqual(40);
  // Every request has exactly one correct reply.
  for (const { who, what, expected, requested } of questions) {
    const texts = requested.replies
      .filter(({ replyToId }) => replyToId !== undefined)
      .map(({ text }) => text);
    expect(texts, `${who.name}, ${what}`).toEqual([expect.stringMatching(expected)]);
  }
  // No search is charged twice, and each key serves only its owner.
  const botKey = await testEnv.botKey();
  for (const [person, cost] of guestCosts) {
    const { limit, remaining } = await guestQuota(testEnv.apiUrl(), {
      botKey,
      chatUser: `telegram:${person.id}`,
    });
    expect(limit - remaining, `${person.name} as a guest`).toBe(cost);
  }
  for (const { person, account, spent } of linked) {
    expect(await account.usedCredits(), person.name).toBe(spent);
    expect(await account.listSearches(), person.name).toHaveLength(spent);
  }
  expect(fake.violations).toEqual([]);
  expect(fake.warnings).toEqual([]);
  expect(testEnv.log()).not.toContain(fake.token);
  expect(testEnv.log()).not.toMatch(/koma_\w{10}/);
}, 900_000);

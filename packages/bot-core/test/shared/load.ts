import { sharp } from "@koma/image";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inTurns } from "./in-turns.ts";
import type { Account } from "./open-api.ts";
import type { FakePlatform } from "./open-here.ts";
import { type openBotTestEnv, readFrame } from "./open-test-env.ts";
import { dailySearches } from "./prepare-library.ts";
import { createReplyTimes } from "./reply-times.ts";
import { type VideoName, videos } from "./videos.ts";

/** A user of the platform. */
type LoadUser = { id: string | number; name: string };

/** One request, and the texts of its replies so far. */
type Question = { who: LoadUser; what: string; expected: RegExp; texts: () => readonly string[] };

type LoadFake = FakePlatform & {
  violations: readonly unknown[];
  warnings: readonly unknown[];
  waitUntil(condition: () => boolean, what?: string): Promise<void>;
};

/** What the suite gives to a platform's stories. */
export type Load<User extends LoadUser> = {
  times: ReturnType<typeof createReplyTimes>;
  questions: readonly Question[];
  /** Creates a user. */
  join(): User;
  /** Records the searches that the user is charged for as a guest. */
  pays(user: User, count?: number): void;
  /** Records a request and waits for its reply. */
  ask<Reply>(question: Question, reply: Promise<Reply>): Promise<Reply>;
};

/** The users of a platform, and the ways to search an image on it. */
export type LoadPlatform<User extends LoadUser, Reply> = {
  /** The name in the title of an API key. */
  label: string;
  /** The prefix of a user at the API. */
  platform: "discord" | "telegram";
  leastPeople: number;
  createUser(name: string): User;
  /** Searches an image in a channel, or in the place of the platform's own requests. */
  find(user: User, image: Uint8Array, expected: RegExp, isAlone?: boolean): Promise<Reply>;
  /** Turns the pages of a reply, and confirms the match; another user cannot. */
  turnPages(user: User, other: User, reply: Reply, title: RegExp): Promise<void>;
  /** Starts to connect an account, and returns the code; `connected` resolves after its approval. */
  startLink(user: User): Promise<{ code: string; connected(): Promise<unknown> }>;
  /** An adult match is neutral for all, and complete for the requester only. */
  findAdult(user: User, image: Uint8Array, title: RegExp): Promise<void>;
  /** Faults of the platform during the stories. */
  fail(): Promise<void>;
  /** Stories that exist on this platform only. */
  stories: readonly (() => Promise<unknown>)[];
  /** Other ways to search an image. */
  ways: readonly ((user: User, image: Uint8Array, title: RegExp, atSeconds: number) => Promise<unknown>)[];
  seconds: readonly number[];
  /** Runs after all stories. */
  finish(): Promise<void>;
  /** Checks at the end. */
  check(): void;
};

/** The title of a video in a reply. */
export const titleOf = (video: VideoName) => new RegExp(videos[video].title);

/** The video of a story. */
export function videoAt(index: number): VideoName {
  return (["alpha", "beta", "cards"] as const)[index % 3] ?? "alpha";
}

/** Tests a bot and the API under the load of many users, with faults and restarts. */
export function testLoad<
  Fake extends LoadFake,
  Env extends Awaited<ReturnType<typeof openBotTestEnv<Fake>>>,
  User extends LoadUser,
  Reply,
>(
  openTestEnv: () => Promise<Env>,
  create: (testEnv: Env, load: Load<User>) => LoadPlatform<User, Reply>,
): void {
  let testEnv: Env;
  beforeAll(async () => {
    testEnv = await openTestEnv();
    await testEnv.startBot();
  });
  afterAll(() => testEnv?.close());

  test("many users at once", async () => {
    const { fake } = testEnv;
    const questions: Question[] = [];
    const times = createReplyTimes();
    /** The number of searches that each guest must have been charged for. */
    const guestCosts = new Map<User, number>();
    const linked: { user: User; account: Account; spent: number }[] = [];
    const load: Load<User> = {
      times,
      questions,
      join() {
        const user = platform.createUser(`Person ${guestCosts.size + 1}`);
        guestCosts.set(user, 0);
        return user;
      },
      pays: (user, count = 1) => void guestCosts.set(user, (guestCosts.get(user) ?? 0) + count),
      async ask(question, reply) {
        questions.push(question);
        try {
          return await reply;
        } catch {
          const { who, what, expected, texts } = question;
          const logTail = testEnv.log().split("\n").slice(-30).join("\n");
          throw new Error(`${who.name}, ${what}: ${JSON.stringify(texts())}, not ${expected}\n${logTail}`);
        }
      },
    };
    const { join, pays } = load;
    const platform = create(testEnv, load);

    const find = async (user: User, video: VideoName, at: number, isAlone = false) =>
      await platform.find(user, await readFrame(video, at), titleOf(video), isAlone);
    const connect = async (user: User, spent: number) => {
      const account = await testEnv.api.signUp();
      const { code, connected } = await platform.startLink(user);
      await account.approveLink({ userCode: code });
      await connected();
      linked.push({ user, account, spent });
      return account;
    };
    const byPaging = async (video: VideoName) => {
      const user = join();
      pays(user);
      await platform.turnPages(user, join(), await find(user, video, 2), titleOf(video));
    };
    const byAccount = async (video: VideoName) => {
      const user = join();
      await connect(user, dailySearches);
      for (const at of [1, 2, 3]) await find(user, video, at);
      await platform.find(user, await readFrame(video, 4), /credits are used up/);
      // The same image returns the first result again.
      await find(user, video, 1);
    };
    const byRevokedKey = async (video: VideoName) => {
      const user = join();
      const account = await connect(user, 1);
      await find(user, video, 1, true);
      const [key] = (await account.listApiKeys()).items;
      expect(key?.title).toBe(`${platform.label}: ${user.name}`);
      await account.deleteApiKey({ id: key?.id ?? "" });
      await platform.find(user, await readFrame(video, 2), /no longer connected/, true);
      // The user becomes a guest again and is notified.
      pays(user);
      await find(user, video, 3, true);
    };
    const byGuestWithout = async (video: VideoName) => {
      const user = join();
      pays(user, dailySearches);
      for (const at of [1, 2, 3]) await find(user, video, at);
      await platform.find(user, await readFrame(video, 5), /free searches for today are used up/);
    };
    const byStrangeImage = async () => {
      const user = join();
      pays(user);
      const noise = { type: "gaussian" as const, mean: 128, sigma: 40 };
      const strange = sharp({ create: { width: 640, height: 360, channels: 3, background: "#fff", noise } });
      const image = new Uint8Array(await strange.jpeg().toBuffer());
      await platform.find(user, image, /Possibly one of these scenes|is not in the library/, true);
    };
    const stories = [
      ...[() => byStrangeImage(), ...platform.stories],
      ...[() => byAccount("alpha"), () => byRevokedKey("cards"), () => byGuestWithout("alpha")],
      ...[() => byPaging("alpha"), () => byPaging("beta"), () => byAccount("beta")],
      ...platform.seconds.flatMap((at, index) =>
        platform.ways.map((way, offset) => async () => {
          const [user, video] = [join(), videoAt(index + offset)];
          pays(user);
          await way(user, await readFrame(video, at), titleOf(video), at);
        }),
      ),
    ];
    const faults = fake
      .waitUntil(() => questions.length > 12, "the evening to begin")
      .then(() => platform.fail());
    // The core works on six requests at a time; others wait.
    await Promise.all([inTurns(stories, 10), faults]);

    const curious = join();
    pays(curious);
    await platform.findAdult(curious, await readFrame("night", 3), titleOf("night"));

    // The API is unavailable for a while: every user gets an error, no search is charged, and a retry works.
    await testEnv.api.stop();
    const unlucky = [join(), join(), join()];
    const image = await readFrame("cards", 2);
    await Promise.all(unlucky.map((user) => platform.find(user, image, /can't be reached/, true)));
    await testEnv.api.start();
    for (const user of unlucky) {
      pays(user);
      await find(user, "cards", 2, true);
    }
    await platform.finish();

    process.stdout.write(`${times.report()}\n`);
    expect(guestCosts.size).toBeGreaterThanOrEqual(platform.leastPeople);
    // Every request has exactly one correct reply.
    for (const { who, what, expected, texts } of questions) {
      expect(texts(), `${who.name}, ${what}`).toEqual([expect.stringMatching(expected)]);
    }
    // No search is charged twice, and each key serves only its owner.
    for (const [user, cost] of guestCosts) {
      const guest = `${platform.platform}:${user.id}` as const;
      expect(await testEnv.api.countGuestSearches(guest), `${user.name} as a guest`).toBe(cost);
    }
    for (const { user, account, spent } of linked) {
      expect((await account.getCredits()).free.used, user.name).toBe(spent);
      expect((await account.listUserSearches({ pageSize: 100 })).items, user.name).toHaveLength(spent);
    }
    platform.check();
    expect(fake.violations).toEqual([]);
    expect(fake.warnings).toEqual([]);
    expect(testEnv.log()).not.toContain(fake.token);
    expect(testEnv.log()).not.toMatch(/koma_\w{10}/);
  }, 900_000);
}

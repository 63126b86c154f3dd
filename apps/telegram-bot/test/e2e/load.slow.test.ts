import { type Load, testLoad, titleOf, videoAt } from "@koma/bot-core/testing/load";
import { readFrame } from "@koma/bot-core/testing/open-test-env";
import type { VideoName } from "@koma/bot-core/testing/videos";
import { videos } from "@koma/bot-core/testing/videos";
import type { Chat, Message, User, Written } from "@koma/fake-telegram";
import { expect } from "vitest";
import { toWebp } from "../fixtures/files.ts";
import { openTestEnv } from "../fixtures/test-env.ts";

const fakeOptions = { patienceMs: 180_000, hasRateLimits: true };

testLoad(
  () => openTestEnv({ fake: fakeOptions }),
  (testEnv, { join, pays, ask: record, questions, times }: Load<User>) => {
    const { fake } = testEnv;
    const groups = [1, 2, 3, 4, 5].map((n) => fake.createGroup({ title: `Group ${n}` }));
    const groupOf = new Map<User, Chat>();
    const requests: Message[] = [];

    /** Sends a message and waits for the reply. */
    async function ask(who: User, chat: Chat, written: Written | string, expected: RegExp): Promise<Message> {
      const requested = await who.sends(chat, written);
      requests.push(requested);
      const what = typeof written === "string" ? written : Object.keys(written).join(" ");
      const replies = () => requested.replies.filter(({ replyToId }) => replyToId !== undefined);
      return await record(
        { who, what, expected, texts: () => replies().map(({ text }) => text) },
        requested.reply(({ text }) => expected.test(text)),
      );
    }

    const chatOf = (user: User) => groupOf.get(user) ?? user.direct;
    const mention = (user: User, photo: Uint8Array, expected: RegExp) =>
      ask(user, chatOf(user), { photo, text: "@koma_bot" }, expected);
    const direct = (user: User, photo: Uint8Array, expected: RegExp) =>
      ask(user, user.direct, { photo }, expected);

    const byAlbum = async (one: VideoName, other: VideoName) => {
      const user = join();
      pays(user, 2);
      const album = [{ photo: await readFrame(one, 2) }, { photo: await readFrame(other, 4) }];
      // The list is replaced by the picture that is opened last.
      const listed = new RegExp(`There are 2 pictures here|${videos[one].title}`);
      const reply = await ask(user, user.direct, { album }, listed);
      await reply.becomes(() => reply.buttons.some(({ text }) => text === "1"));
      await user.clicks(reply.button(/^1$/)).response();
      await reply.becomes(({ text }) => titleOf(one).test(text) && text.includes("Picture 1 of 2"));
      await user.clicks(reply.button(/Next picture/)).response();
      await reply.becomes(({ text }) => titleOf(other).test(text) && text.includes("Picture 2 of 2"));
      await user.clicks(reply.button(/Previous picture/)).response();
      await reply.becomes(({ text }) => titleOf(one).test(text));
    };

    return {
      platform: "telegram",
      label: "Telegram",
      leastPeople: 25,
      createUser(name) {
        const user = fake.createUser({ name, language: "en" });
        const group = groups[groupOf.size % groups.length];
        if (group === undefined) throw new Error("There is no group.");
        group.addMember(user);
        groupOf.set(user, group);
        return user;
      },
      find: (user, image, expected, isAlone) => (isAlone ? direct : mention)(user, image, expected),
      async turnPages(user, other, reply, title) {
        reply.chat.addMember(other);
        const refused = await other.clicks(reply.button(/look-alike/)).response();
        expect(refused).toMatchObject({
          isAlert: true,
          text: expect.stringMatching(/Only the person who asked/),
        });
        await user.clicks(reply.button(/look-alike/)).response();
        await reply.becomes(({ text }) => !title.test(text));
        await user.clicks(reply.button(/Previous/)).response();
        await reply.becomes(({ text }) => title.test(text));
        await user.clicks(reply.button(/That's it/)).response();
        await reply.becomes(({ buttons }) => buttons.some(({ text }) => text === "✓ That's it"));
      },
      async startLink(user) {
        const isFresh = freshIn(user.direct);
        await user.starts("link");
        const pattern = /[A-Z]{4}-[A-Z]{4}/;
        const offer = await user.direct.waitForMessage((one) => isFresh(one) && pattern.test(one.text));
        return {
          code: pattern.exec(offer.text)?.[0] ?? "",
          connected: () => user.direct.waitForMessage(({ text }) => text.startsWith("Connected")),
        };
      },
      async findAdult(user, photo, title) {
        await user.starts();
        const isFresh = freshIn(user.direct);
        const neutral = await mention(user, photo, /can't show/);
        expect(neutral.text).not.toMatch(title);
        await user.direct.waitForMessage((one) => isFresh(one) && title.test(one.text));
      },
      async fail() {
        const [chat] = groups;
        const method = ["editMessageMedia", "sendMessage"];
        if (chat) fake.faults.rateLimit({ method, chat, retryAfterSeconds: 2 });
        fake.faults.fail({ method: "editMessageMedia", status: 502, times: 2 });
        fake.faults.hangUp({ method: "getUpdates", times: 1 });
        fake.faults.failDownloads({ status: 500, times: 1 });
        fake.updates.deliverAgain();
      },
      stories: [() => byAlbum("alpha", "cards"), () => byAlbum("cards", "beta")],
      seconds: [1, 2, 4],
      ways: [
        direct,
        mention,
        async (user, photo, title) => {
          const [group, other] = [chatOf(user), join()];
          group.addMember(other);
          const replyTo = await other.sends(group, { photo });
          await ask(user, group, { text: "/find@koma_bot", replyTo }, title);
        },
        async (user, image, title) =>
          await ask(user, user.direct, { sticker: { kind: "static", bytes: await toWebp(image) } }, title),
      ],
      async finish() {
        // The bot is killed during requests and restarted.
        const before = questions.length;
        const replies = [0, 1, 2, 3].map(async (index) => {
          const user = join();
          pays(user);
          await direct(user, await readFrame(videoAt(index), 5), titleOf(videoAt(index)));
        });
        const startedAt = Date.now();
        await fake.waitUntil(() =>
          fake.calls.some(({ method, at }) => method === "getFile" && at >= startedAt),
        );
        await testEnv.stopBot("SIGKILL");
        await testEnv.startBot();
        await Promise.all(replies);
        await fake.updates.settled();
        expect(questions.length).toBe(before + replies.length);
        measureReplies(requests, times);
      },
      check: () => undefined,
    };
  },
);

function freshIn({ history }: Chat): (message: Message) => boolean {
  const before = new Set(history.map(({ id }) => id));
  return ({ id, author }) => author.isBot && !before.has(id);
}

/** The times from a request to the words, to the first still or clip of its reply, and to its clip. */
function measureReplies(
  requests: readonly Message[],
  times: { add(kind: string, seconds: number): void },
): void {
  for (const requested of requests) {
    const sentAt = requested.versions[0]?.at ?? Number.NaN;
    for (const { versions } of requested.replies) {
      const [words] = versions;
      if (words !== undefined) times.add("words", (words.at - sentAt) / 1000);
      const still = versions.find(({ media }) => media !== undefined);
      const clip = versions.find(({ media }) => media?.kind === "video" || media?.kind === "animation");
      if (still !== undefined) times.add("title and still", (still.at - sentAt) / 1000);
      if (clip !== undefined) times.add("clip", (clip.at - sentAt) / 1000);
    }
  }
}

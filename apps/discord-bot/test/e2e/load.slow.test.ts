import { type Load, testLoad, titleOf } from "@koma/bot-core/testing/load";
import { readFrame } from "@koma/bot-core/testing/open-test-env";
import type { Channel, Interaction, Message, User } from "@koma/fake-discord";
import sharp from "sharp";
import { expect } from "vitest";
import { openTestEnv } from "../fixtures/test-env.ts";

const fakeOptions = { patienceMs: 180_000, hasRateLimits: true, heartbeatMs: 2_000 };

testLoad(
  () => openTestEnv({ fake: fakeOptions }),
  ({ fake }, { join, pays, ask, times }: Load<User>) => {
    const guilds = [1, 2, 3, 4, 5].map((n) => fake.createGuild({ name: `Server ${n}` }));
    const channels = new Map<User, Channel>();
    const channelOf = (user: User) => channels.get(user) ?? user.direct;
    const fileOf = (bytes: Uint8Array) => ({ name: "scene.jpg", bytes });

    /**
     * Waits for the single reply to a command, button or modal: in the interaction, or in a message of the bot
     * that mentions the requester if the gateway was away for too long.
     */
    async function follow(user: User, { channel, id }: Interaction, what: string, expected: RegExp) {
      const isIts = (message: Message) =>
        message.interactionId === id ||
        (message.interactionId === undefined && isAfter(message.id, id) && isFor(message, user));
      // Without membership the bot sends a direct message.
      const chats = channel === user.direct ? [channel] : [channel, user.direct];
      const seen = () =>
        chats.flatMap(({ history }) => history.filter((one) => one.author.isBot && isIts(one)));
      const before = new Set(seen().map((one) => one.id));
      // An edited message no longer notifies anybody, and counts as the reply too.
      const found = new Set<string>();
      const replies = () => {
        for (const { id: own } of seen()) if (!before.has(own)) found.add(own);
        const all = chats.flatMap(({ history }) => history);
        return all.filter((one) => found.has(one.id) && !one.isDeleted && !one.isThinking);
      };
      return await waitFor(user, what, expected, replies);
    }

    /** Waits for the single reply to a message, in its channel or in direct messages. */
    async function waitForReply(written: Message, who: User, what: string, expected: RegExp) {
      const { channel } = written;
      const replies = () =>
        channel.history.filter((one) => one.author.isBot && one.referenceId === written.id);
      return await waitFor(who, what, expected, replies);
    }

    async function waitFor(who: User, what: string, expected: RegExp, replies: () => Message[]) {
      const startedMs = performance.now();
      const seconds = () => (performance.now() - startedMs) / 1000;
      const has = (file: RegExp) =>
        replies().some(({ text, files }) => expected.test(text) && files.some(({ name }) => file.test(name)));
      const isThere = () => replies().some(({ text }) => expected.test(text));
      const texts = () => replies().map(({ text }) => text);
      await ask({ who, what, expected, texts }, fake.waitUntil(isThere));
      times.add("words", seconds());
      // On a busy machine the bot stops waiting for a still or a clip. Nothing waits for them here.
      for (const [kind, file] of [
        ["still", /^scene\./],
        ["clip", /\.mp4$/],
      ] as const) {
        void fake
          .waitUntil(() => has(file), `the ${kind} of ${who.name}`)
          .then(() => times.add(kind, seconds()))
          .catch(() => undefined);
      }
      const [reply] = replies();
      if (reply === undefined) throw new Error("no answer");
      return reply;
    }

    const bySlash = (user: User, bytes: Uint8Array, expected: RegExp, channel = channelOf(user)) =>
      follow(user, user.slash("find", { image: fileOf(bytes) }, { channel }), "slash", expected);

    // A user installs the bot and uses it in a server where the bot is no member.
    const byInstalling = async () => {
      const user = join();
      user.install();
      pays(user);
      const foreign = fake.createGuild({ owner: user, hasBot: false }).channel("general");
      await bySlash(user, await readFrame("beta", 5), titleOf("beta"), foreign);
    };

    return {
      platform: "discord",
      label: "Discord",
      leastPeople: 25,
      createUser(name) {
        const user = fake.createUser({ name });
        const guild = guilds[channels.size % guilds.length];
        if (guild === undefined) throw new Error("There is no server.");
        guild.addMember(user);
        channels.set(user, guild.channel("general"));
        return user;
      },
      find: (user, image, expected) => bySlash(user, image, expected),
      async turnPages(user, other, reply, title) {
        guilds.find((one) => one.channels.includes(reply.channel))?.addMember(other);
        const next = reply.button(/look-alike/).customId ?? "";
        const click = other.clickButton(reply, next);
        const refused = await follow(other, click, "stranger", /Only the person who asked/);
        expect(refused.visibleTo).toBe(other.id);
        await user.clickButton(reply, next).replyWhere(({ text }) => !title.test(text));
        const back = reply.button("Previous").customId ?? "";
        await user.clickButton(reply, back).replyWhere(({ text }) => title.test(text));
        const right = reply.button("That's it").customId ?? "";
        await user.clickButton(reply, right).replyWhere(() => reply.button("That's it").isDisabled);
      },
      async startLink(user) {
        const pattern = /[A-Z]{4}-[A-Z]{4}/;
        const interaction = user.slash("link", {}, { channel: channelOf(user) });
        const offer = await interaction.replyWhere(({ text }) => pattern.test(text));
        expect(offer.visibleTo ?? user.id).toBe(user.id);
        return {
          code: pattern.exec(offer.text)?.[0] ?? "",
          connected: () => interaction.replyWhere(({ text }) => text.includes("Connected")),
        };
      },
      async findAdult(user, image, title) {
        const night = user.slash("find", { image: fileOf(image) }, { channel: channelOf(user) });
        const neutral = await night.reply();
        expect([neutral.text, neutral.isEphemeral]).toEqual([expect.stringContaining("can't show"), false]);
        expect(neutral.text).not.toMatch(title);
        const alone = await night.followUp();
        expect([alone.text, alone.visibleTo]).toEqual([expect.stringMatching(title), user.id]);
      },
      async fail() {
        fake.faults.rateLimit({ route: /PATCH .*@original/, retryAfterSeconds: 1, times: 2 });
        fake.gateway.drop();
        await fake.gateway.resumed();
        fake.faults.fail({ route: "POST /channels/{channel_id}/messages", status: 502, times: 2 });
      },
      stories: [byInstalling],
      seconds: [1, 2, 4],
      ways: [
        (user, bytes, title) => bySlash(user, bytes, title),
        async (user, bytes, title) => {
          const shown = user.sendMessage(channelOf(user), { attachments: [fileOf(bytes)] });
          await follow(user, user.messageCommand("Find anime scene", shown), "menu", title);
        },
        async (user, bytes, title, atSeconds) => {
          const [channel, attachments] = [channelOf(user), [fileOf(bytes)]];
          const image =
            atSeconds % 2 === 0 ? { replyTo: user.sendMessage(channel, { attachments }) } : { attachments };
          const mention = { mentionsBot: true, content: "which one?", ...image };
          await waitForReply(user.sendMessage(channel, mention), user, "mention", title);
        },
        async (user, bytes, title) => {
          const written = user.sendMessage(user.direct, { attachments: [fileOf(bytes)] });
          await waitForReply(written, user, "direct", title);
        },
      ],
      async finish() {
        // An image of 12 MB, and a text with the type of an image.
        const [large, joker] = [join(), join()];
        pays(large);
        const frame = sharp(await readFrame("beta", 4)).resize(2400, 1800);
        const bytes = new Uint8Array(await frame.png({ compressionLevel: 0 }).toBuffer());
        expect(bytes.length).toBeGreaterThan(12_000_000);
        await bySlash(large, bytes, titleOf("beta"));
        await bySlash(joker, new TextEncoder().encode("no picture at all"), /can't read this file/);
      },
      check() {
        expect(fake.gateway.resumeCount).toBeGreaterThan(0);
        expect(fake.gateway.identifyCount).toBe(1);
      },
    };
  },
);

function isFor({ pings, channel, referenceId }: Message, user: User): boolean {
  return pings.includes(user.id) || (channel === user.direct && referenceId === undefined);
}

function isAfter(a: string, b: string): boolean {
  return BigInt(a) > BigInt(b);
}

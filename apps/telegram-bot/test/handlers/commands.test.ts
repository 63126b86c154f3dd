import { makeReply } from "@koma/bot-core/testing/replies";
import { expect, test } from "vitest";
import { openBotForTest } from "../fixtures/open-scripted-bot.ts";

/** A poll in Telegram's own words. */
const poll: unknown = JSON.parse(
  '{"id":"1","type":"regular","question":"?","options":[],"total_voter_count":0,"is_closed":false,"is_anonymous":true,"allows_multiple_answers":false,"allows_revoting":true,"members_only":false}',
);
const date = () => Math.floor(Date.now() / 1000);

test("a location, a contact, a poll and a dice in private get one line, and none in a group", async () => {
  const { fake } = await openBotForTest();
  const contents = {
    location: { latitude: 35.7, longitude: 139.7 },
    contact: { phone_number: "1", first_name: "Bo" },
    poll,
    dice: { emoji: "🎲", value: 3 },
  };
  await Promise.all(
    Object.entries(contents).map(async ([name, content]) => {
      // Telegram permits one message per second in a chat.
      const user = fake.createUser({ name, language: "en" });
      await user.starts();
      const group = fake.createGroup({ members: [user], isBotAdmin: true });
      const from = { id: user.id, is_bot: false, first_name: name, language_code: "en" };
      const deliver = (chat: object) =>
        fake.updates.deliver({
          message: { message_id: 900, date: date(), chat, from, [name]: content },
        } as never);
      deliver({ id: group.id, type: "supergroup", title: "Group" });
      deliver({ id: user.id, type: "private", first_name: name });
      const reply = await user.direct.waitForMessage(({ text }) => text.startsWith("Send me a screenshot"));
      expect([name, reply.text.split("\n").length]).toEqual([name, 1]);
      await fake.updates.settled();
      expect([name, group.replies]).toEqual([name, []]);
    }),
  );
});

test.each(["rankings", "credits", "link"])("/%s shows typing while the API is slow", async (name) => {
  const { promise: isDone, resolve: finish } = Promise.withResolvers<void>();
  const respond = async () => {
    await isDone;
    return makeReply({ text: "done", isPrivate: true });
  };
  const { fake, user } = await openBotForTest({ rankings: respond, credits: respond, startLink: respond });
  await user.starts();
  await user.direct.waitForMessage();
  const typing = () => fake.calls.filter(({ method }) => method === "sendChatAction").length;
  expect(typing()).toBe(0);
  const command = await user.sends(user.direct, `/${name}`);
  await expect.poll(typing).toBe(1);
  finish();
  expect((await command.reply()).text).toBe("done");
});

test("/anime and /top answer in a group, /history in private only, and /top there shows the rankings", async () => {
  const { fake, user } = await openBotForTest();
  await user.starts();
  const openGroup = () => fake.createGroup({ members: [user], isBotAdmin: true });
  expect((await (await user.sends(openGroup(), "/anime cowboy bebop")).reply()).text).toBe(
    "anime cowboy bebop",
  );
  expect((await (await user.sends(openGroup(), "/top")).reply()).text).toBe("top");
  expect((await (await user.sends(user.direct, "/top")).reply()).text).toBe("rankings");
  const request = await user.sends(openGroup(), "/history");
  expect((await request.reply()).text).toBe("I've sent you a direct message.");
  await user.direct.waitForMessage(({ text }) => text === "history");
});

test("a channel's posts are served: commands, and every image where its managers chose it", async () => {
  let isEveryImage = false;
  const { fake, calls, user } = await openBotForTest({
    searchesEveryImage: async () => isEveryImage,
    settings: async ({ chat }) => makeReply({ text: `managed: ${chat.isManagedByRequester}` }),
  });
  // The fake has no channels: a group has the id of one.
  const group = fake.createGroup({ members: [user], isBotAdmin: true });
  const chat = { id: group.id, type: "channel" as const, title: "News" };
  let id = 900;
  const post = (content: object) => {
    id += 1;
    const channel_post = { message_id: id, date: date(), chat, sender_chat: chat, ...content };
    fake.updates.deliver({ channel_post } as never);
  };
  const photo = () => [
    { file_id: `f${id}`, file_unique_id: `u${id}`, width: 100, height: 60, file_size: 10 },
  ];
  const entities = [{ type: "bot_command", offset: 0, length: 9 }];
  post({ text: "/settings", entities });
  await group.waitForMessage(({ text }) => text === "managed: true");
  post({ photo: photo() });
  await fake.updates.settled();
  expect(calls.lookups).toHaveLength(0);
  isEveryImage = true;
  post({ photo: photo() });
  await group.waitForMessage(({ text }) => text === "found");
  expect(calls.lookups).toMatchObject([
    { person: { displayName: "News" }, chat: { kind: "group", id: `${group.id}`, name: "News" } },
  ]);
  isEveryImage = false;
  post({
    photo: photo(),
    caption: "@koma_bot",
    caption_entities: [{ type: "mention", offset: 0, length: 9 }],
  });
  await expect.poll(() => calls.lookups.length).toBe(2);
});

import type { LookupRequest } from "@koma/bot-core";
import { makeReply } from "@koma/bot-core/testing/replies";
import type { Script } from "@koma/bot-core/testing/scripted-core";
import type { GroupOptions } from "@koma/fake-telegram";
import sharp from "sharp";
import { expect, test } from "vitest";
import { openBotForTest } from "../fixtures/open-scripted-bot.ts";

const draw = async (background: string) =>
  new Uint8Array(
    await sharp({ create: { width: 320, height: 180, channels: 3, background } })
      .jpeg()
      .toBuffer(),
  );

async function open(script: Script = {}, groupOptions: GroupOptions = {}) {
  const searched: LookupRequest[] = [];
  const opened = await openBotForTest({
    searchesEveryImage: async () => true,
    lookupAutomatically: async (request) => {
      searched.push(request);
      return makeReply({ title: "found" });
    },
    ...script,
  });
  const group = opened.fake.createGroup({ members: [opened.user], isBotAdmin: true, ...groupOptions });
  return { ...opened, group, searched };
}

test("an image without a mention is searched for its poster where managers chose it", async () => {
  const { fake, user, group, searched, calls } = await open();
  const message = await user.sends(group, { photo: await draw("#c04060"), text: "nice evening" });
  expect((await message.reply()).text).toBe("found");
  await user.sends(group, "no image");
  await fake.updates.settled();
  expect(searched).toMatchObject([{ person: { id: String(user.id) }, chat: { kind: "group" } }]);
  expect(calls.lookups).toEqual([]);
});

test("where it is off, an image without a mention is neither stored nor searched", async () => {
  const { fake, user, group, searched, calls } = await open({ searchesEveryImage: async () => false });
  const message = await user.sends(group, { photo: await draw("#c04060") });
  await fake.updates.settled();
  expect([message.replies, searched, calls.done]).toEqual([[], [], []]);
});

test("the settings are those of the forum topic, and the reply stays in it", async () => {
  const { fake, user, group, searched } = await open(
    { searchesEveryImage: async ({ channelId }) => channelId === chosenTopic },
    { isForum: true },
  );
  const [art, talk] = [group.topic("art"), group.topic("talk")];
  chosenTopic = String(art.id);
  const other = await user.sends(group, { photo: await draw("#40c060"), topic: talk });
  const message = await user.sends(group, { photo: await draw("#c04060"), topic: art });
  expect((await message.reply()).topicId).toBe(art.id);
  await fake.updates.settled();
  expect(other.replies).toHaveLength(0);
  expect(searched.map(({ chat }) => chat.channelId)).toEqual([chosenTopic]);
});
let chosenTopic = "";

test("no reply is sent if the core has none", async () => {
  const { fake, user, group, calls } = await open({ lookupAutomatically: async () => undefined });
  const message = await user.sends(group, { photo: await draw("#c04060") });
  await expect.poll(() => calls.done).toEqual([`a:${group.id}:${message.id}`]);
  await fake.updates.settled();
  expect(message.replies).toHaveLength(0);
});

test("an album is one search with one reply", async () => {
  const { fake, user, group, searched } = await open();
  const album = await Promise.all(
    ["#c04060", "#40c060", "#4060c0"].map(async (one) => ({ photo: await draw(one) })),
  );
  const message = await user.sends(group, { album });
  expect((await message.reply()).text).toBe("found");
  await fake.updates.settled();
  expect(searched.map(({ subject }) => ("images" in subject ? subject.images.length : 1))).toEqual([3]);
});

test("a mention in the same group is one ordinary search", async () => {
  const { user, group, searched, calls } = await open();
  const message = await user.sends(group, { photo: await draw("#c04060"), text: "@koma_bot" });
  expect((await message.reply()).text).toBe("found");
  expect([searched.length, calls.lookups.length]).toEqual([0, 1]);
});

test("messages of other bots, inline messages and stickers are ignored", async () => {
  const { fake, user, group, searched, calls } = await open();
  const chat = { id: group.id, type: "supergroup" as const, title: "Fans" };
  const from = { id: user.id, is_bot: false, first_name: "Ann" };
  const robot = { id: 77, is_bot: true, first_name: "Robot", username: "robot" };
  const photo = [{ file_id: "f", file_unique_id: "u", width: 100, height: 60, file_size: 10 }];
  const message = { message_id: 900, date: Math.floor(Date.now() / 1000), chat, from, photo };
  fake.updates.deliver({ message: { ...message, from: robot } });
  fake.updates.deliver({ message: { ...message, message_id: 901, via_bot: robot } });
  const shape = { type: "regular" as const, width: 512, height: 512, is_animated: false, is_video: false };
  const sticker = { ...shape, file_id: "s", file_unique_id: "s" };
  const { photo: _, ...plain } = message;
  fake.updates.deliver({ message: { ...plain, message_id: 902, sticker } });
  await fake.updates.settled();
  expect([searched, calls.done]).toEqual([[], []]);
});

test("the settings state whether Telegram hides the messages of the group", async () => {
  const seen: (boolean | undefined)[] = [];
  const { fake, user, group } = await open(
    {
      settings: async ({ chat }) => {
        seen.push(chat.hidesOtherMessages);
        return makeReply({ kind: "settings", title: "settings" });
      },
    },
    { isBotAdmin: false },
  );
  await (await user.sends(group, "/settings@koma_bot")).reply();
  group.promoteBot();
  await (await user.sends(group, "/settings@koma_bot")).reply();
  await fake.updates.settled();
  expect(seen).toEqual([true, false]);
});

test("an option of the settings is chosen for the topic in which they are open", async () => {
  const option = {
    target: "set.place.images.here.tag",
    label: "Here",
    description: undefined,
    isChosen: false,
  };
  const menu = {
    kind: "one" as const,
    target: "SET.place.images",
    label: "Images",
    values: [],
    options: [option],
  };
  const { user, group, calls } = await open(
    { settings: async () => makeReply({ kind: "settings", title: "settings", menus: [menu] }) },
    { isForum: true },
  );
  const art = group.topic("art");
  const panel = await (await user.sends(group, { text: "/settings@koma_bot", topic: art })).reply();
  await user.clicks(panel.button("Here")).response();
  const chat = { channelId: String(art.id), isManagedByRequester: true, hidesOtherMessages: false };
  expect(calls.actions).toMatchObject([{ target: option.target, chat }]);
});

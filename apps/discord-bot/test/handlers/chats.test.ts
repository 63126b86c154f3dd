import type { APIInteraction } from "discord.js";
import { expect, test } from "vitest";
import { createKnowChannel } from "../../src/discord/know-channel.ts";
import { findThreadParent, readInteractionRequester } from "../../src/handlers/requester.ts";

const user = { id: "1", username: "ann", global_name: null };
const nameServer = () => undefined;

/** An interaction in Discord's format with these fields. */
function interaction(overrides: object): APIInteraction {
  return { id: "9", type: 2, token: "t", locale: "en-US", ...overrides } as unknown as APIInteraction;
}

const channels = new Map<string, object>([
  ["thread", { id: "thread", type: 11, parent_id: "parent" }],
  ["parent", { id: "parent", type: 0, nsfw: true, parent_id: "category" }],
  ["category", { id: "category", type: 4 }],
]);
const requested: string[] = [];
const knowChannel = createKnowChannel({
  peek: () => undefined,
  async getChannel(id) {
    requested.push(id);
    return (channels.get(id) ?? Promise.reject(new Error("unknown"))) as never;
  },
});

test("a thread inherits the age restriction of its channel; categories are not requested", async () => {
  expect(await knowChannel("thread")).toMatchObject({ isAgeRestricted: true, parentChannelId: "parent" });
  expect(requested).toEqual(["thread", "parent"]);
  expect(await knowChannel("nowhere")).toMatchObject({ isAgeRestricted: false });
});

test("an interaction in a thread has the chat of its channel", async () => {
  const inThread = interaction({
    member: { user, permissions: "0" },
    guild_id: "7",
    channel_id: "thread",
    channel: { id: "thread", type: 11, parent_id: "parent" },
  });
  expect(findThreadParent(inThread)).toBe("parent");
  const parent = await knowChannel("parent");
  expect(readInteractionRequester(inThread, { nameServer, parent })?.chat).toMatchObject({
    channelId: "thread",
    parentChannelId: "parent",
    isAgeRestricted: true,
  });
  const inChannel = interaction({ channel: { id: "c", type: 0, parent_id: "category" } });
  expect(findThreadParent(inChannel)).toBeUndefined();
});

test("a group is never treated as direct messages with the bot", () => {
  const inGroup = interaction({ user, channel_id: "5", channel: { id: "5", type: 3 } });
  expect(readInteractionRequester(inGroup, { nameServer })).toMatchObject({
    chat: { kind: "group" },
    writableChannelId: undefined,
  });
});

test("the permission to delete messages is distinct from the permission to manage the server", () => {
  const moderator = interaction({
    member: { user, permissions: "8192" },
    guild_id: "7",
    channel_id: "c",
    channel: { id: "c", type: 0 },
  });
  expect(readInteractionRequester(moderator, { nameServer })?.chat).toMatchObject({
    isManagedByRequester: false,
    isModeratedByRequester: true,
  });
});

import { type Client, Events } from "discord.js";
import { afterEach, expect, test } from "vitest";
import { type Fake, type FakeOptions, openFake } from "../src/index.ts";
import { logIn } from "./fixtures/log-in.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function open(options: FakeOptions = {}): Promise<Fake> {
  const fake = await openFake(options);
  closing.push(() => fake.close());
  return fake;
}

async function connect(fake: Fake, shard: number, shardCount: number) {
  const { client } = await logIn(fake, { shards: [shard], shardCount });
  closing.push(() => client.destroy());
  const heard: string[] = [];
  client.on(Events.MessageCreate, ({ content }) => heard.push(content));
  return { client, heard };
}

const guildNames = (client: Client) => client.guilds.cache.map(({ name }) => name);

test("each guild's events go to its shard, and direct messages to the first one", async () => {
  const fake = await open();
  const user = fake.createUser();
  const guilds = [0, 1].map((index) =>
    fake.createGuild({ name: `on ${index}`, members: [user], shard: [index, 2] }),
  );
  const [first, second] = [await connect(fake, 0, 2), await connect(fake, 1, 2)];
  expect([guildNames(first.client), guildNames(second.client)]).toEqual([["on 0"], ["on 1"]]);
  for (const guild of guilds) user.sendMessage(guild.channel("general"), guild.name);
  user.sendMessage(user.direct, "direct");
  await expect.poll(() => [first.heard, second.heard]).toEqual([["on 0", "direct"], ["on 1"]]);
  expect(fake.gateway.shards).toEqual(["0/2", "1/2"]);
});

test("while a bot reshards, sessions with both shard counts receive a message", async () => {
  const fake = await open();
  const user = fake.createUser();
  const guild = fake.createGuild({ members: [user], shard: [1, 2] });
  const [old, next] = [await connect(fake, 1, 2), await connect(fake, 0, 1)];
  user.sendMessage(guild.channel("general"), "both");
  await expect.poll(() => [old.heard, next.heard]).toEqual([["both"], ["both"]]);
});

test("an invalid shard and a shard with too many guilds are rejected", async () => {
  const fake = await open({ guildsPerShard: 1 });
  for (const shard of [0, 1]) fake.createGuild({ shard: [shard, 2] });
  const { client } = await connect(fake, 0, 2);
  expect(client.guilds.cache.size).toBe(1);
  await expect(logIn(fake)).rejects.toThrow(/sharding is required/i);
  await expect(logIn(fake, { shards: [2], shardCount: 2 })).rejects.toThrow(/invalid shard/i);
});

test("an identify that comes too early gets an invalid session, and the client repeats it", async () => {
  const fake = await open({ identifyIntervalMs: 800 });
  await Promise.all([connect(fake, 0, 2), connect(fake, 1, 2)]);
  expect(fake.gateway.shards).toEqual(["0/2", "1/2"]);
  expect(fake.gateway.tooEarlyCount).toBeGreaterThan(0);
});

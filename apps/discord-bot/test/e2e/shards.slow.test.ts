import { readFrame } from "@koma/bot-core/testing/open-test-env";
import type { Running } from "@koma/bot-core/testing/run";
import type { Channel, Guild, Message, User } from "@koma/fake-discord";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestEnv, type TestEnv } from "../fixtures/test-env.ts";

let testEnv: TestEnv;
let person: User;
let guilds: Guild[];
const bots = new Map<string, Running>();
// The tests continue with the processes of the test before.
beforeAll(async () => {
  testEnv = await openTestEnv({ fake: { identifyIntervalMs: 5_000 } });
  person = testEnv.fake.createUser({ name: "Ann" });
  guilds = [0, 1].map((index) => testEnv.fake.createGuild({ members: [person], shard: [index, 2] }));
});
afterAll(async () => {
  expect(testEnv.fake.violations).toEqual([]);
  await testEnv.close();
});

async function startBots(...shards: string[]): Promise<void> {
  for (const range of shards) {
    bots.set(range, await testEnv.startBot({ KOMA_DISCORD_SHARDS: range, KOMA_BOT_PORT: "0" }));
  }
}

async function stopBot(range: string, signal?: NodeJS.Signals) {
  const end = await testEnv.stopBot(signal, bots.get(range));
  bots.delete(range);
  return end;
}

async function readHealth(range: string): Promise<unknown> {
  const [, port] = /"port":(\d+)/.exec(bots.get(range)?.output.stderr ?? "") ?? [];
  return await (await fetch(`http://127.0.0.1:${port}/health`)).json();
}

const channelOf = (index: number): Channel => {
  const guild = guilds[index];
  if (guild === undefined) throw new Error(`There is no guild ${index}.`);
  return guild.channel("general");
};
const scene = async (second = 3) => ({ name: "a.jpg", bytes: await readFrame("alpha", second) });
const requests: [Message, Channel][] = [];
const request = async (channel: Channel, second?: number, requester = person) => {
  const message = requester.sendMessage(channel, { mentionsBot: true, attachments: [await scene(second)] });
  requests.push([message, channel]);
};
const repliesTo = ({ id }: Message, channel: Channel) =>
  channel.history.filter(({ referenceId }) => referenceId === id);
const waitForReply = (message: Message, channel: Channel) =>
  testEnv.fake.waitUntil(() => repliesTo(message, channel).length > 0, "a reply");
const sendRoute = "POST /channels/{channel_id}/messages";
/** The messages that the bot tried to send; Discord's check of the nonce would hide a second attempt. */
const countSends = () =>
  testEnv.fake.requests.filter(({ method, route }) => `${method} ${route}` === sendRoute).length;
/** Every process has completed its work on the messages once it has ended. */
const stopBots = async (...shards: string[]) => {
  for (const range of shards) expect((await stopBot(range))?.code).toBe(0);
};

test("two processes that start together identify one after the other, and reply once each", async () => {
  await Promise.all([startBots("0/2"), startBots("1/2")]);
  expect(testEnv.fake.gateway).toMatchObject({ shards: ["0/2", "1/2"], identifyCount: 2, tooEarlyCount: 0 });
  for (const shardRange of ["0/2", "1/2"])
    expect(await readHealth(shardRange)).toMatchObject({ status: "ok", shards: 1, shardRange });
  const registering = ["0/2", "1/2"].filter((one) =>
    /commands registered/.test(bots.get(one)?.output.stderr ?? ""),
  );
  expect(registering).toEqual(["0/2"]);
  for (const channel of [channelOf(0), channelOf(1), person.direct]) await request(channel);
  for (const [message, channel] of requests) await waitForReply(message, channel);
}, 180_000);

test("a running process of other shards completes the request of a killed one, once", async () => {
  const channel = channelOf(1);
  const outage = testEnv.fake.faults.fail({ route: sendRoute, status: 503 });
  const role = guilds[1]?.botRoleId;
  const message = person.sendMessage(channel, { content: `<@&${role}>`, attachments: [await scene()] });
  await testEnv.fake.waitUntil(() => outage.hits > 0, "an attempt to reply");
  await stopBot("1/2", "SIGKILL");
  outage.remove();
  await waitForReply(message, channel);
  expect(repliesTo(message, channel).map(({ text }) => text)).toEqual([
    expect.stringContaining("Alpha Show"),
  ]);
}, 240_000);

test("while a bot reshards, two processes receive each event and one of them replies", async () => {
  // A replacement with the other number of shards starts while the processes run.
  await startBots("1/2", "0/1");
  expect(testEnv.fake.gateway.shards).toEqual(["0/1", "0/2", "1/2"]);
  const sent = countSends();
  // A process accepts five requests of one person at a time.
  const ben = testEnv.fake.createUser({ name: "Ben" });
  const eve = testEnv.fake.createUser({ name: "Eve" });
  const fay = testEnv.fake.createUser({ name: "Fay" });
  for (const guild of guilds) for (const member of [ben, fay]) guild.addMember(member);
  for (const [channel, requester] of [
    [channelOf(0), ben],
    [channelOf(1), fay],
    [eve.direct, eve],
  ] as const) {
    for (const second of [2, 4]) await request(channel, second, requester);
  }
  const command = fay.slash("find", { image: await scene(5) }, { channel: channelOf(1) });
  for (const [message, channel] of requests) await waitForReply(message, channel);
  const found = await command.reply();
  expect(found.text).toContain("Alpha Show");
  await stopBots("0/2", "1/2");
  // Only the new process is left; the message is of one of the others.
  expect(testEnv.fake.gateway.shards).toEqual(["0/1"]);
  const [reply] = requests.flatMap(([message, channel]) =>
    message.author.id === ben.id ? repliesTo(message, channel) : [],
  );
  await ben.clickButton(reply ?? found, reply?.button(/look-alike/).customId ?? "").reply();
  expect(reply?.text).not.toContain("### Alpha Show");
  await stopBots("0/1");
  expect(requests.map(([message, channel]) => repliesTo(message, channel).length)).toEqual(
    requests.map(() => 1),
  );
  expect(countSends() - sent).toBe(6);
}, 240_000);

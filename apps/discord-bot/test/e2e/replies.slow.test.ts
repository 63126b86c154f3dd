import { guestQuota, signUp } from "@koma/bot-core/testing/account";
import { readFrame } from "@koma/bot-core/testing/open-test-env";
import type { Channel, Guild, User } from "@koma/fake-discord";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openTestEnv, type TestEnv } from "../fixtures/test-env.ts";

let testEnv: TestEnv;
let guild: Guild;
beforeAll(async () => {
  testEnv = await openTestEnv({ bot: { KOMA_BOT_PORT: "0" } });
});
afterAll(async () => {
  expect(testEnv.fake.violations).toEqual([]);
  expect(testEnv.fake.warnings).toEqual([]);
  await testEnv.close();
});

let person: User;
let channel: Channel;
beforeEach(() => {
  person = testEnv.fake.createUser({ name: "Ann" });
  guild = testEnv.fake.createGuild({ members: [person], name: "Anime club" });
  channel = guild.channel("general");
});

const scene = async (second = 3) => ({ name: "a.jpg", bytes: await readFrame("alpha", second) });
const used = async (user: User) => {
  const requested = { botKey: await testEnv.botKey(), chatUser: `discord:${user.id}` };
  const { limit, remaining } = await guestQuota(testEnv.apiUrl(), requested);
  return limit - remaining;
};

test("a scene with its clip; paging and confirming are free, and the scene appears in /recent", async () => {
  const message = await person.slash("find", { image: await scene() }, { channel }).reply();
  expect(message.text).toMatch(/Alpha Show[\s\S]*Episode 1[\s\S]*99/);
  await expect.poll(() => message.files.map(({ name }) => name)).toEqual(["scene.mp4"]);
  expect(message.buttons.map(({ label }) => label)).not.toContain("Next");
  await person.clickButton(message, message.button(/look-alike/).customId ?? "").reply();
  expect(message.text).not.toContain("### Alpha Show");
  await person.clickButton(message, message.button("Previous").customId ?? "").reply();
  await person.clickButton(message, message.button("That's it").customId ?? "").reply();
  expect(message.button("That's it").isDisabled).toBe(true);
  expect(await used(person)).toBe(1);
  const other = testEnv.fake.createUser({ name: "Ben" });
  const recent = await other.slash("recent").reply();
  expect(recent.text).toContain("Alpha Show");
  expect(recent.text).not.toContain("Ann");
});

test("after a restart paging works, the same image is free, and no request gets a second reply", async () => {
  const message = await person.slash("find", { image: await scene(5) }, { channel }).reply();
  expect((await testEnv.stopBot())?.code).toBe(0);
  await testEnv.startBot();
  await person.clickButton(message, message.button(/look-alike/).customId ?? "").reply();
  expect(message.text).not.toContain("### Alpha Show");
  const again = await person.slash("find", { image: await scene(5) }, { channel }).reply();
  expect(again.text).toContain("this one is free");
  expect(await used(person)).toBe(1);
  expect(channel.messages).toHaveLength(2);
});

test("after SIGKILL during a search the bot replies once and charges once", async () => {
  const requested = person.slash("find", { image: await scene(4) }, { channel });
  const written = person.sendMessage(person.direct, { attachments: [await scene(2)] });
  await requested.acknowledged();
  // The modal is shown once the bot has recorded the request.
  await testEnv.fake.waitUntil(() => person.direct.typingCount > 0, "typing");
  await testEnv.stopBot("SIGKILL");
  await testEnv.startBot();
  expect((await requested.reply()).text).toContain("Alpha Show");
  const replies = () => person.direct.history.filter(({ referenceId }) => referenceId === written.id);
  await testEnv.fake.waitUntil(() => replies().length > 0, "the direct answer");
  expect(replies()).toHaveLength(1);
  expect(await used(person)).toBe(2);
}, 180_000);

test("/link, /credits, /unlink and /forget with the user's own key", async () => {
  const account = await signUp(testEnv.apiUrl(), "ann");
  const interaction = person.slash("link", {}, { channel });
  const offer = await interaction.reply();
  await account.approve(/[A-Z]{4}-[A-Z]{4}/.exec(offer.text)?.[0] ?? "");
  await interaction.replyWhere(({ text }) => text.includes("Connected"));
  await person.slash("find", { image: await scene() }, { channel }).reply();
  expect([await account.usedCredits(), await used(person)]).toEqual([1, 0]);
  const credits = await person.slash("credits", {}, { channel }).reply();
  expect([credits.isEphemeral, credits.text]).toEqual([true, expect.stringContaining("Connected since")]);
  expect((await person.slash("unlink", {}, { channel }).reply()).text).toContain("Disconnected");
  expect(await account.listKeys()).toEqual([]);
  const question = await person.slash("forget", {}, { channel }).reply();
  const sure = question.button("Delete everything").customId ?? "";
  await person.clickButton(question, sure).replyWhere(({ text }) => text.includes("deleted everything"));
});

test("a key pasted in a modal is accepted, and one posted in a channel is deleted", async () => {
  const account = await signUp(testEnv.apiUrl(), "ben");
  const { key } = await account.createKey("mine");
  const offer = await person.slash("link", {}, { channel }).reply();
  const form = person.clickButton(offer, offer.button("Use an existing key").customId ?? "");
  const field = (await form.modal()).fields[0]?.customId ?? "";
  expect((await person.submitModal(form, { [field]: key }).reply()).text).toContain("Connected");
  person.sendMessage(channel, `here: ${key}`);
  expect((await person.direct.waitForMessage()).text).toContain("API key in your message");
  expect(testEnv.log()).not.toContain(key);
});

test("/settings changes the user's language and the server's private replies", async () => {
  const own = await person.slash("settings mine", { language: "ja" }, { channel }).reply();
  expect(own.text).toMatch(/[\u3041-\u30fa]/);
  expect((await person.slash("settings server", {}, { channel }).reply()).text).toMatch(/[\u3041-\u30fa]/);
  const panel = await guild.owner.slash("settings server", {}, { channel }).reply();
  expect(panel.text).toContain("Anime club");
  const choice = panel.selects.flatMap((menu) =>
    menu.options
      .filter(({ label }) => label.includes("Only who asked"))
      .map(({ value }) => [menu, value] as const),
  )[0];
  await guild.owner.select(panel, choice?.[0].customId ?? "", [choice?.[1] ?? ""]).reply();
  const reply = await person.slash("find", { image: await scene(6) }, { channel }).reply();
  expect([reply.isEphemeral, reply.text]).toEqual([true, expect.stringContaining("アルファ")]);
});

test.each(["rankings", "recent", "help", "privacy", "credits"])("/%s", async (name) => {
  const reply = await person.slash(name, {}, { channel }).reply();
  expect(reply.text.length).toBeGreaterThan(20);
});

test("several images: a line for each, then one of them in the same message", async () => {
  const attachments = [await scene(1), { name: "b.jpg", bytes: await readFrame("beta", 1) }];
  const shown = person.sendMessage(channel, { attachments });
  const list = await person.messageCommand("Find anime scene", shown).reply();
  expect(list.text).toContain("Beta Show");
  const second = list.buttons.find(({ label }) => label === "2");
  const found = person.clickButton(list, second?.customId ?? "");
  await found.replyWhere(({ text }) => text.includes("Beta Show") && !text.includes("1. "));
  expect(await used(person)).toBe(2);
});

test("adult scenes appear in age-restricted channels, and spoilers stay hidden", async () => {
  channel.setAgeRestricted(true);
  const image = { name: "night.jpg", bytes: await readFrame("night", 3), isSpoiler: true };
  const reply = await person.slash("find", { image }, { channel }).reply();
  expect(reply.text).toContain("||Night Garden||");
  await expect.poll(() => reply.media.map(({ isSpoiler }) => isSpoiler)).toEqual([true]);
});

test("health and metrics", async () => {
  const [, port] = [...testEnv.log().matchAll(/"port":(\d+)/g)].at(-1) ?? [];
  const health = await fetch(`http://127.0.0.1:${port}/health`);
  expect([health.status, await health.json()]).toEqual([
    200,
    expect.objectContaining({ status: "ok", shards: 1, isApiReachable: true }),
  ]);
  expect(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()).toContain("lookup");
});

test("an invalid token ends the process with one clear sentence", async () => {
  await testEnv.stopBot();
  await expect(testEnv.startBot({ DISCORD_TOKEN: "a.b.c" })).rejects.toThrow(
    /ended with 78[\s\S]*Discord rejects this token/,
  );
  await testEnv.startBot();
});

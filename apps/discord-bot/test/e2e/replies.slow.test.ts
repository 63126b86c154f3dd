import { readFrame } from "@koma/bot-core/testing/open-test-env";
import type { Channel, Guild, User } from "@koma/fake-discord";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openTestEnv, type TestEnv } from "../fixtures/test-env.ts";

let testEnv: TestEnv;
let guild: Guild;
beforeAll(async () => {
  testEnv = await openTestEnv();
  await testEnv.openBot();
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
const used = (user: User) => testEnv.api.countGuestSearches(`discord:${user.id}`);

test("/link, /credits, /unlink and /forget with the user's own key", async () => {
  const account = await testEnv.api.signUp();
  const interaction = person.slash("link", {}, { channel });
  const offer = await interaction.reply();
  await account.approveLink({ userCode: /[A-Z]{4}-[A-Z]{4}/.exec(offer.text)?.[0] ?? "" });
  await interaction.replyWhere(({ text }) => text.includes("Connected"));
  await person.slash("find", { image: await scene() }, { channel }).reply();
  expect([(await account.getCredits()).free.used, await used(person)]).toEqual([1, 0]);
  const credits = await person.slash("credits", {}, { channel }).reply();
  expect([credits.isEphemeral, credits.text]).toEqual([true, expect.stringContaining("Connected since")]);
  expect((await person.slash("unlink", {}, { channel }).reply()).text).toContain("Disconnected");
  expect((await account.listApiKeys()).items).toEqual([]);
  const question = await person.slash("forget", {}, { channel }).reply();
  const sure = question.button("Delete everything").customId ?? "";
  await person.clickButton(question, sure).replyWhere(({ text }) => text.includes("deleted everything"));
});

test("a key pasted in a modal is accepted, and one posted in a channel is deleted", async () => {
  const { key } = await (await testEnv.api.signUp()).createApiKey({ title: "mine" });
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

test("adult scenes appear in age-restricted channels, and spoilers stay hidden", async () => {
  channel.setAgeRestricted(true);
  const image = { name: "night.jpg", bytes: await readFrame("night", 3), isSpoiler: true };
  const reply = await person.slash("find", { image }, { channel }).reply();
  expect(reply.text).toContain("||Night Garden||");
  await expect.poll(() => reply.media.map(({ isSpoiler }) => isSpoiler)).toEqual([true]);
});

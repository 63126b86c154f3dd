import { readFrame } from "@koma/bot-core/testing/open-test-env";
import type { Chat, User } from "@koma/fake-telegram";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestEnv, type TestEnv } from "../fixtures/test-env.ts";

let testEnv: TestEnv;
beforeAll(async () => {
  testEnv = await openTestEnv();
  await testEnv.openBot();
});
afterAll(async () => {
  expect(testEnv.fake.violations).toEqual([]);
  await testEnv.close();
});

function join(more: { language?: string; hasStarted?: boolean } = {}): { person: User; group: Chat } {
  const person = testEnv.fake.createUser({ name: "Ann", language: more.language ?? "en" });
  return {
    person,
    group: testEnv.fake.createGroup({ title: "Fans", members: [testEnv.fake.createUser(), person] }),
  };
}

test("sends private replies to the private chat, and offers a button without one", async () => {
  const { person, group } = join();
  const requested = await person.sends(group, "/credits@koma_bot");
  const closed = await requested.reply();
  expect(closed.text).toContain("for you alone");
  await person.opens(closed.button(/Write to me/));
  await person.direct.waitForMessage(({ text }) => /searches/i.test(text));
  const again = await person.sends(group, "/credits@koma_bot");
  expect((await again.reply()).text).toContain("direct message");
});

test("never shows the code of a link that was started in a group", async () => {
  const { person, group } = join();
  const closed = await (await person.sends(group, "/link@koma_bot")).reply();
  await person.opens(closed.button(/Write to me/));
  const isOffer = /[A-Z]{4}-[A-Z]{4}/;
  const offer = await person.direct.waitForMessage(({ text }) => isOffer.test(text));
  const account = await testEnv.api.signUp();
  await account.approveLink({ userCode: isOffer.exec(offer.text)?.[0] ?? "" });
  await person.direct.waitForMessage(({ text }) => text.startsWith("Connected"));
  expect(group.history.some(({ text }) => isOffer.test(text))).toBe(false);
  await person.sends(person.direct, "/unlink");
  await person.direct.waitForMessage(({ text }) => text.startsWith("Disconnected"));
});

test("restricts the settings of a group to its administrators", async () => {
  const { person, group } = join();
  const refused = await (await person.sends(group, "/settings@koma_bot")).reply();
  expect(refused.text).toContain("Only people who manage");
  group.promote(person);
  const shown = await (await person.sends(group, "/settings@koma_bot")).reply();
  expect(shown.text).toContain("Settings of Fans");
  await person.clicks(shown.button(/^Language/)).response();
  await person.clicks(shown.button("日本語")).response();
  await shown.becomes(({ buttons }) => buttons.some(({ text }) => text.endsWith("日本語")));
  // Another user without rights cannot change anything.
  const otherUser = testEnv.fake.createUser({ language: "en" });
  group.addMember(otherUser);
  const click = await otherUser.clicks(shown.button(/日本語/)).response();
  expect(click.isAlert).toBe(true);
  const silent = await (
    await otherUser.sends(group, { photo: await readFrame("alpha", 2), text: "@koma_bot" })
  ).reply();
  expect(silent.text).toContain("アルファ");
});

test("hides adult matches in groups until an administrator allows them", async () => {
  const { person, group } = join();
  await person.starts();
  const photo = await readFrame("night", 3);
  const hidden = await (await person.sends(group, { photo, text: "@koma_bot" })).reply();
  expect(hidden.text).toContain("switched off");
  group.promote(person);
  const settings = await (await person.sends(group, "/settings@koma_bot")).reply();
  await person.clicks(settings.button(/adults/)).response();
  await person.clicks(settings.button("On")).response();
  await settings.becomes(({ buttons }) => buttons.some(({ text }) => /adults.*On/.test(text)));
  const shown = await (await person.sends(group, { photo, text: "@koma_bot" })).reply();
  expect(shown.text).toContain("Night Garden");
});

test("keeps the settings of a group that becomes a supergroup", async () => {
  const { fake } = testEnv;
  const person = fake.createUser({ language: "en" });
  const group = fake.createGroup({ kind: "group", members: [person] });
  const settings = await (await person.sends(group, "/settings@koma_bot")).reply();
  await person.clicks(settings.button(/^Language/)).response();
  await person.clicks(settings.button("한국어")).response();
  await settings.becomes(({ buttons }) => buttons.some(({ text }) => text.endsWith("한국어")));
  const larger = group.migrate();
  await fake.updates.settled();
  const other = fake.createUser({ language: "en" });
  larger.addMember(other);
  const reply = await (
    await other.sends(larger, { photo: await readFrame("alpha", 2), text: "@koma_bot" })
  ).reply();
  expect(reply.buttons.map(({ text }) => text).join(" ")).toMatch(/[가-힣]/);
});

test("revokes a published API key, deletes its message, and warns its owner privately", async () => {
  const { person, group } = join();
  await person.starts();
  const user = await testEnv.api.signUp();
  const { key } = await user.createApiKey({ title: "Published" });
  const listRevoked = async () =>
    (await user.listApiKeys()).items.filter(({ revokedAt }) => revokedAt !== null);
  const direct = await person.sends(person.direct, key);
  await testEnv.fake.waitUntil(() => direct.isDeleted, "the key to be deleted");
  expect(await listRevoked()).toEqual([]);
  group.promoteBot();
  const shown = await person.sends(group, `my key is ${key}`);
  await person.direct.waitForMessage(({ text }) => text.includes("I revoked the key"));
  expect(shown.isDeleted).toBe(true);
  expect(await listRevoked()).toMatchObject([{ title: "Published" }]);
  const changed = await person.sends(group, "hello");
  person.edits(changed, `hello ${key}`);
  await testEnv.fake.waitUntil(() => changed.isDeleted, "the changed message to be deleted");
});

test("sets commands and names per language and kind of chat", async () => {
  const { person, group } = join({ language: "ja" });
  const names = (chat: Chat, who = person) => who.commandsIn(chat).map(({ command }) => command);
  expect(names(person.direct)).toContain("forget");
  expect(names(group)).toEqual(["find", "anime", "rankings", "top", "recent", "credits", "help"]);
  group.promote(person);
  expect(names(group)).toContain("settings");
  expect(person.commandsIn(group)[0]?.description).toMatch(/[ぁ-ん]/);
  expect(testEnv.fake.profile.name("ja")).not.toBe(testEnv.fake.profile.name());
  await testEnv.closeBot();
  const before = testEnv.fake.calls.filter(({ method }) => method.startsWith("setMy")).length;
  await testEnv.openBot();
  await testEnv.fake.updates.settled();
  expect(testEnv.fake.calls.filter(({ method }) => method.startsWith("setMy"))).toHaveLength(before);
});

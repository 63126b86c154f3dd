import { signUp } from "@koma/bot-core/testing/account";
import { readFrame } from "@koma/bot-core/testing/open-world";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openWorld, type World } from "../fixtures/world.ts";
import type { Chat, User } from "../stand-in/index.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(async () => {
  expect(world.standIn.violations).toEqual([]);
  await world.close();
});

function join(more: { language?: string; hasStarted?: boolean } = {}): { person: User; group: Chat } {
  const person = world.standIn.createUser({ name: "Ann", language: more.language ?? "en" });
  return {
    person,
    group: world.standIn.createGroup({ title: "Fans", members: [world.standIn.createUser(), person] }),
  };
}

test("what is for one alone goes to the private chat, and a button leads there where there is none", async () => {
  const { person, group } = join();
  const asked = await person.sends(group, "/credits@koma_bot");
  const closed = await asked.reply();
  expect(closed.text).toContain("for you alone");
  await person.opens(closed.button(/Write to me/));
  await person.direct.waitForMessage(({ text }) => /searches/i.test(text));
  const again = await person.sends(group, "/credits@koma_bot");
  expect((await again.reply()).text).toContain("direct message");
});

test("linking begun in a group: the code is never seen there", async () => {
  const { person, group } = join();
  const closed = await (await person.sends(group, "/link@koma_bot")).reply();
  await person.opens(closed.button(/Write to me/));
  const isOffer = /[A-Z]{4}-[A-Z]{4}/;
  const offer = await person.direct.waitForMessage(({ text }) => isOffer.test(text));
  const account = await signUp(world.apiUrl(), "groupie");
  await account.approve(isOffer.exec(offer.text)?.[0] ?? "");
  await person.direct.waitForMessage(({ text }) => text.startsWith("Connected"));
  expect(group.history.some(({ text }) => isOffer.test(text))).toBe(false);
  await person.sends(person.direct, "/unlink");
  await person.direct.waitForMessage(({ text }) => text.startsWith("Disconnected"));
});

test("settings of a group are its administrators'", async () => {
  const { person, group } = join();
  const refused = await (await person.sends(group, "/settings@koma_bot")).reply();
  expect(refused.text).toContain("Only people who manage");
  group.promote(person);
  const shown = await (await person.sends(group, "/settings@koma_bot")).reply();
  expect(shown.text).toContain("Settings of Fans");
  await person.presses(shown.button(/^Language/)).answered();
  await person.presses(shown.button("日本語")).answered();
  await shown.becomes(({ buttons }) => buttons.some(({ text }) => text.endsWith("日本語")));
  // Somebody who manages nothing changes nothing.
  const stranger = world.standIn.createUser({ language: "en" });
  group.addMember(stranger);
  const press = await stranger.presses(shown.button(/日本語/)).answered();
  expect(press.isAlert).toBe(true);
  const silent = await (
    await stranger.sends(group, { photo: await readFrame("alpha", 2), text: "@koma_bot" })
  ).reply();
  expect(silent.text).toContain("アルファ");
});

test("what is for adults is off in groups until an administrator allows it", async () => {
  const { person, group } = join();
  await person.starts();
  const photo = await readFrame("night", 3);
  const hidden = await (await person.sends(group, { photo, text: "@koma_bot" })).reply();
  expect(hidden.text).toContain("switched off");
  group.promote(person);
  const settings = await (await person.sends(group, "/settings@koma_bot")).reply();
  await person.presses(settings.button(/adults/)).answered();
  await person.presses(settings.button("On")).answered();
  await settings.becomes(({ buttons }) => buttons.some(({ text }) => /adults.*On/.test(text)));
  const shown = await (await person.sends(group, { photo, text: "@koma_bot" })).reply();
  expect(shown.text).toContain("Night Garden");
});

test("a group that becomes a supergroup keeps its settings", async () => {
  const { standIn } = world;
  const person = standIn.createUser({ language: "en" });
  const group = standIn.createGroup({ kind: "group", members: [person] });
  const settings = await (await person.sends(group, "/settings@koma_bot")).reply();
  await person.presses(settings.button(/^Language/)).answered();
  await person.presses(settings.button("한국어")).answered();
  await settings.becomes(({ buttons }) => buttons.some(({ text }) => text.endsWith("한국어")));
  const larger = group.migrate();
  await standIn.updates.settled();
  const other = standIn.createUser({ language: "en" });
  larger.addMember(other);
  const answer = await (
    await other.sends(larger, { photo: await readFrame("alpha", 2), text: "@koma_bot" })
  ).reply();
  expect(answer.buttons.map(({ text }) => text).join(" ")).toMatch(/[가-힣]/);
});

test("an API key that somebody shows is deleted, and its owner warned in private", async () => {
  const { person, group } = join();
  await person.starts();
  const key = `koma_${"a".repeat(52)}`;
  group.promoteBot();
  const shown = await person.sends(group, `my key is ${key}`);
  await person.direct.waitForMessage(({ text }) => text.includes("API key"));
  expect(shown.isDeleted).toBe(true);
  const direct = await person.sends(person.direct, key);
  await world.standIn.waitUntil(() => direct.isDeleted, "the key to be deleted");
  const changed = await person.sends(group, "hello");
  person.edits(changed, `hello ${key}`);
  await world.standIn.waitUntil(() => changed.isDeleted, "the changed message to be deleted");
});

test("commands and names in the language of people and for the places", async () => {
  const { person, group } = join({ language: "ja" });
  const names = (chat: Chat, who = person) => who.commandsIn(chat).map(({ command }) => command);
  expect(names(person.direct)).toContain("forget");
  expect(names(group)).toEqual(["find", "rankings", "recent", "credits", "help"]);
  group.promote(person);
  expect(names(group)).toContain("settings");
  expect(person.commandsIn(group)[0]?.description).toMatch(/[ぁ-ん]/);
  expect(world.standIn.profile.name("ja")).not.toBe(world.standIn.profile.name());
  await world.stopBot();
  const before = world.standIn.calls.filter(({ method }) => method.startsWith("setMy")).length;
  await world.startBot();
  await world.standIn.updates.settled();
  expect(world.standIn.calls.filter(({ method }) => method.startsWith("setMy"))).toHaveLength(before);
});

test("each command says something", async () => {
  const { person } = join();
  const commands = [
    "rankings",
    "recent",
    "credits",
    "settings",
    "lang",
    "help",
    "privacy",
    "start",
    "unknown",
  ];
  for (const command of commands) {
    const answer = await (await person.sends(person.direct, `/${command}`)).reply();
    expect(answer.text.length, command).toBeGreaterThan(10);
  }
  await (await person.sends(person.direct, "/lang ja")).reply(({ text }) => /[ぁ-ん]/.test(text));
  const forget = await (await person.sends(person.direct, "/forget")).reply();
  person.presses(forget.buttons[0] ?? forget.button("?"));
  await forget.becomes(({ buttons }) => buttons.length === 0);
  const nothing = await (await person.sends(person.direct, "/find")).reply();
  expect(nothing.text).toContain("/find");
});

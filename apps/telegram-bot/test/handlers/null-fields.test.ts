import sharp from "sharp";
import { afterEach, expect, test } from "vitest";
import { openScriptedBot } from "../fixtures/open-scripted-bot.ts";
import { makeButtons, makeMatch, makePreview, makeReply } from "../fixtures/replies.ts";

let close: (() => Promise<void>) | undefined;
afterEach(async () => {
  await close?.();
  close = undefined;
});

async function open() {
  const photo = new Uint8Array(
    await sharp({ create: { width: 320, height: 180, channels: 3, background: "#123456" } })
      .jpeg()
      .toBuffer(),
  );
  const match = makeMatch();
  const found = { match, preview: makePreview(photo), buttons: makeButtons("en", match) };
  const opened = await openScriptedBot({ lookup: async () => makeReply(found) }, { sendsNulls: true });
  close = opened.close;
  const user = opened.fake.createUser({ name: "Ann", language: "en" });
  const group = opened.fake.createGroup({ members: [user] });
  return { ...opened, user, group, photo };
}

test("null stands for an absent field in messages, replies and responses", async () => {
  const { fake, user, group, photo, calls } = await open();
  await (await user.sends(user.direct, { photo })).reply();
  await (await user.sends(group, { photo, text: "@koma_bot" })).reply();
  const shown = await user.sends(group, { photo });
  await (await user.sends(group, { text: "/find@koma_bot", replyTo: shown })).reply();
  expect((await (await user.sends(user.direct, "thanks!")).reply()).text).toMatch(/^Send me a screenshot/);
  await fake.updates.settled();
  expect(calls.lookups).toHaveLength(3);
  expect(fake.violations).toEqual([]);
});

test("null stands for an absent field in edits and callback queries", async () => {
  const { fake, user, photo, calls } = await open();
  const first = await (await user.sends(user.direct, { photo })).reply();
  await user.clicks(first.button(/Next/)).response();
  await first.becomes(({ text }) => text.includes("pressed"));
  const written = await user.sends(user.direct, "hello");
  const hint = await written.reply();
  user.edits(written, "https://site.example/scene.jpg");
  await hint.becomes(({ text }) => !text.startsWith("Send me"));
  expect([calls.actions.length, calls.lookups.length]).toEqual([1, 2]);
  expect(fake.violations).toEqual([]);
});

import { testNullFields } from "@koma/bot-core/testing/null-fields";
import { makeMatch, makeReply } from "@koma/bot-core/testing/replies";
import sharp from "sharp";
import { openScriptedBot } from "../fixtures/open-scripted-bot.ts";
import { makeButtons, makePreview } from "../fixtures/replies.ts";

testNullFields(async () => {
  const scene = sharp({ create: { width: 320, height: 180, channels: 3, background: "#123456" } });
  const photo = new Uint8Array(await scene.jpeg().toBuffer());
  const match = makeMatch();
  const found = { match, preview: makePreview(photo), buttons: makeButtons("en", match) };
  const { fake, calls, close } = await openScriptedBot(
    { lookup: async () => makeReply(found) },
    { sendsNulls: true },
  );
  const user = fake.createUser({ name: "Ann", language: "en" });
  const group = fake.createGroup({ members: [user] });
  return {
    calls,
    violations: () => fake.violations,
    async close() {
      await fake.updates.settled();
      await close();
    },
    steps: {
      "direct message and button": {
        async run() {
          const reply = await (await user.sends(user.direct, { photo })).reply();
          await user.clicks(reply.button(/Next/)).response();
          await reply.becomes(({ text }) => text.includes("pressed"));
        },
        search: ["direct", "image"],
      },
      mention: {
        run: async () => (await user.sends(group, { photo, text: "@koma_bot" })).reply(),
        search: ["group", "image"],
      },
      "command as a reply": {
        async run() {
          const replyTo = await user.sends(group, { photo });
          await (await user.sends(group, { text: "/find@koma_bot", replyTo })).reply();
        },
        search: ["group", "image"],
      },
      "message without an image": {
        run: async () =>
          (await user.sends(user.direct, "thanks!")).reply(({ text }) => /^Send me a screenshot/.test(text)),
      },
      "edited message": {
        async run() {
          const written = await user.sends(user.direct, "hello");
          const hint = await written.reply();
          user.edits(written, "https://site.example/scene.jpg");
          await hint.becomes(({ text }) => !text.startsWith("Send me"));
        },
        search: ["direct", "address"],
      },
    },
  };
});

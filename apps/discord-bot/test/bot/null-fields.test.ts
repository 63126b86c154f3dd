import { testNullFields } from "@koma/bot-core/testing/null-fields";
import { makeButton, makeReply } from "@koma/bot-core/testing/replies";
import { openScriptedBot } from "../fixtures/open-scripted-bot.ts";

const image = { name: "scene.png", bytes: new Uint8Array([137, 80, 78, 71]) };

testNullFields(async () => {
  const lookup = async () => makeReply({ text: "found", buttons: [[makeButton()]] });
  const { fake, calls, close } = await openScriptedBot({ lookup }, { sendsNulls: true });
  const person = fake.createUser({ name: "Ann" });
  const channel = fake.createGuild({ members: [person] }).channel("general");
  const find = (options: Parameters<typeof person.slash>[1]) =>
    person.slash("find", options, { channel }).reply();
  return {
    calls,
    violations: () => fake.violations,
    close,
    steps: {
      mention: {
        async run() {
          const replyTo = person.sendMessage(channel, { attachments: [image] });
          const mention = person.sendMessage(channel, { content: "?", mentionsBot: true, replyTo });
          await channel.waitForMessage(({ referenceId }) => referenceId === mention.id);
        },
        search: ["server", "image"],
      },
      "direct message": {
        async run() {
          person.sendMessage(person.direct, { attachments: [image] });
          await person.direct.waitForMessage(({ author }) => author.isBot);
        },
        search: ["direct", "image"],
      },
      "command and button": {
        async run() {
          const reply = await find({ image });
          await person.clickButton(reply, reply.button("Next").customId ?? "").reply();
        },
        search: ["server", "image"],
      },
      "command of a message": {
        run: () =>
          person
            .messageCommand("Find anime scene", person.sendMessage(channel, { attachments: [image] }))
            .reply(),
        search: ["server", "image"],
      },
      "command for the last image": { run: () => find({}), search: ["server", "image"] },
      "direct command": { run: () => person.slash("credits", {}, { channel: person.direct }).reply() },
    },
  };
});

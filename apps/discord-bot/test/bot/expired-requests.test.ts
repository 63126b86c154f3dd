import { testExpiredRequests } from "@koma/bot-core/testing/expired-requests";
import { type APIInteraction, ApplicationCommandType, InteractionType } from "discord.js";
import { writeResume } from "../../src/handlers/resume.ts";
import { openScriptedBot } from "../fixtures/open-scripted-bot.ts";

const image = { name: "scene.png", bytes: new Uint8Array([137, 80, 78, 71]) };

testExpiredRequests(async (script) => {
  const { fake, calls, close } = await openScriptedBot(script);
  const person = fake.createUser({ name: "Ann" });
  const guild = fake.createGuild({ members: [person] });
  const channel = guild.channel("general");
  const written = person.sendMessage(channel, { attachments: [image] });
  const where = { guildId: guild.id, guildLocale: undefined, nick: undefined, roles: [] };
  const message = { ...where, channelId: channel.id, messageId: written.id };
  const describe = (id: string, type: InteractionType, data: object) =>
    ({
      ...{ id, application_id: fake.applicationId, token: "over", type, data, locale: "en-US" },
      ...{ guild_id: guild.id, channel_id: channel.id, channel: { id: channel.id, type: 0 } },
      member: { user: { id: person.id, username: "ann" }, permissions: "0", roles: [] },
    }) as unknown as APIInteraction;
  const command = { id: "8", name: "find", type: ApplicationCommandType.ChatInput };
  const slash = describe("1001", InteractionType.ApplicationCommand, command);
  const button = { component_type: 2, custom_id: "p.1.2" };
  const click = describe("1002", InteractionType.MessageComponent, button);
  return {
    calls,
    violations: () => fake.violations,
    requests: [
      { requestId: `automatic:${written.id}`, resume: writeResume(message) },
      { requestId: written.id, resume: writeResume(message) },
      { requestId: "1001", resume: writeResume({ interaction: slash, isPrivate: false }) },
      { requestId: "1002", resume: writeResume({ interaction: click, isPrivate: false }) },
    ],
    waitUntil: (condition, what) => fake.waitUntil(condition, what),
    notes: () => channel.messages.filter(({ author }) => author.isBot),
    expected: [{ referenceId: written.id }, { referenceId: undefined, pings: [person.id] }],
    close,
  };
});

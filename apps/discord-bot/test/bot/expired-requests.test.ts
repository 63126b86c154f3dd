import type { OpenRequest } from "@koma/bot-core";
import { type APIInteraction, ApplicationCommandType, InteractionType } from "discord.js";
import { expect, test } from "vitest";
import { writeResume } from "../../src/handlers/resume.ts";
import { openScriptedBot } from "../fixtures/open-scripted-bot.ts";

const hour = 3_600_000;
const image = { name: "scene.png", bytes: new Uint8Array([137, 80, 78, 71]) };

test("requests that waited too long get a note, and a button or an unaddressed image none", async () => {
  const open: OpenRequest[] = [];
  const { fake, calls, close } = await openScriptedBot({ listExpired: async () => open.splice(0) });
  try {
    const person = fake.createUser({ name: "Ann" });
    const guild = fake.createGuild({ members: [person] });
    const channel = guild.channel("general");
    const written = person.sendMessage(channel, { attachments: [image] });
    const add = (requestId: string, resume: Parameters<typeof writeResume>[0]) =>
      open.push({
        requestId,
        state: "working",
        startedAt: new Date(Date.now() - 2 * hour),
        resume: writeResume(resume),
      });
    const where = { guildId: guild.id, guildLocale: undefined, nick: undefined, roles: [] };
    const message = { ...where, channelId: channel.id, messageId: written.id };
    const describe = (id: string, type: InteractionType, data: object) =>
      ({
        ...{ id, application_id: fake.applicationId, token: "over", type, data, locale: "en-US" },
        ...{ guild_id: guild.id, channel_id: channel.id, channel: { id: channel.id, type: 0 } },
        member: { user: { id: person.id, username: "ann" }, permissions: "0", roles: [] },
      }) as unknown as APIInteraction;
    const command = { id: "8", name: "find", type: ApplicationCommandType.ChatInput };
    const button = { component_type: 2, custom_id: "p.1.2" };
    add(`automatic:${written.id}`, message);
    add(written.id, message);
    const slash = describe("1001", InteractionType.ApplicationCommand, command);
    add("1001", { interaction: slash, isPrivate: false });
    const click = describe("1002", InteractionType.MessageComponent, button);
    add("1002", { interaction: click, isPrivate: false });

    await fake.waitUntil(() => calls.done.length === 4, "the end of all requests");
    const notes = channel.messages.filter(({ author }) => author.isBot);
    expect(notes.map(({ text }) => text.includes("Your request has expired"))).toEqual([true, true]);
    expect(notes.map(({ referenceId }) => referenceId).toSorted()).toEqual([written.id, undefined]);
    expect(notes.find(({ referenceId }) => referenceId === undefined)?.pings).toEqual([person.id]);
    expect([calls.lookups, calls.actions]).toEqual([[], []]);
    expect(fake.violations).toEqual([]);
  } finally {
    await close();
  }
});

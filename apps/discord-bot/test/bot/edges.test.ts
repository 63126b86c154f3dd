import { afterEach, expect, test, vi } from "vitest";
import { WebSocket } from "ws";
import { openScriptedBot } from "../fixtures/open-scripted-bot.ts";
import type { Script } from "../fixtures/scripted-core.ts";
import type { StandInOptions } from "../stand-in/index.ts";

const open: Awaited<ReturnType<typeof openScriptedBot>>[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  for (const world of open.splice(0)) {
    expect(world.standIn.violations).toEqual([]);
    await world.close();
  }
});

async function start(script: Script = {}, options: StandInOptions = {}) {
  const world = await openScriptedBot(script, options);
  open.push(world);
  const person = world.standIn.createUser({ name: "Ann" });
  const guild = world.standIn.createGuild({ members: [person] });
  return { ...world, person, guild, channel: guild.channel("general") };
}

const image = { name: "scene.png", bytes: new Uint8Array([1, 2, 3]) };

test("where the bot cannot read what was said, it answers without a reference", async () => {
  const { standIn, person, channel } = await start();
  standIn.faults.fail({ route: "POST /channels/{channel_id}/messages", code: 160002, times: 1 });
  person.sendMessage(channel, { mentionsBot: true, attachments: [image] });
  const answer = await channel.waitForMessage((message) => message.author.isBot);
  expect([answer.referenceId, answer.pings]).toEqual([undefined, [person.id]]);
  expect(answer.text).toContain("found");
});

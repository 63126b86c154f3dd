import type { OpenRequest } from "@koma/bot-core";
import { expect, test } from "vitest";
import { openScriptedBot } from "../fixtures/open-scripted-bot.ts";

const hour = 3_600_000;

test("a message that waited for an hour gets a note; a button and an unaddressed image none", async () => {
  const open: OpenRequest[] = [];
  const { fake, calls, close } = await openScriptedBot({ listExpired: async () => open.splice(0) });
  try {
    const user = fake.createUser({ name: "Ann", language: "en" });
    const group = fake.createGroup({ members: [user] });
    // In privacy mode the bot does not receive these messages, as if an earlier process had received them.
    const [requested, unaddressed] = [await user.sends(group, "what?"), await user.sends(group, "hello")];
    const from = { id: user.id, is_bot: false, first_name: "Ann", language_code: "en" };
    const chat = { id: group.id, type: "supergroup", title: "Fans" };
    const written = { date: Math.floor((Date.now() - 2 * hour) / 1000), chat, from };
    const command = { type: "bot_command", offset: 0, length: 5 };
    const photo = [{ file_id: "a", file_unique_id: "b", width: 640, height: 360 }];
    const add = (requestId: string, update: object) =>
      open.push({
        requestId,
        state: "working",
        startedAt: new Date(Date.now() - 2 * hour),
        resume: { update: JSON.stringify({ update_id: open.length + 1, ...update }) },
      });
    add(`a:${group.id}:${unaddressed.id}`, { message: { ...written, message_id: unaddressed.id, photo } });
    add("c:1", { callback_query: { id: "1", from, chat_instance: "1", data: "p.1.2" } });
    const message = { ...written, message_id: requested.id, text: "/find", entities: [command] };
    add(`m:${group.id}:${requested.id}`, { message });

    expect((await requested.reply()).text).toMatch(/^Your request has expired\n/);
    await fake.waitUntil(() => calls.done.length === 3, "the end of all requests");
    await fake.updates.settled();
    expect(group.replies).toHaveLength(1);
    expect([calls.lookups, calls.actions]).toEqual([[], []]);
    expect(fake.violations).toEqual([]);
  } finally {
    await close();
  }
});

import { expect, test, vi } from "vitest";
import { startPolling } from "../../src/telegram/polling.ts";
import { openBotForTest } from "../fixtures/open-scripted-bot.ts";

test.each([
  { message: { message_id: 1, date: 1, chat: { id: 1, type: "private" }, from: null, text: "hello" } },
  { message: null },
  { message: { message_id: 2, date: 1, chat: null, from: { id: 5 }, photo: [null] } },
  { callback_query: { id: "1", from: null, data: "x" } },
  { inline_query: { id: "1", from: null, query: "x" } },
  { guest_message: { guest_query_id: "q1", chat: null, from: null } },
])("the bot skips and logs an unreadable update: %j", async (update) => {
  const { fake, bot, lines, user } = await openBotForTest();
  const id = fake.updates.deliverRaw(update);
  const help = await (await user.sends(user.direct, "/help")).reply();
  expect(help.text).toBe("help");
  await fake.updates.settled();
  expect([bot.status().isHealthy, fake.updates.pendingCount]).toEqual([true, 0]);
  expect(lines.join("\n")).toMatch(new RegExp(`unreadable update ${id}|failed|error`));
});

test("the health check reports that polling has ended, and the bot exits", async () => {
  const getUpdates = vi.fn(async () => {
    throw new Error("broken");
  });
  const polling = startPolling({
    api: { getUpdates } as never,
    take: () => ({ noted: Promise.resolve(), done: Promise.resolve() }),
    onConflict: () => {},
    onError: () => {
      throw new Error("The log cannot be written.");
    },
  });
  expect((await polling.refused).message).toContain("stopped");
  expect(polling.isConnected()).toBe(false);
});

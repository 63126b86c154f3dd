import { testExpiredRequests } from "@koma/bot-core/testing/expired-requests";
import { openScriptedBot } from "../fixtures/open-scripted-bot.ts";

testExpiredRequests(async (script) => {
  const { fake, calls, close } = await openScriptedBot(script);
  const user = fake.createUser({ name: "Ann", language: "en" });
  const group = fake.createGroup({ members: [user] });
  // In privacy mode the bot does not receive these messages, as if an earlier process had received them.
  const [requested, unaddressed] = [await user.sends(group, "what?"), await user.sends(group, "hello")];
  const from = { id: user.id, is_bot: false, first_name: "Ann", language_code: "en" };
  const chat = { id: group.id, type: "supergroup", title: "Fans" };
  const written = { date: Math.floor(Date.now() / 1000) - 7200, chat, from };
  const command = { type: "bot_command", offset: 0, length: 5 };
  const photo = [{ file_id: "a", file_unique_id: "b", width: 640, height: 360 }];
  const message = { ...written, message_id: requested.id, text: "/find", entities: [command] };
  const updates = {
    [`a:${group.id}:${unaddressed.id}`]: { message: { ...written, message_id: unaddressed.id, photo } },
    "c:1": { callback_query: { id: "1", from, chat_instance: "1", data: "p.1.2" } },
    [`m:${group.id}:${requested.id}`]: { message },
  };
  return {
    calls,
    violations: () => fake.violations,
    requests: Object.entries(updates).map(([requestId, update], index) => ({
      requestId,
      resume: { update: JSON.stringify({ update_id: index + 1, ...update }) },
    })),
    async waitUntil(condition, what) {
      await fake.waitUntil(condition, what);
      await fake.updates.settled();
    },
    notes: () => group.replies,
    expected: [{ replyToId: requested.id }],
    close,
  };
});

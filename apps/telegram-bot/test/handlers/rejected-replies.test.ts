import { makeMatch, makeReply } from "@koma/bot-core/testing/replies";
import { expect, test } from "vitest";
import { openBotForTest } from "../fixtures/open-scripted-bot.ts";
import { makeButtons } from "../fixtures/replies.ts";

function open({ hasSpoiler = false } = {}) {
  const match = makeMatch({ hasSpoiler });
  const found = makeReply({ match, buttons: makeButtons("en", match) });
  return openBotForTest({ lookup: async () => found });
}

test.each(["Bad Request: can't parse entities: Unsupported start tag", "Bad Request: BUTTON_URL_INVALID"])(
  "a reply that Telegram rejects is sent without formatting and buttons: %s",
  async (description) => {
    const { fake, user, lines } = await open();
    fake.faults.fail({ method: "sendMessage", status: 400, description, times: 1 });
    const reply = await (await user.sends(user.direct, "https://site.example/a.jpg")).reply();
    await fake.updates.settled();
    expect(reply.text).toMatch(/^Alpha Show\n/);
    expect([reply.buttons, user.direct.replies.length]).toEqual([[], 1]);
    expect(lines.join("\n")).toContain(description);
  },
);

test("a spoiler stays hidden in a reply without formatting", async () => {
  const { fake, user } = await open({ hasSpoiler: true });
  const description = "Bad Request: can't parse entities";
  fake.faults.fail({ method: "sendMessage", status: 400, description, times: 1 });
  const reply = await (await user.sends(user.direct, "https://site.example/a.jpg")).reply();
  await fake.updates.settled();
  const [, call] = fake.calls.filter(({ method }) => method === "sendMessage");
  const entity = { type: "spoiler", offset: 0, length: reply.text.length };
  expect(call?.parameters.entities).toEqual([entity]);
});

test("a rate limit without a delay is waited for", async () => {
  const { fake, user } = await open();
  const body = { ok: false, error_code: 429, description: "Too Many Requests" };
  fake.faults.fail({ method: "sendMessage", status: 429, body, times: 2 });
  const reply = await (await user.sends(user.direct, "https://site.example/a.jpg")).reply();
  expect(reply.text).toMatch(/^Alpha Show\n/);
});

test("an answer to an inline query whose connection ends is repeated", async () => {
  const { fake, user } = await open();
  fake.faults.hangUp({ method: "answerInlineQuery", times: 1 });
  const query = user.asksInline("");
  await fake.waitUntil(
    () => fake.calls.some(({ method, status }) => method === "answerInlineQuery" && status === 200),
    "the answer",
  );
  expect((await query.response()).results).toEqual([]);
});

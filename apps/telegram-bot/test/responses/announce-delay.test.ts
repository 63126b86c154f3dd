import type { Message } from "grammy/types";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createDelayAnnouncer } from "../../src/responses/announce-delay.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const message = { message_id: 5, chat: { id: 7, type: "private" } } as Message;

function open({ refuses = false } = {}) {
  const calls: string[] = [];
  const record = (name: string, result: unknown) =>
    vi.fn(async (...args: unknown[]) => {
      calls.push(
        `${name} ${args
          .slice(0, 3)
          .map((part) => JSON.stringify(part))
          .join(" ")}`,
      );
      if (name === "send" && refuses) throw new Error("429");
      return result;
    });
  const api = {
    sendMessage: record("send", { message_id: 9 }),
    deleteMessage: record("delete", true),
    setMessageReaction: record("react", true),
  };
  const { promise: isAccepted, resolve: accept } = Promise.withResolvers<string>();
  const onSlow = vi.fn(async () => {});
  const announceDelay = createDelayAnnouncer({ api: api as never });
  const sent = announceDelay(() => isAccepted, { message, language: "en", onSlow });
  return { calls, sent, accept, onSlow };
}

test("a reply within 10 s is not announced", async () => {
  const { calls, sent, accept, onSlow } = open();
  await vi.advanceTimersByTimeAsync(9_900);
  accept("sent");
  expect(await sent).toBe("sent");
  await vi.advanceTimersByTimeAsync(300_000);
  expect([calls, onSlow.mock.calls]).toEqual([[], []]);
});

test("a reply that Telegram delays for 300 s is announced once after 10 s, until it is sent", async () => {
  const { calls, sent, accept, onSlow } = open();
  await vi.advanceTimersByTimeAsync(300_000);
  expect(onSlow).toHaveBeenCalledOnce();
  expect(calls).toEqual([expect.stringMatching(/^send 7 "Telegram is making me wait\..*"message_id":5/)]);
  accept("sent");
  expect(await sent).toBe("sent");
  expect(calls.slice(1)).toEqual(["delete 7 9"]);
});

test("where Telegram refuses the announcement too, the message gets a reaction instead", async () => {
  const { calls, sent, accept } = open({ refuses: true });
  await vi.advanceTimersByTimeAsync(10_000);
  accept("sent");
  await sent;
  expect(calls.slice(1)).toEqual(['react 7 5 [{"type":"emoji","emoji":"👀"}]', "react 7 5 []"]);
});

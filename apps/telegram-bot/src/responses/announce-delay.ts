import { createTranslator, type Language } from "@koma/messages";
import type { Api } from "grammy";
import type { Message } from "grammy/types";

/** A reply that is not sent by then is announced. */
const announcedAfterMs = 10_000;

/** Announces replies that Telegram does not accept yet. */
export type DelayAnnouncer = ReturnType<typeof createDelayAnnouncer>;

/**
 * Creates the function that sends a reply and, when Telegram makes it wait (429), says so after 10 s with one call
 * that is neither held back nor repeated. Where Telegram refuses that too, the message gets a reaction. Both are
 * removed when the reply is sent.
 */
export function createDelayAnnouncer({
  api,
}: {
  api: Pick<Api, "sendMessage" | "deleteMessage" | "setMessageReaction">;
}) {
  return async <Result>(
    send: () => Promise<Result>,
    to: { message: Message; language: Language; onSlow: () => Promise<void> },
  ): Promise<Result> => {
    let announced: Promise<() => Promise<unknown>> | undefined;
    const timer = setTimeout(() => {
      announced = announce(to);
    }, announcedAfterMs);
    try {
      return await send();
    } finally {
      clearTimeout(timer);
      const withdraw = await announced;
      await withdraw?.().catch(() => {});
    }
  };

  /** Returns the function that removes the notice. */
  async function announce({
    message: { chat, message_id: id, message_thread_id: thread, is_topic_message: isInTopic },
    language,
    onSlow,
  }: {
    message: Message;
    language: Language;
    onSlow: () => Promise<void>;
  }): Promise<() => Promise<unknown>> {
    await onSlow();
    try {
      const sent = await api.sendMessage(chat.id, createTranslator(language).t("reply.waiting"), {
        reply_parameters: { message_id: id, allow_sending_without_reply: true },
        ...(isInTopic === true && thread !== undefined ? { message_thread_id: thread } : {}),
      });
      return () => api.deleteMessage(chat.id, sent.message_id);
    } catch {
      await api.setMessageReaction(chat.id, id, [{ type: "emoji", emoji: "👀" }]).catch(() => {});
      return () => api.setMessageReaction(chat.id, id, []);
    }
  }
}

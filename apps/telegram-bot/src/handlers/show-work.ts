import { showTyping as showTypingBy } from "@koma/bot-core";
import type { Api } from "grammy";
import type { Message } from "grammy/types";

/** Telegram removes the typing indicator after five seconds. */
const repeatMs = 4_500;

/**
 * Shows that the bot is working until it is stopped: a reaction to a group message, or "typing" at the top of
 * the chat. Errors are ignored.
 */
export function showWork(api: Api, message: Message): { end(): Promise<void> } {
  const { chat, message_id: id } = message;
  if (chat.type === "private") {
    const typing = showTyping(api, message);
    return { end: async () => typing.end() };
  }
  let typing: { end(): void } | undefined;
  let isOver = false;
  const marked = api.setMessageReaction(chat.id, id, [{ type: "emoji", emoji: "👀" }]).then(
    () => true,
    () => {
      if (!isOver) typing = showTyping(api, message);
      return false;
    },
  );
  return {
    async end() {
      if (isOver) return;
      isOver = true;
      typing?.end();
      if (await marked) await api.setMessageReaction(chat.id, id, []).catch(() => {});
    },
  };
}

/** Shows "typing" at the top of the message's chat after a time until it is stopped. Errors are ignored. */
function showTyping(api: Api, message: Message, afterMs?: number): { end(): void } {
  const { chat, message_thread_id: thread, is_topic_message: isInTopic } = message;
  const where = isInTopic && thread !== undefined ? { message_thread_id: thread } : {};
  return showTypingBy(() => api.sendChatAction(chat.id, "typing", where), { repeatMs, afterMs });
}

/** Shows "typing" from a moment on until it is stopped, so that a quick result shows none. */
export function showTypingLater(api: Api, message: Message): { end(): void } {
  return showTyping(api, message, 400);
}

import type { Api } from "grammy";
import type { Message } from "grammy/types";

/** Telegram removes the typing indicator after five seconds. */
const repeatMs = 4_500;

/**
 * Shows that the bot is working until it is stopped: a reaction to a group message, or "typing" at the top of
 * the chat. Errors are ignored.
 */
export function showWork(api: Api, message: Message): { end(): Promise<void> } {
  const { chat, message_id: id, message_thread_id: thread, is_topic_message: isInTopic } = message;
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const type = () => {
    if (isOver) return;
    const where = isInTopic && thread !== undefined ? { message_thread_id: thread } : {};
    void api.sendChatAction(chat.id, "typing", where).catch(() => {});
  };
  const showTyping = () => {
    type();
    timer = setInterval(type, repeatMs);
  };
  const marked =
    chat.type === "private"
      ? Promise.resolve(showTyping()).then(() => false)
      : api.setMessageReaction(chat.id, id, [{ type: "emoji", emoji: "👀" }]).then(
          () => true,
          () => {
            if (!isOver) showTyping();
            return false;
          },
        );
  return {
    async end() {
      isOver = true;
      clearInterval(timer);
      if (await marked) await api.setMessageReaction(chat.id, id, []).catch(() => {});
    },
  };
}

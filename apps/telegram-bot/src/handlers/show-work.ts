import type { Api } from "grammy";
import type { Message } from "grammy/types";

/** Telegram takes the sign away after five seconds. */
const againMs = 4_500;

/**
 * Shows that the bot is at work until it is ended: eyes on a message of a group, or "typing" at the top of the chat.
 * Whether that works does not matter.
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
    timer = setInterval(type, againMs);
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

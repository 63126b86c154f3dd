import type { MessageReference } from "@koma/bot-core";
import type { Message } from "grammy/types";

/** The chat, thread and message for a reply. */
export function targetOf(message: Message) {
  const { chat, message_id: replyTo, message_thread_id: thread, is_topic_message: isInTopic } = message;
  return {
    chatId: chat.id,
    replyTo,
    isShared: chat.type !== "private",
    ...(isInTopic === true && thread !== undefined ? { threadId: thread } : {}),
  };
}

/** The message of such a reference, with what an edit needs. */
export function readReference(reference: MessageReference | undefined): Message | undefined {
  const { chatId: id, messageId } = reference ?? {};
  if (typeof id !== "number" || typeof messageId !== "number") return undefined;
  return { chat: { id }, message_id: messageId, date: 1 } as Message;
}

/** The reference that the core stores of a sent message. */
export function toReference(sent: Message | undefined): MessageReference | undefined {
  return sent && { chatId: sent.chat.id, messageId: sent.message_id };
}

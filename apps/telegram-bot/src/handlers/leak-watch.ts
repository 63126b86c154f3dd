import type { MessageReference } from "@koma/bot-core";
import type { Message } from "grammy/types";
import { isForbidden, isGone } from "../telegram/errors.ts";
import type { Attempt, HandlerParts } from "./parts.ts";
import type { Requester } from "./requester.ts";

/** Revokes API keys in messages, and deletes the messages. */
export function createLeakWatch({ core, api, sender, onError }: HandlerParts) {
  return {
    /** Revokes the keys, deletes the message if the bot may, and warns its author privately. */
    async handle(
      { chat, message_id: id, text, caption = "" }: Message,
      { person, chat: botChat }: Requester,
      { sending }: Attempt,
    ): Promise<MessageReference | undefined> {
      const [outcome, wasDeleted] = await Promise.all([
        core.revokeLeakedKeys({ person, chat: botChat, text: text ?? caption }),
        remove(chat.id, id),
      ]);
      const reply = await core.warnOfLeak({ person, chat: botChat, wasDeleted, outcome });
      await sending();
      const sent =
        (await sender.direct(reply, { person })) ??
        // No public message points to a key that is still visible and valid.
        ((wasDeleted || outcome === "revoked") && botChat.kind !== "direct"
          ? await announce(chat.id)
          : undefined);
      return sent && { chatId: sent.chat.id, messageId: sent.message_id };

      async function announce(chatId: number): Promise<Message | undefined> {
        const { displayName } = person;
        const title = [displayName, reply.title].filter(Boolean).join(": ");
        return await sender
          .send({ ...reply, title, isPrivate: false }, { chatId, isShared: true })
          .catch((error: unknown) => {
            onError("warning about a key", error);
            return undefined;
          });
      }
    },
  };

  async function remove(chatId: number, id: number): Promise<boolean> {
    try {
      return await api.deleteMessage(chatId, id);
    } catch (error) {
      if (!isForbidden(error) && !isGone(error)) onError("deleting a key", error);
      return false;
    }
  }
}

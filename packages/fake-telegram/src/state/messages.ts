import type { Account } from "./account.ts";
import { type Chat, Message, type MessageFields, now } from "./chat.ts";
import type { Content } from "./content.ts";
import type { FakeState } from "./fake-state.ts";

/** Writes, edits and deletes messages. */
export function createMessages(state: FakeState) {
  return {
    create(chat: Chat, author: Account, content: Content, fields: MessageFields = {}): Message {
      const message = new Message(chat, author, content, fields);
      chat.history.push(message);
      state.announce();
      return message;
    },

    edit(message: Message, content: Content) {
      message.content = content;
      message.editDate = now();
      message.versions.push({ media: content.media, at: Date.now() });
      state.announce();
    },

    delete(message: Message) {
      message.isDeleted = true;
      state.announce();
    },
  };
}

/** See `createMessages`. */
export type Messages = ReturnType<typeof createMessages>;

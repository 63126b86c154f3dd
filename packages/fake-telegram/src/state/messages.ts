import type { Json } from "@koma/fake-chat";
import { type FakeState, now } from "./fake-state.ts";
import type { Content, StoredChat, StoredFile, StoredMessage } from "./stored.ts";

/** A content with these fields only. */
export function createContent(fields: Partial<Content>): Content {
  return {
    text: "",
    entities: [],
    media: undefined,
    hasSpoiler: false,
    isCaptionAbove: false,
    keyboard: undefined,
    linkPreview: undefined,
    ...fields,
  };
}

/** Writes, edits and deletes messages. */
export function createMessages(state: FakeState) {
  return {
    create(
      chat: StoredChat,
      authorId: number,
      content: Content,
      fields: Partial<StoredMessage> = {},
    ): StoredMessage {
      const message: StoredMessage = {
        id: chat.nextMessageId,
        chatId: chat.id,
        authorId,
        date: now(),
        editDate: undefined,
        content,
        versions: [{ content, at: Date.now() }],
        service: undefined,
        replyToId: undefined,
        quote: undefined,
        externalReply: undefined,
        forwardOrigin: undefined,
        topicId: undefined,
        albumId: undefined,
        reactions: new Map(),
        inlineMessageId: undefined,
        isViaBot: false,
        guestOf: undefined,
        guestQueryId: undefined,
        isSilent: false,
        isProtected: false,
        isDeleted: false,
        isForBot: false,
        updateId: undefined,
        ...fields,
      };
      chat.nextMessageId += 1;
      chat.messages.push(message);
      if (authorId === state.bot.id) chat.isLastBotAnother = false;
      state.announce();
      return message;
    },

    edit(message: StoredMessage, content: Content) {
      message.content = content;
      message.editDate = now();
      message.versions.push({ content, at: Date.now() });
      state.announce();
    },

    delete(message: StoredMessage) {
      message.isDeleted = true;
      state.announce();
    },
  };
}

/** See `createMessages`. */
export type Messages = ReturnType<typeof createMessages>;

/** True if two contents are equal for Telegram: such an edit is rejected as "not modified". */
export function isSame(one: Content, other: Content): boolean {
  return JSON.stringify(signature(one)) === JSON.stringify(signature(other));
}

function signature({ media, ...content }: Content): Json {
  return { ...content, media: media && identityOf(media) };
}

function identityOf(file: StoredFile): string {
  return `${file.kind} ${file.uniqueId}`;
}

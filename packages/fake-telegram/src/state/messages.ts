import { asText, type Json } from "@koma/fake-chat";
import type { Account, Chat, Content, Message, MessageFields, SeenButton } from "../types.ts";
import { type FakeState, now } from "./fake-state.ts";

/** A content with these fields only. */
export function createContent(fields: Partial<Content>): Content {
  return {
    text: "",
    entities: [],
    media: undefined,
    hasSpoiler: false,
    keyboard: [],
    linkPreview: undefined,
    ...fields,
  };
}

/** Writes, edits and deletes messages. */
export function createMessages(state: FakeState) {
  return {
    create(chat: Chat, author: Account, content: Content, fields: Partial<MessageFields> = {}): Message {
      const message = createMessage(state, chat, author, content, fields);
      chat.history.push(message);
      state.announce();
      return message;
    },

    edit(message: Message, content: Content) {
      message.content = content;
      message.editDate = now();
      message.versions.push(createVersion(content));
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

/** The message of a chat with this id that is not deleted. */
export function findMessage(chat: Chat, id: unknown): Message | undefined {
  return chat.history.find((one) => one.id === id && !one.isDeleted);
}

/** True if two contents are equal for Telegram: such an edit is rejected as "not modified". */
export function isSame(one: Content, other: Content): boolean {
  return JSON.stringify(signature(one)) === JSON.stringify(signature(other));
}

function signature({ media, ...content }: Content): Json {
  return { ...content, media: media && `${media.kind} ${media.uniqueId}` };
}

function createVersion({ media }: Content): Message["versions"][number] {
  return { media, at: Date.now() };
}

function createMessage(
  state: FakeState,
  chat: Chat,
  author: Account,
  content: Content,
  fields: Partial<MessageFields>,
): Message {
  const own: Message = {
    id: (chat.history.at(-1)?.id ?? 0) + 1,
    chat,
    author,
    date: now(),
    editDate: undefined,
    isDeleted: false,
    content,
    versions: [createVersion(content)],
    reactions: [],
    updateId: undefined,
    service: undefined,
    replyTo: undefined,
    externalReply: undefined,
    forwardOrigin: undefined,
    topicId: undefined,
    albumId: undefined,
    inlineMessageId: undefined,
    isViaBot: false,
    guestOf: undefined,
    guestQueryId: undefined,
    isForBot: false,
    ...fields,
    get text() {
      return own.content.text;
    },
    get entities() {
      return own.content.entities;
    },
    get media() {
      return own.content.media;
    },
    get hasSpoiler() {
      return own.content.hasSpoiler;
    },
    get buttons() {
      return own.content.keyboard.flat().map((button) => seeButton(own, button));
    },
    button(label) {
      const found = own.buttons.find(({ text }) =>
        typeof label === "string" ? text === label : label.test(text),
      );
      if (found) return found;
      const there = own.buttons.map(({ text }) => `"${text}"`).join(", ");
      throw new Error(`There is no button ${String(label)}; there are: ${there || "none"}.`);
    },
    get replyToId() {
      return own.replyTo?.id;
    },
    get replies() {
      const album = chat.history.filter((one) => one === own || (own.albumId && one.albumId === own.albumId));
      const last = Math.max(...album.map(({ id }) => id));
      return chat.replies.filter(
        ({ id, replyTo }) =>
          (replyTo && album.includes(replyTo)) || (chat.kind === "private" && !replyTo && id > last),
      );
    },
    reply: (fits = () => true) =>
      state.waitFor(
        () => own.replies.find(fits),
        () => {
          const seen = own.replies.map(({ text }) => JSON.stringify(text)).join(", ") || "none";
          return `a reply of the bot to "${own.text || `message ${own.id}`}"; there are: ${seen}`;
        },
      ),
    becomes: (fits) =>
      state.waitFor(
        () => (fits(own) ? own : undefined),
        () => `an edit of message ${own.id}, whose text is "${own.text}"`,
      ),
  };
  return own;
}

function seeButton(message: Message, button: Json): SeenButton {
  return {
    message,
    text: String(button.text),
    callbackData: asText(button.callback_data),
    url: asText(button.url),
  };
}

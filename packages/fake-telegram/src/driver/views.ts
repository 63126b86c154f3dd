import { asText, getFrom, type Json } from "@koma/fake-chat";
import type { Message as ApiMessage, InlineKeyboardButton, MessageEntity } from "grammy/types";
import { describeMessage } from "../state/describe.ts";
import type { FakeState } from "../state/fake-state.ts";
import type { Content, StoredMessage } from "../state/stored.ts";
import type { Chat, Message, SeenButton, SeenMedia, Version } from "../types.ts";

/** The messages of tests: one view object each, whose fields are read from the state on access. */
export function createMessageViews(state: FakeState, chatOf: (id: number) => Chat) {
  const known = new Map<StoredMessage, Message>();
  const stored = new Map<Message, StoredMessage>();

  const siblings = (message: StoredMessage): readonly StoredMessage[] =>
    message.albumId === undefined
      ? [message]
      : messagesOf(state, message.chatId).filter(({ albumId }) => albumId === message.albumId);

  /** The bot's replies to a message, or in a private chat its messages after it that reply to none. */
  const repliesTo = (message: StoredMessage): readonly StoredMessage[] => {
    const ids = new Set(siblings(message).map(({ id }) => id));
    const chat = getFrom(state.chats, message.chatId, "chat");
    return chat.messages.filter(({ id, authorId, replyToId, isDeleted, service }) => {
      if (authorId !== state.bot.id || isDeleted || service) return false;
      const follows = chat.kind === "private" && replyToId === undefined && id > Math.max(...ids);
      return follows || (replyToId !== undefined && ids.has(replyToId));
    });
  };

  const view = (message: StoredMessage): Message => {
    const before = known.get(message);
    if (before) return before;
    const created = create(message);
    known.set(message, created);
    stored.set(created, message);
    return created;
  };

  const create = (message: StoredMessage): Message => {
    const author = getFrom(state.users, message.authorId, "user");
    const own: Message = {
      id: message.id,
      get chat() {
        return chatOf(message.chatId);
      },
      author: { id: author.id, name: author.name, isBot: author.isBot },
      get text() {
        return message.content.text;
      },
      get entities() {
        return message.content.entities as unknown as readonly MessageEntity[];
      },
      get media() {
        return seeMedia(message.content);
      },
      get hasSpoiler() {
        return message.content.hasSpoiler;
      },
      get keyboard() {
        return (message.content.keyboard ?? []).map((row, at) =>
          row.map((button, column) => seeButton(own, button, at, column)),
        );
      },
      get buttons() {
        return own.keyboard.flat();
      },
      button(label) {
        const found = own.buttons.find(({ text }) =>
          typeof label === "string" ? text === label : label.test(text),
        );
        if (found) return found;
        const there = own.buttons.map(({ text }) => `"${text}"`).join(", ");
        throw new Error(`There is no button ${String(label)}; there are: ${there || "none"}.`);
      },
      get isDeleted() {
        return message.isDeleted;
      },
      get editCount() {
        return message.versions.length - 1;
      },
      get versions() {
        return message.versions.map(({ content, at }) => seeVersion(message, content, at));
      },
      get replyToId() {
        return message.replyToId;
      },
      get quote() {
        return asText(message.quote?.text);
      },
      get topicId() {
        return message.topicId;
      },
      get albumId() {
        return message.albumId;
      },
      get album() {
        return siblings(message).map(view);
      },
      get reactions() {
        return message.reactions.get(state.bot.id) ?? [];
      },
      get inlineMessageId() {
        return message.inlineMessageId;
      },
      get isViaBot() {
        return message.isViaBot;
      },
      get guestOf() {
        return message.guestOf;
      },
      get isSilent() {
        return message.isSilent;
      },
      get updateId() {
        return message.updateId;
      },
      get raw() {
        return describeMessage(state, message) as unknown as ApiMessage;
      },
      get replies() {
        return repliesTo(message).map(view);
      },
      reply: (fits = () => true) =>
        state.waitFor(
          () => repliesTo(message).map(view).find(fits),
          () =>
            `a reply of the bot to "${message.content.text || `message ${message.id}`}"${listSeen(own.replies)}`,
        ),
      becomes: (fits) =>
        state.waitFor(
          () => (fits(own) ? own : undefined),
          () => `an edit of message ${message.id}, whose text is "${message.content.text}"`,
        ),
    };
    return own;
  };

  const seeVersion = (message: StoredMessage, content: Content, at: number): Version => ({
    text: content.text,
    media: seeMedia(content),
    buttons: (content.keyboard ?? []).flat().map(({ text }) => String(text)),
    raw: describeMessage(state, { ...message, content }) as unknown as ApiMessage,
    at,
  });

  return {
    view,
    /** The stored message of a view. */
    find: (message: Message): StoredMessage => {
      const found = stored.get(message);
      if (!found) throw new Error("This message belongs to another fake.");
      return found;
    },
  };
}

/** See `createMessageViews`. */
export type MessageViews = ReturnType<typeof createMessageViews>;

function messagesOf(state: FakeState, chatId: number): readonly StoredMessage[] {
  return getFrom(state.chats, chatId, "chat").messages;
}

function listSeen(seen: readonly Message[]): string {
  return seen.length === 0 ? "" : `; there are: ${seen.map(({ text }) => JSON.stringify(text)).join(", ")}`;
}

function seeButton(message: Message, button: Json, row: number, column: number): SeenButton {
  return {
    message,
    text: String(button.text),
    row,
    column,
    callbackData: asText(button.callback_data),
    url: asText(button.url),
    raw: button as unknown as InlineKeyboardButton,
  };
}

function seeMedia({ media, hasSpoiler }: Content): SeenMedia | undefined {
  if (!media || media.kind === "thumbnail") return undefined;
  const { kind, id, bytes, name, mimeType, width, height, duration, thumbnail } = media;
  return {
    kind,
    fileId: id,
    bytes,
    name,
    mimeType,
    width,
    height,
    duration,
    thumbnail: thumbnail?.bytes,
    hasSpoiler,
  };
}

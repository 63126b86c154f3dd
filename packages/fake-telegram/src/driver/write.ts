import { compact, getFrom, type Json } from "@koma/fake-chat";
import {
  describeChat,
  describeMedia,
  describeMessage,
  describeUser,
  findMessage,
} from "../state/describe.ts";
import { type FakeState, now } from "../state/fake-state.ts";
import type { Files } from "../state/files.ts";
import { createContent, type Messages } from "../state/messages.ts";
import { isMeantForBot, isMentioned, isSentToBot } from "../state/privacy.ts";
import type { Content, StoredChat, StoredMessage, StoredUser } from "../state/stored.ts";
import type { UpdateQueue } from "../state/updates.ts";
import { detectEntities } from "../text/entities.ts";
import type { Origin, Written } from "../types.ts";
import { type Item, readMedia } from "./read-media.ts";
import type { MessageViews } from "./views.ts";

/** Messages of users, and their updates for the bot. */
export function createWriter(
  state: FakeState,
  parts: { messages: Messages; updates: UpdateQueue; files: Files; views: MessageViews },
) {
  const { messages, updates, files, views } = parts;

  const readContent = async (written: Written | Item): Promise<Content> => {
    const media = await readMedia(files, written);
    const text = written.text ?? "";
    if (!media && text === "") throw new Error("A message needs a text or a file.");
    const params =
      "entities" in written ? (written.entities as unknown as readonly Json[] | undefined) : undefined;
    return createContent({
      text,
      entities: detectEntities(text, params ?? []),
      media,
      hasSpoiler: written.hasSpoiler ?? false,
    });
  };

  /**
   * Sends the update of a new message to the bot if it may see it, or a guest query if the bot is no member.
   */
  const notify = (chat: StoredChat, message: StoredMessage) => {
    if (isSentToBot(state, chat, message)) {
      message.updateId = updates.push("message", describeMessage(state, message));
      return;
    }
    const isMember = ["member", "administrator"].includes(chat.members.get(state.bot.id) ?? "left");
    if (isMember || !state.settings.hasGuestMode || !isMentioned(state, message)) return;
    const id = `guest${state.createNumber()}`;
    message.guestQueryId = id;
    state.queries.set(id, {
      id,
      kind: "guest",
      userId: message.authorId,
      at: Date.now(),
      ttlMs: state.settings.guestTtlMs,
      isExpired: false,
      reply: undefined,
      respondedAt: undefined,
      message,
      text: message.content.text,
    });
    message.updateId = updates.push("guest_message", describeMessage(state, message));
  };

  const publish = (chat: StoredChat, user: StoredUser, content: Content, fields: Partial<StoredMessage>) => {
    const message = messages.create(chat, user.id, content, fields);
    message.isForBot = isMeantForBot(state, chat, message);
    notify(chat, message);
    return message;
  };

  return {
    publish,
    readContent,

    /** Sends a user's message; returns the first message. */
    async write(user: StoredUser, chat: StoredChat, written: Written): Promise<StoredMessage> {
      ensureCanWrite(state, user, chat);
      if (written.forward) {
        const source = views.find(written.forward);
        const origin = describeOrigin(state, written.forwardOrigin ?? authorOf(state, source));
        const content = { ...source.content, keyboard: undefined };
        return publish(chat, user, content, { forwardOrigin: origin, topicId: written.topic?.id });
      }
      const items: readonly (Written | Item)[] = written.album ?? [written];
      const contents: Content[] = [];
      for (const [index, item] of items.entries())
        contents.push(
          await readContent(
            index === 0 && written.album ? { ...item, text: item.text ?? written.text ?? "" } : item,
          ),
        );
      const albumId = written.album ? String(12_000_000_000_000_000 + state.createNumber()) : undefined;
      const fields = { ...readFields(state, views, chat, written), albumId };
      const created = contents.map((content) => publish(chat, user, content, fields));
      const [first] = created;
      if (!first) throw new Error("An album has at least one file.");
      return first;
    },
  };
}

/** See `createWriter`. */
export type Writer = ReturnType<typeof createWriter>;

function ensureCanWrite(state: FakeState, user: StoredUser, chat: StoredChat) {
  if (chat.migratedTo !== undefined) throw new Error(`${chat.title} became a supergroup: write there.`);
  const status = chat.members.get(user.id);
  if (status === undefined || status === "left" || status === "kicked")
    throw new Error(`${user.name} is no member of ${chat.title}.`);
  if (chat.kind !== "private" || !chat.members.has(state.bot.id)) return;
  if (user.hasBlocked) throw new Error(`${user.name} has blocked the bot.`);
  user.hasStarted = true;
}

function readFields(
  state: FakeState,
  views: MessageViews,
  chat: StoredChat,
  written: Written,
): Partial<StoredMessage> {
  const repliedTo = written.replyTo && views.find(written.replyTo);
  if (repliedTo && (repliedTo.chatId !== chat.id || !findMessage(chat, repliedTo.id)))
    throw new Error("A reply needs a message of the same chat; see externalReply.");
  const position = written.quote === undefined ? -1 : (repliedTo?.content.text.indexOf(written.quote) ?? -1);
  if (written.quote !== undefined && position < 0)
    throw new Error(`The message does not contain the quote "${written.quote}".`);
  return {
    replyToId: repliedTo?.id,
    quote: written.quote === undefined ? undefined : { text: written.quote, position, is_manual: true },
    externalReply: written.externalReply && describeExternal(state, views, written.externalReply),
    topicId: written.topic?.id ?? repliedTo?.topicId,
    isSilent: written.isSilent ?? false,
  };
}

function describeExternal(
  state: FakeState,
  views: MessageViews,
  { message, origin }: NonNullable<Written["externalReply"]>,
): Json {
  const source = views.find(message);
  const chat = getFrom(state.chats, source.chatId, "chat");
  const isOpen = chat.kind === "supergroup" || chat.kind === "channel";
  const { media, hasSpoiler, linkPreview } = source.content;
  const shown = media ? describeMedia(media) : {};
  return compact({
    origin: describeOrigin(state, origin ?? authorOf(state, source)),
    chat: isOpen ? describeChat(state, chat) : undefined,
    message_id: isOpen ? source.id : undefined,
    link_preview_options: linkPreview,
    ...shown,
    // An animation has a document field in messages only, for compatibility with old bots.
    document: media?.kind === "animation" ? undefined : shown.document,
    has_media_spoiler: hasSpoiler || undefined,
  });
}

function describeOrigin(state: FakeState, origin: Origin | { stored: StoredUser }): Json {
  const date = now() - 60;
  if ("hiddenName" in origin) return { type: "hidden_user", date, sender_user_name: origin.hiddenName };
  if ("channel" in origin) {
    const chat = describeChat(state, getFrom(state.chats, origin.channel.id, "channel"));
    return { type: "channel", date, chat, message_id: origin.messageId ?? 1 };
  }
  const user = "stored" in origin ? origin.stored : getFrom(state.users, origin.user.id, "user");
  return { type: "user", date, sender_user: describeUser(user) };
}

function authorOf(state: FakeState, message: StoredMessage): { stored: StoredUser } {
  return { stored: getFrom(state.users, message.authorId, "user") };
}

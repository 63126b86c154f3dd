import { asObject, asText, type Json } from "@koma/fake-chat";
import { type Call, deny, type Handlers } from "../http/call.ts";
import type { Chat, Denial, Message, MessageFields } from "../state/chat.ts";
import { type Content, type FileKind, isSame } from "../state/content.ts";
import { describeMessage } from "../state/describe.ts";
import type { FakeState } from "../state/fake-state.ts";
import type { Messages } from "../state/messages.ts";
import type { Contents } from "./contents.ts";
import { ensureAllowed, findChat, readReply, readTopic } from "./targets.ts";

const lifeOfMessagesMs = 48 * 3_600_000;

/** The rights that files need. */
const needs: Readonly<Partial<Record<FileKind, Denial>>> = {
  photo: "photos",
  video: "videos",
  animation: "other",
};

/** The methods that send, edit and delete messages. */
export function createMessageMethods(
  state: FakeState,
  { messages, contents }: { messages: Messages; contents: Contents },
): Handlers {
  const open = (call: Call, need: Denial) => {
    const chat = findChat(state, call);
    ensureAllowed(state, chat, need);
    const replyTo = readReply(state, chat, call);
    return { chat, fields: { topicId: readTopic(chat, call, replyTo), replyTo } };
  };

  const write = (chat: Chat, content: Content, fields: MessageFields) =>
    describeMessage(state, messages.create(chat, state.bot, content, fields));

  const sendFile = (kind: FileKind) => async (call: Call) => {
    const { chat, fields } = open(call, needs[kind] ?? "send");
    const value = asText(call.parameters[kind]) ?? "";
    return write(chat, await contents.readMedia(call, call.parameters, { kind, value }), fields);
  };

  /** The message to edit: by chat and number, or as an inline message. */
  const openSent = (call: Call): { message: Message; isInline: boolean } => {
    const { chat_id, message_id, inline_message_id } = call.parameters;
    if (inline_message_id === undefined) {
      if (chat_id === undefined || message_id === undefined)
        call.reject.refuse("schema", "neither chat_id with message_id nor inline_message_id");
      const chat = findChat(state, call);
      ensureAllowed(state, chat);
      const message = chat.find(message_id);
      if (!message) return deny("Bad Request: message to edit not found");
      if (message.author !== state.bot || message.isViaBot || message.inlineMessageId !== undefined)
        call.reject.refuse("edit", "the message is not the bot's");
      return { message, isInline: false };
    }
    if (chat_id !== undefined || message_id !== undefined)
      call.reject.blame("schema", "chat_id or message_id beside inline_message_id");
    const message = state.inlineMessages.get(asText(inline_message_id) ?? "");
    if (!message || message.isDeleted) return deny("Bad Request: MESSAGE_ID_INVALID");
    return { message, isInline: true };
  };

  const apply = (call: Call, message: Message, content: Content, isInline: boolean) => {
    if (isSame(message.content, content)) {
      call.reject.warn("edit", "nothing changed");
      deny(
        "Bad Request: message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message",
      );
    }
    messages.edit(message, content);
    return isInline ? true : describeMessage(state, message);
  };

  const deleteMessage = (call: Call) => {
    const chat = findChat(state, call);
    ensureAllowed(state, chat);
    const message = chat.find(call.parameters.message_id);
    if (!message) return deny("Bad Request: message to delete not found");
    const isOld = Date.now() - message.date * 1000 > lifeOfMessagesMs;
    const isAdmin = chat.members.get(state.bot.id) === "administrator";
    const isOwn = message.author === state.bot || chat.kind === "private";
    if ((isOld || !isOwn) && !isAdmin) deny("Bad Request: message can't be deleted");
    messages.delete(message);
    return true;
  };

  return {
    sendMessage(call) {
      const { chat, fields } = open(call, "send");
      return write(chat, contents.readText(call, call.parameters), fields);
    },
    sendPhoto: sendFile("photo"),
    sendVideo: sendFile("video"),
    sendAnimation: sendFile("animation"),

    editMessageText(call) {
      const { message, isInline } = openSent(call);
      if (call.parameters.text === undefined) call.reject.refuse("schema", "text is required");
      if (message.content.media) call.reject.refuse("edit", "a message with a file cannot become a text");
      return apply(call, message, contents.readText(call, call.parameters), isInline);
    },

    editMessageCaption(call) {
      const { message, isInline } = openSent(call);
      if (!message.content.media) call.reject.refuse("edit", "a text has no caption");
      const { hasSpoiler: _, ...read } = contents.captionOf(call, call.parameters);
      const keyboard = contents.keyboardOf(call, call.parameters.reply_markup);
      return apply(call, message, { ...message.content, ...read, keyboard }, isInline);
    },

    async editMessageMedia(call) {
      const { message, isInline } = openSent(call);
      const item: Json = { ...asObject(call.parameters.media), reply_markup: call.parameters.reply_markup };
      const expected = { kind: (asText(item.type) ?? "photo") as FileKind, value: asText(item.media) ?? "" };
      if (!isInline) ensureAllowed(state, findChat(state, call), needs[expected.kind] ?? "send");
      const content = await contents.readMedia(call, item, { ...expected, isInline });
      return apply(call, message, content, isInline);
    },

    deleteMessage,
  };
}

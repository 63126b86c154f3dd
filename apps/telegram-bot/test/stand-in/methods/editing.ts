import type { Call, Handler } from "../http/call.ts";
import { deny } from "../http/problems.ts";
import { describeMessage, findMessage } from "../state/describe.ts";
import { asList, asNumber, asObject, asText, type Json } from "../state/json.ts";
import { isSame, type Messages } from "../state/messages.ts";
import type { Content, StoredMessage } from "../state/stored.ts";
import { getFrom, type World } from "../state/world.ts";
import type { Contents } from "./contents.ts";
import type { MediaReader } from "./media.ts";
import { mediaOf } from "./sending.ts";
import { ensureAllowed, findChat } from "./targets.ts";

const lifeOfMessagesMs = 48 * 3_600_000;

/** The methods that change and delete messages. */
export function createEditing(
  world: World,
  parts: { messages: Messages; contents: Contents; media: MediaReader },
): Readonly<Record<string, Handler>> {
  const { messages, contents, media } = parts;

  /** The message to edit: by chat and number, or as an inline message. */
  const open = (call: Call): { message: StoredMessage; isPrivate: boolean; isInline: boolean } => {
    const { chat_id, message_id, inline_message_id } = call.parameters;
    if (inline_message_id === undefined) {
      if (chat_id === undefined || message_id === undefined)
        call.judge.refuse(
          "schema",
          "neither chat_id with message_id nor inline_message_id",
          "Bad Request: message identifier is not specified",
        );
      const chat = findChat(world, call);
      ensureAllowed(world, chat);
      const message = findMessage(chat, asNumber(message_id) ?? 0);
      if (!message) return deny("Bad Request: message to edit not found");
      if (message.authorId !== world.bot.id || message.isViaBot || message.inlineMessageId !== undefined)
        call.judge.refuse("edit", "the message is not the bot's", "Bad Request: message can't be edited");
      return { message, isPrivate: chat.kind === "private", isInline: false };
    }
    if (chat_id !== undefined || message_id !== undefined)
      call.judge.blame("schema", "chat_id or message_id beside inline_message_id");
    const message = world.inlineMessages.get(asText(inline_message_id) ?? "");
    if (!message || message.isDeleted) return deny("Bad Request: MESSAGE_ID_INVALID");
    return { message, isPrivate: false, isInline: true };
  };

  const apply = (call: Call, message: StoredMessage, content: Content, isInline: boolean) => {
    if (isSame(message.content, content)) {
      call.judge.warn("edit", "nothing changed");
      deny(
        "Bad Request: message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message",
      );
    }
    messages.edit(message, content);
    return isInline ? true : describeMessage(world, message);
  };

  const remove = (call: Call, id: number) => {
    const chat = findChat(world, call);
    ensureAllowed(world, chat);
    const message = findMessage(chat, id);
    if (!message) return deny("Bad Request: message to delete not found");
    const isOld = Date.now() - message.date * 1000 > lifeOfMessagesMs;
    const isAdmin = chat.members.get(world.bot.id) === "administrator";
    const isOwn = message.authorId === world.bot.id || chat.kind === "private";
    if ((isOld || !isOwn) && !isAdmin) deny("Bad Request: message can't be deleted");
    messages.delete(message);
    return true;
  };

  return {
    editMessageText(call) {
      const { message, isPrivate, isInline } = open(call);
      if (call.parameters.text === undefined)
        call.judge.refuse("schema", "text is required", "Bad Request: message text is empty");
      if (message.content.media)
        call.judge.refuse(
          "edit",
          "a message with a file cannot become a text",
          "Bad Request: there is no text in the message to edit",
        );
      return apply(call, message, contents.readText(call, call.parameters, isPrivate), isInline);
    },

    editMessageCaption(call) {
      const { message, isPrivate, isInline } = open(call);
      if (!message.content.media)
        call.judge.refuse(
          "edit",
          "a text has no caption",
          "Bad Request: there is no caption in the message to edit",
        );
      const { hasSpoiler: _, ...read } = contents.captionOf(call, call.parameters);
      const keyboard = contents.keyboardOf(call, call.parameters.reply_markup, isPrivate);
      return apply(call, message, { ...message.content, ...read, keyboard }, isInline);
    },

    async editMessageMedia(call) {
      const { message, isPrivate, isInline } = open(call);
      const item: Json = { ...asObject(call.parameters.media), reply_markup: call.parameters.reply_markup };
      const wanted = mediaOf(item);
      const present = message.content.media?.kind;
      const isMixable = ["photo", "video"].includes(wanted.kind);
      if (message.albumId && (present === "document" ? wanted.kind !== "document" : !isMixable))
        call.judge.refuse(
          "edit",
          `a ${wanted.kind} cannot stand in this album`,
          "Bad Request: message can't be edited to this type of media",
        );
      const content = await contents.readMedia(call, item, { ...wanted, isPrivate, isInline });
      media.checkUploads(call);
      return apply(call, message, content, isInline);
    },

    editMessageReplyMarkup(call) {
      const { message, isPrivate, isInline } = open(call);
      const keyboard = contents.keyboardOf(call, call.parameters.reply_markup, isPrivate);
      return apply(call, message, { ...message.content, keyboard }, isInline);
    },

    deleteMessage: (call) => remove(call, asNumber(call.parameters.message_id) ?? 0),

    deleteMessages(call) {
      const chat = getFrom(world.chats, findChat(world, call).id, "chat");
      for (const id of asList(call.parameters.message_ids))
        if (findMessage(chat, Number(id))) remove(call, Number(id));
      return true;
    },
  };
}

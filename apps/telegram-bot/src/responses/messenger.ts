import type { Reply } from "@koma/bot-core";
import { type Api, InputFile } from "grammy";
import type { InlineKeyboardMarkup, Message } from "grammy/types";
import {
  isAboutFile,
  isForbidden,
  isGone,
  isNotModified,
  isRejected,
  readMigration,
} from "../telegram/errors.ts";
import { noPreviewCard } from "./no-preview-card.ts";
import { type PreviewFile, type PreviewFiles, readFile } from "./preview-files.ts";
import {
  captionOf,
  keyboardOf,
  type MessageLayout,
  plainTextOf,
  spoilerOf,
  textOf,
  textOptions,
} from "./write-message.ts";

/** The destination of a reply. */
export type Target = {
  chatId: number;
  threadId?: number | undefined;
  /** The message to reply to. */
  replyTo?: number | undefined;
  /** Others can read the chat. */
  isShared: boolean;
};

type Sending = Target & MessageLayout & { sending?: (() => Promise<void>) | undefined };

/** A clip that replaces a still later. */
type Replacement = { cancel(): Promise<void> };

const nothing = { file: undefined, clip: undefined };

/** Sends and edits messages. */
export function createMessenger(options: {
  api: Api;
  username: string;
  previews: PreviewFiles;
  onError: (what: string, error: unknown) => void;
  /** Runs work in the background; the shutdown waits for it. */
  background: (name: string, work: () => Promise<void>) => void;
}) {
  const { api, username, previews, onError, background } = options;
  const replacements = new Map<string, Replacement>();

  const messenger = {
    /** Sends a new message; if Telegram rejects it, its text without formatting. Throws Telegram's errors. */
    async send(reply: Reply, to: Sending, isRetried = false): Promise<Message> {
      const { file, clip } = reply.preview === undefined ? nothing : await previews.find(reply.preview);
      const where = {
        ...(to.threadId === undefined ? {} : { message_thread_id: to.threadId }),
        ...(to.replyTo === undefined
          ? {}
          : { reply_parameters: { message_id: to.replyTo, allow_sending_without_reply: true } }),
      };
      const around = { ...where, ...keyboardOf(reply, { ...to, username }) };
      await to.sending?.();
      try {
        const shown = file && (await trySendFile(to.chatId, file, reply, around));
        if (shown !== undefined) {
          replaceLater(reply, shown, to, clip);
          return shown;
        }
        // A chat that does not permit videos can permit photos.
        const still = file?.kind !== "photo" && reply.preview && (await previews.findStill(reply.preview));
        const sent = still ? await trySendFile(to.chatId, still, reply, around) : undefined;
        return sent ?? (await api.sendMessage(to.chatId, textOf(reply), { ...textOptions, ...around }));
      } catch (error) {
        const chatId = readMigration(error);
        if (chatId !== undefined && !isRetried) return await messenger.send(reply, { ...to, chatId }, true);
        if (!isRejected(error)) throw error;
        onError("rejected reply", error);
        const { text, entities } = plainTextOf(reply);
        const { link_preview_options } = textOptions;
        return await api.sendMessage(to.chatId, text, { ...where, entities, link_preview_options });
      }
    },

    /**
     * Changes a message of the bot, by an edit if Telegram allows it; undefined if the bot may no longer
     * write.
     */
    async update(reply: Reply, message: Message, to: Target & MessageLayout): Promise<Message | undefined> {
      await cancelReplacement(message);
      try {
        await edit(reply, message, to);
        return message;
      } catch (error) {
        if (isNotModified(error)) return message;
        onError("changing a message", error);
        if (isForbidden(error) && !isAboutFile(error)) return undefined;
        return await replace(reply, message, to);
      }
    },

    /** Deletes a message and cancels the replacement of its still. */
    async delete({ chat, message_id: id }: Message): Promise<void> {
      await cancelReplacement({ chat, message_id: id });
      await api.deleteMessage(chat.id, id);
    },
  };

  /** Replaces the still by the clip when it is ready, unless the message has changed since. */
  function replaceLater(
    reply: Reply,
    message: Pick<Message, "chat" | "message_id">,
    to: Target & MessageLayout,
    clip: Promise<PreviewFile | undefined> | undefined,
  ): void {
    if (clip === undefined) return;
    const name = nameOf(message);
    let isCancelled = false;
    let isEditing = false;
    const done = (async () => {
      const file = await clip;
      if (file === undefined || isCancelled) return;
      isEditing = true;
      await editMedia(reply, message.message_id, { ...to, chatId: message.chat.id }, file);
    })();
    const replacement: Replacement = {
      // A running edit must end first, or it would overwrite the next one.
      async cancel() {
        isCancelled = true;
        if (isEditing) await done.catch(() => {});
      },
    };
    replacements.set(name, replacement);
    background("clip", async () => {
      try {
        await done;
      } catch (error) {
        if (!isNotModified(error) && !isGone(error)) onError("showing a clip", error);
      } finally {
        if (replacements.get(name) === replacement) replacements.delete(name);
      }
    });
  }

  async function cancelReplacement(message: Pick<Message, "chat" | "message_id">): Promise<void> {
    const name = nameOf(message);
    const replacement = replacements.get(name);
    replacements.delete(name);
    await replacement?.cancel();
  }

  async function edit(reply: Reply, message: Message, to: Target & MessageLayout): Promise<void> {
    const { message_id: id } = message;
    const keyboard = keyboardOf(reply, { ...to, username });
    const shown = readFile(message);
    const { file: found, clip } = reply.preview === undefined ? nothing : await previews.find(reply.preview);
    // Telegram cannot remove an image from a message, so a neutral card replaces it.
    const file = found ?? (shown === undefined ? undefined : findCard());
    if (file === undefined) {
      await api.editMessageText(to.chatId, id, textOf(reply), { ...textOptions, ...keyboard });
    } else if (shown?.uniqueId !== undefined && shown.uniqueId === file.uniqueId) {
      await api.editMessageCaption(to.chatId, id, { ...captionOf(reply), ...keyboard });
    } else await editMedia(reply, id, to, file);
    replaceLater(reply, message, to, clip);
  }

  async function editMedia(
    reply: Reply,
    id: number,
    to: Target & MessageLayout,
    file: PreviewFile,
  ): Promise<void> {
    const media = { type: file.kind, media: file.media, ...captionOf(reply), ...spoilerOf(reply) };
    try {
      const edited = await api.editMessageMedia(to.chatId, id, media, keyboardOf(reply, { ...to, username }));
      if (edited !== true) previews.remember(file, edited);
    } catch (error) {
      if (isAboutFile(error)) previews.forget(file);
      throw error;
    }
  }

  function findCard(): PreviewFile {
    const key = "no preview";
    const upload = {
      kind: "photo",
      media: new InputFile(noPreviewCard, "scene.jpg"),
      uniqueId: undefined,
      key,
    };
    return previews.findByKey(key) ?? { ...upload, kind: "photo" };
  }

  /** The new message is sent first, so that one always exists. */
  async function replace(
    reply: Reply,
    message: Message,
    to: Target & MessageLayout,
  ): Promise<Message | undefined> {
    const replyTo = message.reply_to_message?.message_id;
    try {
      const sent = await messenger.send(reply, { ...to, replyTo });
      await api.deleteMessage(to.chatId, message.message_id).catch((error: unknown) => {
        if (!isGone(error)) onError("deletion", error);
      });
      return sent;
    } catch (error) {
      onError("message in its place", error);
      return undefined;
    }
  }

  /** The file with its caption; undefined if Telegram rejects it. */
  async function trySendFile(
    chatId: number,
    file: PreviewFile,
    reply: Reply,
    around: { reply_markup?: InlineKeyboardMarkup },
  ): Promise<Message | undefined> {
    try {
      const sent = await sendFile(chatId, file, { ...captionOf(reply), ...spoilerOf(reply), ...around });
      previews.remember(file, sent);
      return sent;
    } catch (error) {
      if (!isAboutFile(error)) throw error;
      onError("sending a preview", error);
      previews.forget(file);
      if (typeof file.media !== "string" || reply.preview === undefined) return undefined;
      // Telegram may have deleted the uploaded file.
      const { file: fresh } = await previews.find(reply.preview);
      return fresh && (await trySendFile(chatId, fresh, reply, around));
    }
  }

  function sendFile(
    chatId: number,
    { kind, media }: PreviewFile,
    more: ReturnType<typeof captionOf> & { has_spoiler?: boolean },
  ): Promise<Message> {
    if (kind === "photo") return api.sendPhoto(chatId, media, more);
    if (kind === "animation") return api.sendAnimation(chatId, media, more);
    return api.sendVideo(chatId, media, { ...more, supports_streaming: true });
  }

  return messenger;
}

function nameOf({ chat, message_id: id }: Pick<Message, "chat" | "message_id">): string {
  return `${chat.id}:${id}`;
}

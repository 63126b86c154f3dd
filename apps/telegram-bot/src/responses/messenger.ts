import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
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
import { type FoundPreview, type PreviewFile, type PreviewFiles, readFile } from "./preview-files.ts";
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

/** A still and a clip that are added to a message later. */
type Addition = { cancel(): Promise<void> };

const nothing: FoundPreview = { known: undefined, later: [] };
/** A page that is turned waits this long for its still, which saves the card of a still that is loading. */
const stillWaitMs = 300;
const shownLimit = 10_000;
const readCard = (name: string) => readFileSync(new URL(name, import.meta.url));
/** The images that stand in for a preview, by their keys: a crossed-out image, and three dots. */
const cards = { "no preview": readCard("no-preview-card.jpg"), loading: readCard("loading-card.jpg") };

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
  const additions = new Map<string, Addition>();
  /** The files of messages after their last edits: a button's query can contain an older state. */
  const shownFiles = new Map<string, ReturnType<typeof readFile>>();

  const messenger = {
    /**
     * Sends a new message: the words at once, and the still and the clip by edits, unless Telegram has them.
     * If Telegram rejects the message, its text without formatting. Throws Telegram's errors.
     */
    async send(reply: Reply, to: Sending, isRetried = false): Promise<Message> {
      const { known } = findPreview(reply);
      const where = {
        ...(to.threadId === undefined ? {} : { message_thread_id: to.threadId }),
        ...(to.replyTo === undefined
          ? {}
          : { reply_parameters: { message_id: to.replyTo, allow_sending_without_reply: true } }),
      };
      const around = { ...where, ...keyboardOf(reply, { ...to, username }) };
      await to.sending?.();
      try {
        const shown = known && (await trySendFile(to.chatId, known, reply, around));
        const sent =
          shown ?? (await api.sendMessage(to.chatId, textOf(reply), { ...textOptions, ...around }));
        // A file that Telegram rejected is fetched again.
        addLater(reply, sent, to, findPreview(reply).later);
        return sent;
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
      await cancelAddition(message);
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

    /** Deletes a message, and adds no preview to it. */
    async delete({ chat, message_id: id }: Message): Promise<void> {
      await cancelAddition({ chat, message_id: id });
      await api.deleteMessage(chat.id, id);
    },
  };

  function findPreview({ preview }: Reply): FoundPreview {
    return preview === undefined ? nothing : previews.find(preview);
  }

  /**
   * Shows each file when it is fetched, unless the message has changed since. `isLoading`: the message has
   * the card of a preview that is being fetched.
   */
  function addLater(
    reply: Reply,
    message: Pick<Message, "chat" | "message_id">,
    to: Target & MessageLayout,
    later: FoundPreview["later"],
    { isLoading = false }: { isLoading?: boolean } = {},
  ): void {
    if (later.length === 0) return;
    const name = nameOf(message);
    let isCancelled = false;
    let running: Promise<void> | undefined;
    const addition: Addition = {
      // A running edit must end first, or it would overwrite the next one.
      async cancel() {
        isCancelled = true;
        await running;
      },
    };
    additions.set(name, addition);
    background("preview", async () => {
      let isEmpty = isLoading;
      for (const find of later) {
        const file = await find();
        if (isCancelled) return;
        if (file === undefined) continue;
        isEmpty = false;
        running = add(file);
        await running;
      }
      if (isEmpty) {
        running = add(findCard("no preview"));
        await running;
      }
      if (additions.get(name) === addition) additions.delete(name);
    });

    /** A file that the chat does not permit leaves the message as it is. */
    async function add(file: PreviewFile): Promise<void> {
      try {
        await editMedia(reply, message.message_id, { ...to, chatId: message.chat.id }, file);
      } catch (error) {
        if (isNotModified(error)) return;
        if (!isGone(error)) onError("showing a preview", error);
        isCancelled ||= isGone(error) || (isForbidden(error) && !isAboutFile(error));
      }
    }
  }

  async function cancelAddition(message: Pick<Message, "chat" | "message_id">): Promise<void> {
    const name = nameOf(message);
    const addition = additions.get(name);
    additions.delete(name);
    await addition?.cancel();
  }

  async function edit(reply: Reply, message: Message, to: Target & MessageLayout): Promise<void> {
    const { message_id: id } = message;
    const keyboard = keyboardOf(reply, { ...to, username });
    const shown = shownFiles.get(nameOf(message)) ?? readFile(message);
    const { known, later } = findPreview(reply);
    if (shown === undefined && known === undefined) {
      await api.editMessageText(to.chatId, id, textOf(reply), { ...textOptions, ...keyboard });
      return addLater(reply, message, to, later);
    }
    if (known !== undefined) {
      if (shown?.uniqueId === known.uniqueId)
        await api.editMessageCaption(to.chatId, id, { ...captionOf(reply), ...keyboard });
      else await editMedia(reply, id, to, known);
      return addLater(reply, message, to, later);
    }
    // Telegram cannot remove an image from a message, so a neutral card replaces that of another scene.
    const [first, ...others] = later.map(once);
    if (first === undefined) return await editMedia(reply, id, to, findCard("no preview"));
    const early = await Promise.race([first(), sleep(stillWaitMs, undefined, { ref: false })]);
    await editMedia(reply, id, to, early ?? findCard("loading"));
    const isLoading = early === undefined;
    addLater(reply, message, to, isLoading ? [first, ...others] : others, { isLoading });
  }

  async function editMedia(
    reply: Reply,
    id: number,
    to: Target & MessageLayout,
    file: PreviewFile,
  ): Promise<void> {
    const media = { type: file.kind, media: file.media, ...captionOf(reply), ...spoilerOf(reply) };
    try {
      const result = await api.editMessageMedia(to.chatId, id, media, keyboardOf(reply, { ...to, username }));
      if (result === true) return;
      previews.remember(file, result);
      rememberFile(result);
    } catch (error) {
      if (isAboutFile(error)) previews.forget(file);
      throw error;
    }
  }

  function rememberFile(message: Message): void {
    const name = nameOf(message);
    shownFiles.delete(name);
    shownFiles.set(name, readFile(message));
    const oldest = shownFiles.keys().next();
    if (shownFiles.size > shownLimit && oldest.done !== true) shownFiles.delete(oldest.value);
  }

  function findCard(key: keyof typeof cards): PreviewFile {
    const upload = { kind: "photo", uniqueId: undefined, key } as const;
    return previews.findByKey(key) ?? { ...upload, media: new InputFile(cards[key], "scene.jpg") };
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
      return undefined;
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

/** The function, which runs at its first call only. */
function once<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let result: Promise<Result> | undefined;
  return () => {
    result ??= work();
    return result;
  };
}

function nameOf({ chat, message_id: id }: Pick<Message, "chat" | "message_id">): string {
  return `${chat.id}:${id}`;
}

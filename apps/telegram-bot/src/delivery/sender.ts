import { type Person, plainReply, type Reply } from "@koma/bot-core";
import { type BotSpeaker, createSpeaker } from "@koma/messages";
import type { Api } from "grammy";
import type { InlineKeyboardMarkup, Message } from "grammy/types";
import { deepLink, writeKeyboard } from "../replies/keyboard.ts";
import { writeHtml } from "../replies/runs.ts";
import { writeText } from "../replies/write-text.ts";
import { isAboutFile, isForbidden, isGone, isNotModified, readMigration } from "../telegram/errors.ts";
import { createPreviewFiles, type PreviewFile, readFile } from "./preview-files.ts";

/** Where an answer goes. */
export type Target = {
  chatId: number;
  threadId?: number | undefined;
  /** The message that is answered. */
  replyTo?: number | undefined;
  /** Others read along. */
  isShared: boolean;
};

/** How a reply is shown. */
export type Look = { openMenu?: number | undefined };

/** Brings replies to people, by another way where the first is barred. */
export type Sender = ReturnType<typeof createSender>;

/** Telegram's limits, in UTF-16 units of what can be seen. */
const textLimit = 4096;
const captionLimit = 1024;
const html = { parse_mode: "HTML" } as const;
const withoutLinkPreview = { link_preview_options: { is_disabled: true } } as const;

export function createSender(options: {
  api: Api;
  username: () => string;
  onTrouble: (what: string, error: unknown) => void;
}) {
  const { api, onTrouble } = options;
  const previews = createPreviewFiles();

  const sender = {
    /** Previews that Telegram has. */
    previews,

    /**
     * The answer to somebody. What is for them alone goes to the private chat; where they never began one, a button opens
     * it. Undefined where nothing could be told.
     */
    async answer(
      reply: Reply,
      to: Target & { person: Person; payload?: string | undefined; sending?: () => Promise<void> },
    ): Promise<Message | undefined> {
      if (reply.isPrivate && to.isShared) return await answerAlone(reply, to);
      const sent =
        (await attempt("answer", () => sender.send(reply, to))) ??
        (to.isShared ? await sender.direct(reply, to) : undefined);
      if (reply.privately !== undefined) await sender.direct(reply.privately, to);
      return sent;
    },

    /** A message to the person alone; undefined where they take none. */
    direct(
      reply: Reply,
      to: { person: Person; sending?: () => Promise<void> },
    ): Promise<Message | undefined> {
      const chatId = Number(to.person.id);
      return attempt("private message", () =>
        sender.send(reply, { chatId, isShared: false, ...(to.sending ? { sending: to.sending } : {}) }),
      );
    },

    /** Whether the person can be written to. */
    async canReach({ id }: Person): Promise<boolean> {
      try {
        await api.sendChatAction(Number(id), "typing");
        return true;
      } catch (error) {
        return !isForbidden(error);
      }
    },

    /** A new message. Throws what Telegram says. */
    async send(
      reply: Reply,
      to: Target & Look & { sending?: () => Promise<void> },
      isRetried = false,
    ): Promise<Message> {
      const file = reply.preview && (await previews.find(reply.preview));
      const around = {
        ...(to.threadId === undefined ? {} : { message_thread_id: to.threadId }),
        ...(to.replyTo === undefined
          ? {}
          : { reply_parameters: { message_id: to.replyTo, allow_sending_without_reply: true } }),
        ...keyboardOf(reply, to),
      };
      await to.sending?.();
      try {
        if (file !== undefined) {
          try {
            const sent = await sendFile(to.chatId, file, {
              ...captionOf(reply),
              ...spoilerOf(reply),
              ...around,
            });
            previews.remember(file, sent);
            return sent;
          } catch (error) {
            if (!isAboutFile(error)) throw error;
            previews.forget(file);
            onTrouble("sending a preview", error);
          }
        }
        return await api.sendMessage(to.chatId, htmlOf(reply, textLimit), {
          ...{ ...html, ...withoutLinkPreview, ...around },
        });
      } catch (error) {
        const chatId = readMigration(error);
        if (chatId === undefined || isRetried) throw error;
        return await sender.send(reply, { ...to, chatId }, true);
      }
    },

    /** Turns a message of the bot's into something else, in its place where Telegram can do that. */
    async update(reply: Reply, message: Message, to: Target & Look): Promise<Message | undefined> {
      const { message_id: id } = message;
      const shown = readFile(message);
      const file = reply.preview && (await previews.find(reply.preview));
      const keyboard = keyboardOf(reply, to);
      try {
        if (file !== undefined && (shown?.uniqueId !== file.uniqueId || file.uniqueId === undefined)) {
          const media = { type: file.kind, media: file.media, ...captionOf(reply), ...spoilerOf(reply) };
          const edited = await api.editMessageMedia(to.chatId, id, media, keyboard);
          if (edited !== true) previews.remember(file, edited);
          return message;
        }
        if (file !== undefined) {
          await api.editMessageCaption(to.chatId, id, { ...captionOf(reply), ...keyboard });
          return message;
        }
        // Telegram takes no file out of a message.
        if (shown !== undefined) return await replace(reply, message, to);
        await api.editMessageText(to.chatId, id, htmlOf(reply, textLimit), {
          ...{ ...html, ...withoutLinkPreview, ...keyboard },
        });
        return message;
      } catch (error) {
        if (isNotModified(error)) return message;
        onTrouble("changing a message", error);
        if (file !== undefined && isAboutFile(error)) previews.forget(file);
        if (isForbidden(error) && !isAboutFile(error)) return undefined;
        return await attempt("message in its place", () => replace(reply, message, to));
      }
    },

    /** The same for what was sent by way of a guest or inline query: words only. */
    async updateInline(reply: Reply, inlineId: string): Promise<void> {
      try {
        await api.editMessageTextInline(inlineId, htmlOf(reply, textLimit), {
          ...{ ...html, ...withoutLinkPreview, ...keyboardOf(reply, { isShared: true }) },
        });
      } catch (error) {
        if (!isNotModified(error)) onTrouble("changing an inline message", error);
      }
    },

    /** Takes a message of the bot's away; what is too old for that is emptied. */
    async remove(message: Message, { say, language }: BotSpeaker, person: Person): Promise<void> {
      const chatId = message.chat.id;
      try {
        await api.deleteMessage(chatId, message.message_id);
      } catch (error) {
        if (!isGone(error)) onTrouble("deletion", error);
        const reply = plainReply({ language, person, texts: [say("reply.deleted")] });
        const work =
          readFile(message) === undefined
            ? api.editMessageText(chatId, message.message_id, htmlOf(reply, textLimit), html)
            : api.editMessageCaption(chatId, message.message_id, captionOf(reply));
        await work.catch(() => undefined);
      }
    },

    /** The words and buttons of a reply, for what is sent otherwise. */
    write: (reply: Reply, to: { isShared: boolean; limit?: "caption" }) => ({
      html: htmlOf(reply, to.limit === "caption" ? captionLimit : textLimit),
      keyboard: keyboardOf(reply, to),
    }),
  };

  async function answerAlone(
    reply: Reply,
    to: Parameters<typeof sender.answer>[1],
  ): Promise<Message | undefined> {
    const direct = await sender.direct(reply, to);
    const { say } = createSpeaker(reply.language);
    const { person } = to;
    const note = plainReply({
      ...{ language: reply.language, person, isPrivate: false },
      texts: [say(direct === undefined ? "reply.forYouAlone" : "reply.sentPrivately")],
    });
    const payload = to.payload ?? (reply.resultId === undefined ? "help" : `r_${reply.resultId}`);
    const url = deepLink(options.username(), payload);
    const open = { action: "open" as const, label: say("button.writeToMe"), target: undefined, url };
    const buttons = [[{ ...open, isDisabled: false, isActive: false }]];
    const told = await attempt("note in the group", () =>
      sender.send(direct === undefined ? { ...note, buttons } : note, to),
    );
    return direct ?? told;
  }

  /** A new message first, so that there is never none. */
  async function replace(reply: Reply, message: Message, to: Target & Look): Promise<Message> {
    const replyTo = message.reply_to_message?.message_id;
    const sent = await sender.send(reply, { ...to, ...(replyTo === undefined ? {} : { replyTo }) });
    await api.deleteMessage(to.chatId, message.message_id).catch((error: unknown) => {
      if (!isGone(error)) onTrouble("deletion", error);
    });
    return sent;
  }

  type FileOptions = {
    caption: string;
    parse_mode: "HTML";
    has_spoiler?: boolean;
    reply_markup?: InlineKeyboardMarkup;
  };

  function sendFile(chatId: number, { kind, media }: PreviewFile, more: FileOptions): Promise<Message> {
    if (kind === "photo") return api.sendPhoto(chatId, media, more);
    if (kind === "animation") return api.sendAnimation(chatId, media, more);
    return api.sendVideo(chatId, media, { ...more, supports_streaming: true });
  }

  function keyboardOf(
    reply: Reply,
    { isShared, openMenu }: { isShared: boolean } & Look,
  ): { reply_markup?: InlineKeyboardMarkup } {
    const keyboard = writeKeyboard(reply, { username: options.username(), isShared, openMenu });
    return keyboard === undefined ? {} : { reply_markup: { inline_keyboard: keyboard } };
  }

  async function attempt(what: string, work: () => Promise<Message>): Promise<Message | undefined> {
    try {
      return await work();
    } catch (error) {
      onTrouble(what, error);
      return undefined;
    }
  }

  return sender;
}

function htmlOf(reply: Reply, limit: number): string {
  return writeHtml(writeText(reply), limit) || "…";
}

function captionOf(reply: Reply) {
  return { ...html, caption: htmlOf(reply, captionLimit) };
}

function spoilerOf(reply: Reply): { has_spoiler?: boolean } {
  return (reply.match?.hasSpoiler ?? reply.preview?.hasSpoiler) === true ? { has_spoiler: true } : {};
}

import { linkButton, type Person, plainReply, type Reply, withoutPrivacy } from "@koma/bot-core";
import { type BotTranslator, createTranslator } from "@koma/messages";
import type { Api } from "grammy";
import type { Message } from "grammy/types";
import { deepLink } from "../replies/keyboard.ts";
import { isForbidden, isGone, isNotModified, isWithoutText } from "../telegram/errors.ts";
import { createMessenger, type Target } from "./messenger.ts";
import { createPreviewFiles, readFile } from "./preview-files.ts";
import { captionOf, keyboardOf, textOf, textOptions } from "./write-message.ts";

/** The destination of a reply, and a callback for the moment before it is sent. */
type ReplyTarget = Target & {
  person: Person;
  /** The deep-link payload that starts the same request in the private chat. */
  payload?: string | undefined;
  sending?: (() => Promise<void>) | undefined;
};

/** Sends replies, and uses another route if the first one fails. */
export type Sender = ReturnType<typeof createSender>;

const inlineFileLimit = 10_000;

export function createSender(options: {
  api: Api;
  username: string;
  onError: (what: string, error: unknown) => void;
  background: (name: string, work: () => Promise<void>) => void;
}) {
  const { api, username, onError, background } = options;
  const previews = createPreviewFiles();
  const messenger = createMessenger({ api, username, previews, onError, background });
  const { send, update } = messenger;

  const inlineFiles = new Set<string>();

  const sender = {
    previews,
    send,
    update,

    /**
     * Sends a reply. A private reply goes to the private chat; if the user has none, a button opens it.
     * Undefined if nothing could be sent.
     */
    async sendReply(original: Reply, to: ReplyTarget): Promise<Message | undefined> {
      const reply = withoutPrivacy(original);
      if (reply.isPrivate && to.isShared) return await sendPrivately(reply, to);
      const sent =
        (await attempt("answer", () => send(reply, to))) ??
        (to.isShared ? await sender.direct(reply, { person: to.person }) : undefined);
      if (reply.privately !== undefined) await sender.direct(reply.privately, { person: to.person });
      return sent;
    },

    /** Sends a message to the private chat; undefined if the user accepts none. */
    direct(reply: Reply, to: Pick<ReplyTarget, "person" | "sending">): Promise<Message | undefined> {
      const { person, sending } = to;
      return attempt("private message", () =>
        send(reply, { chatId: Number(person.id), isShared: false, sending }),
      );
    },

    /** True if the bot can write to the person. */
    async canReach({ id }: Person): Promise<boolean> {
      try {
        await api.sendChatAction(Number(id), "typing");
        return true;
      } catch (error) {
        return !isForbidden(error);
      }
    },

    /** A reply with a button that opens the private chat and starts the request there. */
    async invite({ language }: Pick<Reply, "language">, to: ReplyTarget): Promise<Message | undefined> {
      const { t } = createTranslator(language);
      const note = plainReply({ language, person: to.person, texts: [t("reply.forYouAlone")] });
      return await attempt("invitation", () => send(withInvitation(note, to.payload ?? "help"), to));
    },

    /** Records that an inline message has a file, so that its caption is edited and not its text. */
    rememberInlineFile(inlineId: string): void {
      inlineFiles.add(inlineId);
      const [oldest] = inlineFiles;
      if (inlineFiles.size > inlineFileLimit && oldest !== undefined) inlineFiles.delete(oldest);
    },

    /** Edits the text of a guest or inline message. */
    async updateInline(reply: Reply, inlineId: string): Promise<void> {
      const editCaption = () => {
        const { html, keyboard } = sender.writeForGuests(reply, { limit: "caption" });
        return api.editMessageCaptionInline(inlineId, { caption: html, parse_mode: "HTML", ...keyboard });
      };
      const editText = () => {
        const { html, keyboard } = sender.writeForGuests(reply);
        return api.editMessageTextInline(inlineId, html, { ...textOptions, ...keyboard });
      };
      try {
        if (inlineFiles.has(inlineId)) await editCaption();
        else
          await editText().catch((error: unknown) => {
            // After a restart it is unknown whether the message has a file.
            if (!isWithoutText(error)) throw error;
            sender.rememberInlineFile(inlineId);
            return editCaption();
          });
      } catch (error) {
        if (!isNotModified(error)) onError("editing an inline message", error);
      }
    },

    /** Deletes a message of the bot, or empties one that is too old to delete. */
    async remove(message: Message, { t, language }: BotTranslator, person: Person): Promise<void> {
      const { message_id: id } = message;
      try {
        await messenger.delete(message);
      } catch (error) {
        if (isGone(error) && message.date === 0) return;
        onError("deletion", error);
        const reply = plainReply({ language, person, texts: [t("reply.deleted")] });
        const isText = readFile(message) === undefined;
        await attempt("emptying a message", async () => {
          if (isText) await api.editMessageText(message.chat.id, id, textOf(reply), textOptions);
          else await api.editMessageCaption(message.chat.id, id, captionOf(reply));
          return message;
        });
      }
    },

    /** The text and the buttons of a reply, for other ways of sending. */
    write: (reply: Reply, { limit }: { limit: "text" | "caption" }) => ({
      html: limit === "caption" ? captionOf(reply).caption : textOf(reply),
      keyboard: keyboardOf(reply, { isShared: true, username }),
    }),

    /** The same where uploads are impossible: text, and a button that shows the scene in the private chat. */
    writeForGuests(reply: Reply, { limit = "text" }: { limit?: "text" | "caption" } = {}) {
      const { preview, resultId, match, language } = reply;
      if (preview === undefined || match === undefined || resultId === undefined)
        return sender.write(reply, { limit });
      const label = `🎬 ${createTranslator(language).t(`button.${preview.variant}`)}`;
      const url = deepLink(username, `r_${resultId}`);
      const buttons = [[linkButton("page", label, url)], ...reply.buttons];
      return sender.write({ ...reply, buttons }, { limit });
    },

    /** The reply with a button that opens the private chat. */
    withInvitation,
  };

  async function sendPrivately(reply: Reply, to: ReplyTarget): Promise<Message | undefined> {
    const direct = await sender.direct(reply, to);
    if (direct === undefined) {
      const payload = to.payload ?? (reply.resultId === undefined ? "help" : `r_${reply.resultId}`);
      return await sender.invite(reply, { ...to, payload });
    }
    const { language } = reply;
    const texts = [createTranslator(language).t("reply.sentPrivately")];
    const note = plainReply({ language, person: to.person, texts });
    await attempt("note in the group", () => send(note, { ...to, sending: undefined }));
    return direct;
  }

  function withInvitation(reply: Reply, payload: string): Reply {
    const label = createTranslator(reply.language).t("button.writeToMe");
    const open = linkButton("open", label, deepLink(username, payload));
    return { ...reply, buttons: [...reply.buttons, [open]] };
  }

  async function attempt(what: string, work: () => Promise<Message>): Promise<Message | undefined> {
    try {
      return await work();
    } catch (error) {
      onError(what, error);
      return undefined;
    }
  }

  return sender;
}

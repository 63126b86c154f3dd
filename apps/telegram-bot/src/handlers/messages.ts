import { type MessageReference, plainReply, type Reply } from "@koma/bot-core";
import { chooseLanguage, createTranslator } from "@koma/messages";
import type { Message } from "grammy/types";
import { telegramFileBytes } from "../telegram/download.ts";
import type { Albums } from "./albums.ts";
import { createCommands } from "./commands.ts";
import { type Found, findSubject } from "./find-subject.ts";
import { isHidden, isMeant } from "./is-relevant.ts";
import { createLeakWatch } from "./leak-watch.ts";
import { isManager } from "./managers.ts";
import type { Attempt, Parts } from "./parts.ts";
import { type MessageText, readText } from "./read-text.ts";
import { isAnonymousAdmin, type Requester, readRequester } from "./requester.ts";
import { showWork } from "./show-work.ts";

/** Messages to the bot, in private and in groups. */
export function createMessages(parts: Parts & { albums: Albums }) {
  const { core, api, bot, sender, albums, chatNames } = parts;
  const commands = createCommands(parts);
  const leaks = createLeakWatch(parts);

  return {
    /** Serves one message to its end. */
    async serve(message: Message, attempt: Attempt): Promise<MessageReference | undefined> {
      const { migrate_to_chat_id: movedTo, chat } = message;
      if (movedTo !== undefined) {
        await chatNames.move(chat.id, movedTo);
        return undefined;
      }
      const requester = await settle(message);
      if (requester === undefined) return undefined;
      if (hasKey(message)) return await leaks.handle(message, requester, attempt);
      const album = await albums.take(message);
      if (album === undefined) return undefined;
      const before = album.earlier.find((one) => isMeant(one, bot));
      // What came too late for its album is meant as that was; what came too early waited for the word that means the bot.
      const main = album.messages.find((one) => isMeant(one, bot)) ?? (before && album.messages[0]);
      if (main === undefined) return undefined;
      const messages = before === undefined ? [...album.earlier, ...album.messages] : album.messages;
      const question = { main, before, album: messages, id: album.id, requester };
      let hasSent = false;
      const noting: Attempt = {
        ...attempt,
        async sending() {
          hasSent = true;
          await attempt.sending();
        },
      };
      try {
        return toReference(await serve(question, noting));
      } catch (error) {
        // Who was told that it failed is not answered once more after a restart.
        parts.onError("answering", error);
        if (!hasSent) await apologize(question);
        return undefined;
      }
    },

    /** A message that was changed: only a key in it is of interest. */
    async serveEdit(message: Message, attempt: Attempt): Promise<MessageReference | undefined> {
      const requester = await settle(message);
      if (requester === undefined || !hasKey(message)) return undefined;
      return await leaks.handle(message, requester, attempt);
    },
  };

  type Question = {
    main: Message;
    /** The words that an earlier part of the album was asked with. */
    before: Message | undefined;
    album: readonly Message[];
    id: string;
    requester: Requester;
  };

  async function settle(message: Message): Promise<Requester | undefined> {
    const requester = readRequester(message);
    return requester && { ...requester, chat: await chatNames.settle(requester.chat) };
  }

  function hasKey(message: Message): boolean {
    return core.findLeakedKey(message.text ?? message.caption ?? "") !== undefined;
  }

  async function serve(question: Question, { sending }: Attempt): Promise<Message | undefined> {
    const { main, before, requester } = question;
    const own = readText(main, bot);
    const text = { ...own, options: { ...(before && readText(before, bot).options), ...own.options } };
    const to = { ...targetOf(main), person: requester.person };
    const command = text.command === undefined ? undefined : await runCommand(question, text);
    if (command !== undefined) {
      const { payload, reply } = command;
      if (reply !== undefined) return await sender.sendReply(reply, { ...to, payload, sending });
      return await sender.invite(await core.translatorFor(requester), { ...to, payload, sending });
    }
    const found = await findSubject(question.album, parts);
    if (found !== undefined) return await search(question, { text, found, sending });
    const reply = await replyNoImage(question, text);
    return await sender.sendReply(reply, { ...to, sending });
  }

  async function runCommand(
    { main, requester: { person, chat } }: Question,
    { command = "", rest }: MessageText,
  ): Promise<{ reply: Reply | undefined; payload: string } | undefined> {
    const isManagedByRequester =
      command === "settings" &&
      chat.kind === "group" &&
      (isAnonymousAdmin(main) || (await isManager(api, { chatId: main.chat.id, userId: main.from?.id })));
    const result = commands.find(command, rest, { person, chat: { ...chat, isManagedByRequester } });
    if (result === undefined) return undefined;
    const { payload } = result;
    if (!result.isAlone || chat.kind === "direct" || (await sender.canReach(person))) {
      return { reply: await result.run(), payload };
    }
    // What cannot be told is not begun.
    return { reply: undefined, payload };
  }

  async function search(
    { main, id, requester: { person, chat } }: Question,
    { text, found, sending }: { text: MessageText; found: Found; sending: () => Promise<void> },
  ): Promise<Message | undefined> {
    const work = showWork(api, main);
    try {
      const { options } = text;
      const { subject, isSmallPreview } = found;
      const reply = await core.lookup({ person, chat, subject, options, requestId: id });
      const whole = isSmallPreview ? await withSmallPreviewNote(reply) : reply;
      return await sender.sendReply(whole, { ...targetOf(main), person, sending });
    } finally {
      await work.end();
    }
  }

  async function withSmallPreviewNote(reply: Reply): Promise<Reply> {
    const limit = telegramFileBytes / 1024 / 1024;
    const text = createTranslator(reply.language).t("reply.smallPreviewOnly", { limit });
    return { ...reply, lines: [...reply.lines, { spans: [{ text }], style: "quiet" }] };
  }

  async function replyNoImage({ main, requester }: Question, text: MessageText): Promise<Reply> {
    const { person, chat } = requester;
    const isTalk = text.command === undefined && !isHidden(main);
    if (chat.kind === "direct" && isTalk) return await core.help(requester);
    const { t, language } = await core.translatorFor({ person, chat });
    const isReply = main.reply_to_message !== undefined || main.external_reply !== undefined;
    return plainReply({
      language,
      person,
      isPrivate: false,
      title: t("reply.noPicture.title"),
      texts: [
        isReply ? t("reply.noPicture.inReply") : t("reply.noPicture.inMessage"),
        t("reply.noPicture.text"),
      ],
    });
  }

  /** Nobody is left without a word. */
  async function apologize({ main, requester: { person, chat } }: Question): Promise<void> {
    const { t, language } = createTranslator(chooseLanguage([person.locale, chat.locale]));
    const texts = [t("reply.oops")];
    const reply = plainReply({ language, person, kind: "failure", texts, isPrivate: false });
    await sender.sendReply(reply, { ...targetOf(main), person });
  }
}

/** Where the answer to a message goes. */
export function targetOf(message: Message) {
  const { chat, message_id: replyTo, message_thread_id: thread, is_topic_message: isInTopic } = message;
  return {
    chatId: chat.id,
    replyTo,
    isShared: chat.type !== "private",
    ...(isInTopic === true && thread !== undefined ? { threadId: thread } : {}),
  };
}

/** What the core keeps of a message that was sent. */
export function toReference(sent: Message | undefined): MessageReference | undefined {
  return sent && { chatId: sent.chat.id, messageId: sent.message_id };
}

import { type MessageReference, plainReply, type Reply } from "@koma/bot-core";
import { chooseLanguage, createSpeaker } from "@koma/messages";
import type { Message } from "grammy/types";
import { telegramFileBytes } from "../telegram/download.ts";
import type { Albums } from "./albums.ts";
import { type Asker, isAnonymousAdmin, readAsker } from "./asker.ts";
import { createCommands } from "./commands.ts";
import { type Found, findSubject } from "./find-subject.ts";
import { createLeakWatch } from "./leak-watch.ts";
import { isManager } from "./managers.ts";
import type { Attempt, Parts } from "./parts.ts";
import { readText, type Said } from "./read-text.ts";
import { showWork } from "./show-work.ts";
import { isHidden, isMeant } from "./wanted.ts";

/** Messages to the bot, in private and in groups. */
export function createMessages(parts: Parts & { albums: Albums }) {
  const { core, api, bot, sender, albums, placeNames } = parts;
  const commands = createCommands(parts);
  const leaks = createLeakWatch(parts);

  return {
    /** Serves one message to its end. */
    async serve(message: Message, attempt: Attempt): Promise<MessageReference | undefined> {
      const { migrate_to_chat_id: movedTo, chat } = message;
      if (movedTo !== undefined) {
        await placeNames.move(chat.id, movedTo);
        return undefined;
      }
      const asker = await settle(message);
      if (asker === undefined) return undefined;
      if (hasKey(message)) return await leaks.handle(message, asker, attempt);
      const album = await albums.take(message);
      if (album === undefined) return undefined;
      const before = album.earlier.find((one) => isMeant(one, bot));
      // What came too late for its album is meant as that was; what came too early waited for the word that means the bot.
      const main = album.messages.find((one) => isMeant(one, bot)) ?? (before && album.messages[0]);
      if (main === undefined) return undefined;
      const messages = before === undefined ? [...album.earlier, ...album.messages] : album.messages;
      const question = { main, before, album: messages, id: album.id, asker };
      let hasSent = false;
      const noting: Attempt = {
        ...attempt,
        async sending() {
          hasSent = true;
          await attempt.sending();
        },
      };
      try {
        return toReference(await answer(question, noting));
      } catch (error) {
        // Who was told that it failed is not answered once more after a restart.
        parts.onTrouble("answering", error);
        if (!hasSent) await apologize(question);
        return undefined;
      }
    },

    /** A message that was changed: only a key in it is of interest. */
    async serveEdit(message: Message, attempt: Attempt): Promise<MessageReference | undefined> {
      const asker = await settle(message);
      if (asker === undefined || !hasKey(message)) return undefined;
      return await leaks.handle(message, asker, attempt);
    },
  };

  type Question = {
    main: Message;
    /** The words that an earlier part of the album was asked with. */
    before: Message | undefined;
    album: readonly Message[];
    id: string;
    asker: Asker;
  };

  async function settle(message: Message): Promise<Asker | undefined> {
    const asker = readAsker(message);
    return asker && { ...asker, place: await placeNames.settle(asker.place) };
  }

  function hasKey(message: Message): boolean {
    return core.findLeakedKey(message.text ?? message.caption ?? "") !== undefined;
  }

  async function answer(question: Question, { sending }: Attempt): Promise<Message | undefined> {
    const { main, before, asker } = question;
    const own = readText(main, bot);
    const said = { ...own, options: { ...(before && readText(before, bot).options), ...own.options } };
    const to = { ...targetOf(main), person: asker.person };
    const command = said.command === undefined ? undefined : await runCommand(question, said);
    if (command !== undefined) {
      const { payload, reply } = command;
      if (reply !== undefined) return await sender.answer(reply, { ...to, payload, sending });
      return await sender.invite(await core.speakerFor(asker), { ...to, payload, sending });
    }
    const found = await findSubject(question.album, parts);
    if (found !== undefined) return await search(question, { said, found, sending });
    const reply = await sayNoPicture(question, said);
    return await sender.answer(reply, { ...to, sending });
  }

  async function runCommand(
    { main, asker: { person, place } }: Question,
    { command = "", rest }: Said,
  ): Promise<{ reply: Reply | undefined; payload: string } | undefined> {
    const isManagedByAsker =
      command === "settings" &&
      place.kind === "group" &&
      (isAnonymousAdmin(main) || (await isManager(api, { chatId: main.chat.id, userId: main.from?.id })));
    const answered = commands.find(command, rest, { person, place: { ...place, isManagedByAsker } });
    if (answered === undefined) return undefined;
    const { payload } = answered;
    if (!answered.isAlone || place.kind === "direct" || (await sender.canReach(person))) {
      return { reply: await answered.run(), payload };
    }
    // What cannot be told is not begun.
    return { reply: undefined, payload };
  }

  async function search(
    { main, id, asker: { person, place } }: Question,
    { said, found, sending }: { said: Said; found: Found; sending: () => Promise<void> },
  ): Promise<Message | undefined> {
    const work = showWork(api, main);
    try {
      const { options } = said;
      const { subject, isSmallPreview } = found;
      const reply = await core.lookup({ person, place, subject, options, requestId: id });
      const whole = isSmallPreview ? await withSmallPreviewNote(reply) : reply;
      return await sender.answer(whole, { ...targetOf(main), person, sending });
    } finally {
      await work.end();
    }
  }

  async function withSmallPreviewNote(reply: Reply): Promise<Reply> {
    const limit = telegramFileBytes / 1024 / 1024;
    const text = createSpeaker(reply.language).say("reply.smallPreviewOnly", { limit });
    return { ...reply, lines: [...reply.lines, { spans: [{ text }], style: "quiet" }] };
  }

  async function sayNoPicture({ main, asker }: Question, said: Said): Promise<Reply> {
    const { person, place } = asker;
    const isTalk = said.command === undefined && !isHidden(main);
    if (place.kind === "direct" && isTalk) return await core.help(asker);
    const { say, language } = await core.speakerFor({ person, place });
    const isReply = main.reply_to_message !== undefined || main.external_reply !== undefined;
    return plainReply({
      ...{ language, person, isPrivate: false, title: say("reply.noPicture.title") },
      texts: [
        isReply ? say("reply.noPicture.inReply") : say("reply.noPicture.inMessage"),
        say("reply.noPicture.text"),
      ],
    });
  }

  /** Nobody is left without a word. */
  async function apologize({ main, asker: { person, place } }: Question): Promise<void> {
    const { say, language } = createSpeaker(chooseLanguage([person.locale, place.locale]));
    const texts = [say("reply.oops")];
    const reply = plainReply({ language, person, kind: "failure", texts, isPrivate: false });
    await sender.answer(reply, { ...targetOf(main), person });
  }
}

/** Where the answer to a message goes. */
export function targetOf(message: Message) {
  const { chat, message_id: replyTo, message_thread_id: thread, is_topic_message: isInTopic } = message;
  return {
    ...{ chatId: chat.id, replyTo, isShared: chat.type !== "private" },
    ...(isInTopic === true && thread !== undefined ? { threadId: thread } : {}),
  };
}

/** What the core keeps of a message that was sent. */
export function toReference(sent: Message | undefined): MessageReference | undefined {
  return sent && { chatId: sent.chat.id, messageId: sent.message_id };
}

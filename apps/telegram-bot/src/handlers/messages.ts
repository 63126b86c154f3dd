import {
  expiredReply,
  failureReply,
  type MessageReference,
  type Reply,
  withoutPrivacy,
} from "@koma/bot-core";
import type { Message } from "grammy/types";
import { findFile } from "../images/find-files.ts";
import type { Album, Albums } from "./albums.ts";
import { createCommands } from "./commands.ts";
import { type Found, findSubject } from "./find-subject.ts";
import { isMeant, isUnaddressedImage, nameMessage } from "./is-relevant.ts";
import { createLeakWatch } from "./leak-watch.ts";
import { hidesOtherMessages, isManager } from "./managers.ts";
import { withSmallPreviewNote, writeNoImage } from "./notes.ts";
import type { Attempt, HandlerParts } from "./parts.ts";
import { readCorrection } from "./read-correction.ts";
import { type MessageText, readText } from "./read-text.ts";
import { readReference, targetOf, toReference } from "./reply-target.ts";
import { isAnonymousAdmin, type Requester, readRequester } from "./requester.ts";
import { showTypingLater, showWork } from "./show-work.ts";

/** The subject of an answered message, and the reply to it. */
type Replied = { subject: string | undefined; reply: Message | undefined };

const subjectLimit = 10_000;
/** The reaction to an image that is not searched, in place of a notice that its sender just got. */
const refusal = { type: "emoji", emoji: "🙈" } as const;
/** Edits of older messages are ignored, because answered messages are recorded for a day. */
const editSeconds = 24 * 3600;

/** Messages for the bot, in private chats and groups. */
export type Messages = ReturnType<typeof createMessages>;

export function createMessages(parts: HandlerParts & { albums: Albums }) {
  const { core, api, bot, sender, announceDelay, albums, chatNames } = parts;
  const commands = createCommands(parts);
  const leaks = createLeakWatch(parts);
  const subjects = new Map<string, Replied>();

  return {
    /** Serves one message. */
    async serve(message: Message, attempt: Attempt): Promise<MessageReference | undefined> {
      const requester = await settle(message);
      if (requester === undefined) return undefined;
      if (hasKey(message)) return await leaks.handle(message, requester, attempt);
      const album = await albums.take(message);
      if (album === undefined) return undefined;
      const before = album.earlier.find((one) => isMeant(one, bot));
      // A message that arrives after its album inherits the album's request; an early one waits for the
      // message that addresses the bot.
      const main = album.messages.find((one) => isMeant(one, bot)) ?? (before && album.messages[0]);
      if (main === undefined) return await serveAutomatically(album, requester, attempt);
      if (attempt.isExpired) return await replyExpired(main, requester, attempt);
      const replied = recordSubject(main);
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
        const sent = await serve(question, noting);
        replied.reply = sent;
        return toReference(sent);
      } catch (error) {
        // A request whose failure was reported is not repeated after a restart.
        parts.onError("answering", error);
        if (!hasSent) await apologize(question);
        return undefined;
      }
    },

    /** True if managers chose that every image is searched in the group or topic of this message. */
    async isSearchedAutomatically(message: Message): Promise<boolean> {
      const requester = await settle(message);
      return requester !== undefined && (await core.searchesEveryImage(requester.chat));
    },

    /** Introduces the bot in a group that it was added to. */
    async welcome(message: Message, { sending }: Attempt): Promise<MessageReference | undefined> {
      const requester = await settle(message);
      if (requester === undefined) return undefined;
      const reply = await core.welcome(requester);
      const { replyTo: _, ...to } = targetOf(message);
      return toReference(await sender.sendReply(reply, { ...to, person: requester.person, sending }));
    },

    /**
     * The request of an edit; undefined if the edit changes nothing for the bot. An edited message without a
     * reply is handled as a new one, once. Another image in a message with a reply updates that reply.
     */
    nameEdit(message: Message): string | undefined {
      const isOld = Date.now() / 1000 - message.date > editSeconds;
      const isOwn = message.via_bot?.id === bot.id || readRequester(message) === undefined;
      if (isOld || isOwn || !isMeant(message, bot)) return undefined;
      const before = subjects.get(nameMessage(message));
      const isPart = message.media_group_id !== undefined;
      if (before === undefined) return `${isPart ? "e" : "m"}:${nameMessage(message)}`;
      const subject = nameSubject(message);
      const isReplaced = subject !== undefined && subject !== before.subject;
      return isReplaced ? `e:${nameMessage(message)}:${subject.slice(0, 40)}` : undefined;
    },

    /** Serves an edited message: a key in it, or another image. */
    async serveEdit(message: Message, attempt: Attempt): Promise<MessageReference | undefined> {
      const requester = await settle(message);
      if (requester === undefined) return undefined;
      if (hasKey(message)) return await leaks.handle(message, requester, attempt);
      const replied = subjects.get(nameMessage(message));
      const existing = replied?.reply;
      const noted = recordSubject(message);
      const question = { main: message, before: undefined, album: [message], id: "", requester };
      const id = `${nameMessage(message)}:${nameSubject(message)?.slice(0, 40)}`;
      const sent = await serve({ ...question, id: `e:${id}`, existing }, attempt);
      noted.reply = sent ?? existing;
      return toReference(sent);
    },
  };

  /** Records the subject of a message, so that an edit of the text is distinguished from a replaced image. */
  function recordSubject(message: Message): Replied {
    const replied: Replied = { subject: nameSubject(message), reply: undefined };
    const name = nameMessage(message);
    subjects.delete(name);
    subjects.set(name, replied);
    const oldest = subjects.keys().next();
    if (subjects.size > subjectLimit && oldest.done !== true) subjects.delete(oldest.value);
    return replied;
  }

  /** The image or address in a message. */
  function nameSubject(message: Message): string | undefined {
    const { reply_to_message: repliedTo } = message;
    const file = findFile(message) ?? (repliedTo && findFile(repliedTo));
    return file?.uniqueId ?? readText(message, bot).address?.url;
  }

  /**
   * Replies to images that are not addressed to the bot, where managers chose it and the match is confident.
   * An album is one search, without the messages that arrive after it.
   */
  async function serveAutomatically(
    { id, messages, earlier }: Album,
    { person, chat }: Requester,
    { isUncertain, isExpired, sending }: Attempt,
  ): Promise<MessageReference | undefined> {
    const images = messages.filter((message) => isUnaddressedImage(message, bot));
    const [first] = images;
    // The image was not addressed to the bot: a missing reply is preferred to a second one.
    if (first === undefined || earlier.length > 0 || isUncertain || isExpired) return undefined;
    if (!(await core.searchesEveryImage(chat))) return undefined;
    const found = await findSubject(images, parts);
    if (found === undefined) return undefined;
    const { subject } = found;
    const reply = await core.lookupAutomatically({ person, chat, subject, requestId: `automatic:${id}` });
    if (reply === undefined) return undefined;
    return toReference(await sender.sendReply(reply, { ...targetOf(first), person, sending }));
  }

  type Question = {
    main: Message;
    /** The message with the text of an earlier part of the album. */
    before: Message | undefined;
    album: readonly Message[];
    id: string;
    requester: Requester;
    /** The bot's message that the result replaces. */
    existing?: Message | undefined;
  };

  async function settle(message: Message): Promise<Requester | undefined> {
    const requester = readRequester(message);
    return requester && { ...requester, chat: await chatNames.settle(requester.chat) };
  }

  function hasKey(message: Message): boolean {
    return core.hasLeakedKey(message.text ?? message.caption ?? "");
  }

  async function serve(question: Question, attempt: Attempt): Promise<Message | undefined> {
    const { sending } = attempt;
    const { main, before, requester } = question;
    const own = readText(main, bot);
    const text = { ...own, options: { ...(before && readText(before, bot).options), ...own.options } };
    const to = { ...targetOf(main), person: requester.person };
    const correction = readCorrection(main, bot);
    if (correction !== undefined) {
      const reply = await core.correct({ ...requester, ...correction });
      return await sender.sendReply({ ...reply, isPrivate: false }, { ...to, sending });
    }
    const command = text.command === undefined ? undefined : await runCommand(question, text);
    if (command !== undefined) {
      const { payload, reply } = command;
      if (reply !== undefined) return await sender.sendReply(reply, { ...to, payload, sending });
      return await sender.invite(await core.translatorFor(requester), { ...to, payload, sending });
    }
    const found = await findSubject(question.album, parts);
    if (found !== undefined) return await search(question, { text, found, attempt });
    const reply = await writeNoImage(core, { main, requester, text });
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
    const isHidden = isManagedByRequester && (await hidesOtherMessages(api, main.chat.id, bot));
    const result = commands.find(command, rest, {
      person,
      chat: { ...chat, isManagedByRequester, hidesOtherMessages: isHidden },
    });
    if (result === undefined) return undefined;
    const { payload } = result;
    if (!result.isAlone || chat.kind === "direct" || (await sender.canReach(person))) {
      const typing = showTypingLater(api, main);
      try {
        return { reply: await result.run(), payload };
      } finally {
        typing.end();
      }
    }
    // A private command does not start if its reply cannot be sent.
    return { reply: undefined, payload };
  }

  async function search(
    { main, id, requester: { person, chat }, existing }: Question,
    { text, found, attempt }: { text: MessageText; found: Found; attempt: Attempt },
  ): Promise<Message | undefined> {
    const { sending, isUncertain } = attempt;
    const work = showWork(api, main);
    const to = targetOf(main);
    const { replyTo: _, ...there } = to;
    let shown = existing ?? (isUncertain ? readReference(await core.findAlbumMessage(id)) : undefined);
    const change = async (reply: Reply, message: Message) => {
      await sending();
      return await sender.update(reply, message, there);
    };
    const onProgress = async (reply: Reply) => {
      shown =
        shown === undefined
          ? await sender.sendReply(reply, { ...to, person, sending })
          : await change(reply, shown);
      return toReference(shown);
    };
    try {
      const { options } = text;
      const { subject, isSmallPreview } = found;
      const reply = await core.lookup({ person, chat, subject, options, requestId: id, onProgress });
      if (reply.isRepeatedProblem === true && shown === undefined) {
        await work.end();
        await sending();
        await api.setMessageReaction(main.chat.id, main.message_id, [refusal]).catch(() => {});
        return undefined;
      }
      const whole = isSmallPreview ? withSmallPreviewNote(reply) : reply;
      if (shown !== undefined && !withoutPrivacy(whole).isPrivate)
        return await change(withoutPrivacy(whole), shown);
      return await announceDelay(() => sender.sendReply(whole, { ...to, person, sending }), {
        message: main,
        language: whole.language,
        onSlow: work.end,
      });
    } finally {
      await work.end();
    }
  }

  /** States that the request expired, unless an earlier attempt possibly sent its reply. */
  async function replyExpired(
    main: Message,
    { person, chat }: Requester,
    { isUncertain, sending }: Attempt,
  ): Promise<MessageReference | undefined> {
    if (isUncertain) return undefined;
    const reply = expiredReply(await core.translatorFor({ person, chat }), person);
    return toReference(await sender.sendReply(reply, { ...targetOf(main), person, sending }));
  }

  /** Sends an error message in place of a reply. */
  async function apologize({ main, requester }: Question): Promise<void> {
    await sender.sendReply(failureReply(requester), { ...targetOf(main), person: requester.person });
  }
}

import { type MessageReference, plainReply, type Reply, withoutPrivacy } from "@koma/bot-core";
import type { InlineQueryResult, Message } from "grammy/types";
import { writeInlineResult } from "../responses/inline-result.ts";
import { isAboutFile, isTooOld } from "../telegram/errors.ts";
import { createCommands } from "./commands.ts";
import { findSubject } from "./find-subject.ts";
import type { Attempt, HandlerParts } from "./parts.ts";
import { readText } from "./read-text.ts";
import { type Requester, readRequester } from "./requester.ts";

/**
 * Guest mode: the bot was mentioned in a chat without being a member, and may reply once. Bots cannot upload
 * there: the reply has a clip only if Telegram can fetch it from the site; a button shows it in the private
 * chat.
 */
export function createGuests(parts: HandlerParts) {
  const { core, api, bot, sender, onError } = parts;
  const commands = createCommands(parts);

  return {
    async serve(message: Message, { sending }: Attempt): Promise<MessageReference | undefined> {
      const { guest_query_id: queryId } = message;
      const found = readRequester(message);
      if (queryId === undefined || found === undefined) return undefined;
      // The id of the chat can equal that of another chat of the bot.
      const id = `guest:${found.chat.id}`;
      const requester: Requester = { ...found, chat: { kind: "group", id, isAgeRestricted: false } };
      const reply = await serve(message, requester, queryId);
      await sending();
      const { preview } = reply;
      const write = (limit: "text" | "caption") => sender.writeForGuests(reply, { limit });
      const file = preview && sender.previews.findKnown(preview);
      try {
        const result = writeInlineResult(reply, { id: "answer", file, write });
        const inlineId = await send(queryId, result);
        if (result.type !== "article") sender.rememberInlineFile(inlineId);
      } catch (error) {
        if (!isTooOld(error)) onError("replying as a guest", error);
        if (preview === undefined || !isAboutFile(error)) return undefined;
        const words = { ...reply, preview: undefined };
        const result = writeInlineResult(words, { id: "answer", file: undefined, write });
        await send(queryId, result).catch((again: unknown) => onError("replying as a guest", again));
      }
      if (reply.privately !== undefined) await sender.direct(reply.privately, requester);
      return undefined;
    },
  };

  async function send(queryId: string, result: InlineQueryResult): Promise<string> {
    return (await api.answerGuestQuery(queryId, result)).inline_message_id;
  }

  async function serve(message: Message, requester: Requester, queryId: string): Promise<Reply> {
    const { command = "", rest, options } = readText(message, bot);
    const known = command === "" ? undefined : commands.find(command, rest, requester);
    if (known !== undefined) {
      if (known.isAlone) return await replyPrivately(requester, known.payload);
      const reply = await known.run();
      return reply.isPrivate ? await replyPrivately(requester, known.payload) : reply;
    }
    const found = await findSubject([message], parts);
    const { person, chat } = requester;
    if (found === undefined) {
      const { t, language } = await core.translatorFor(requester);
      const texts = [t("reply.noPicture.inMessage"), t("help.ways.reply")];
      return plainReply({ language, person, texts, title: t("reply.noPicture.title"), isPrivate: false });
    }
    const { subject } = found;
    const reply = withoutPrivacy(
      await core.lookup({ person, chat, subject, options, requestId: `q:${queryId}` }),
    );
    return reply.isPrivate ? await replyPrivately(requester, "link") : reply;
  }

  async function replyPrivately(requester: Requester, payload: string): Promise<Reply> {
    const { t, language } = await core.translatorFor(requester);
    const texts = [t("reply.forYouAlone")];
    return sender.withInvitation(plainReply({ language, person: requester.person, texts }), payload);
  }
}

import { type MessageReference, plainReply, type Reply, withoutPrivacy } from "@koma/bot-core";
import type { Message } from "grammy/types";
import { isTooOld } from "../telegram/errors.ts";
import { createCommands } from "./commands.ts";
import { findSubject } from "./find-subject.ts";
import type { Attempt, Parts } from "./parts.ts";
import { readText } from "./read-text.ts";
import { type Requester, readRequester } from "./requester.ts";

/**
 * Guest mode: the bot was named in a chat that it is no member of, and may answer once. Nothing can be uploaded there, so
 * the answer is words; a button shows the clip in the private chat.
 */
export function createGuests(parts: Parts) {
  const { core, api, bot, sender, onError } = parts;
  const commands = createCommands(parts);

  return {
    async serve(message: Message, { sending }: Attempt): Promise<MessageReference | undefined> {
      const { guest_query_id: queryId } = message;
      const found = readRequester(message);
      if (queryId === undefined || found === undefined) return undefined;
      // The chat's number may be that of another chat of the bot's.
      const id = `guest:${found.chat.id}`;
      const requester: Requester = { ...found, chat: { kind: "group", id, isAgeRestricted: false } };
      const reply = await serve(message, requester, queryId);
      await sending();
      const { html, keyboard } = sender.writeForGuests(reply);
      try {
        await api.answerGuestQuery(queryId, {
          type: "article",
          id: "answer",
          title: (reply.title ?? "Koma").slice(0, 64),
          input_message_content: {
            message_text: html,
            parse_mode: "HTML",
            link_preview_options: { is_disabled: true },
          },
          ...keyboard,
        });
      } catch (error) {
        if (!isTooOld(error)) onError("answering as a guest", error);
      }
      if (reply.privately !== undefined) await sender.direct(reply.privately, requester);
      return undefined;
    },
  };

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

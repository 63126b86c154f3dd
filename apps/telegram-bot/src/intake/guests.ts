import { type MessageReference, plainReply, type Reply, sayOpenly } from "@koma/bot-core";
import type { Message } from "grammy/types";
import { isTooOld } from "../telegram/errors.ts";
import { type Asker, readAsker } from "./asker.ts";
import { createCommands } from "./commands.ts";
import { findSubject } from "./find-subject.ts";
import type { Attempt, Parts } from "./parts.ts";
import { readText } from "./read-text.ts";

/**
 * Guest mode: the bot was named in a chat that it is no member of, and may answer once. Nothing can be uploaded there, so
 * the answer is words; a button shows the clip in the private chat.
 */
export function createGuests(parts: Parts) {
  const { core, api, bot, sender, onTrouble } = parts;
  const commands = createCommands(parts);

  return {
    async serve(message: Message, { sending }: Attempt): Promise<MessageReference | undefined> {
      const { guest_query_id: queryId } = message;
      const found = readAsker(message);
      if (queryId === undefined || found === undefined) return undefined;
      // The chat's number may be that of another chat of the bot's.
      const id = `guest:${found.place.id}`;
      const asker: Asker = { ...found, place: { kind: "group", id, isAgeRestricted: false } };
      const reply = await answer(message, asker, queryId);
      await sending();
      const { html, keyboard } = sender.writeForGuests(reply);
      try {
        await api.answerGuestQuery(queryId, {
          ...{ type: "article", id: "answer", title: (reply.title ?? "Koma").slice(0, 64) },
          input_message_content: {
            ...{ message_text: html, parse_mode: "HTML", link_preview_options: { is_disabled: true } },
          },
          ...keyboard,
        });
      } catch (error) {
        if (!isTooOld(error)) onTrouble("answering as a guest", error);
      }
      if (reply.privately !== undefined) await sender.direct(reply.privately, asker);
      return undefined;
    },
  };

  async function answer(message: Message, asker: Asker, queryId: string): Promise<Reply> {
    const { command = "", rest, options } = readText(message, bot);
    const known = command === "" ? undefined : commands.find(command, rest, asker);
    if (known !== undefined) {
      if (known.isAlone) return await sayAlone(asker, known.payload);
      const reply = await known.run();
      return reply.isPrivate ? await sayAlone(asker, known.payload) : reply;
    }
    const found = await findSubject([message], parts);
    const { person, place } = asker;
    if (found === undefined) {
      const { say, language } = await core.speakerFor(asker);
      const texts = [say("reply.noPicture.inMessage"), say("help.ways.reply")];
      return plainReply({ language, person, texts, title: say("reply.noPicture.title"), isPrivate: false });
    }
    const { subject } = found;
    const reply = sayOpenly(
      await core.lookup({ person, place, subject, options, requestId: `q:${queryId}` }),
    );
    return reply.isPrivate ? await sayAlone(asker, "link") : reply;
  }

  async function sayAlone(asker: Asker, payload: string): Promise<Reply> {
    const { say, language } = await core.speakerFor(asker);
    const texts = [say("reply.forYouAlone")];
    return sender.withInvitation(plainReply({ language, person: asker.person, texts }), payload);
  }
}

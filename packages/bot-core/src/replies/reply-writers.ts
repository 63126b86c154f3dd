import type { BotTranslator } from "@koma/messages";
import type { Reply } from "../model/reply.ts";
import type { Requester } from "../model/request.ts";
import type { Settings } from "../settings/settings.ts";
import { buildReply, type ReplyParts } from "./build-reply.ts";
import type { Guard } from "./guard.ts";
import type { TranslatorFor } from "./translator-for.ts";

/** Writes a reply in the reader's language; `build` sets the parts that follow from the reader. */
type Write = (translator: BotTranslator, build: (parts: ReplyParts) => Reply) => Reply | Promise<Reply>;

/** The functions that write replies to requests. */
export type ReplyWriters = ReturnType<typeof createReplyWriters>;

export function createReplyWriters(parts: {
  settings: Settings;
  translatorFor: TranslatorFor;
  guard: Guard;
}) {
  const { settings, translatorFor, guard } = parts;

  async function reply({ person, chat }: Requester, isPrivate: boolean, write: Write): Promise<Reply> {
    return await guard({ person, chat }, async () => {
      const translator = await translatorFor({ person, chat, isPrivate });
      return await write(translator, (own) => buildReply(translator, person, { isPrivate, ...own }));
    });
  }

  return {
    /** A reply that only the requester sees; never throws. */
    replyPrivately: (requester: Requester, write: Write): Promise<Reply> => reply(requester, true, write),

    /** A reply that all see, unless the settings of the chat make replies private; never throws. */
    replyInChat: async (requester: Requester, write: Write): Promise<Reply> =>
      reply(requester, (await settings.audienceAt(requester.chat)).isPrivate, write),
  };
}

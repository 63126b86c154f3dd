import { type Chat, type Person, plainReply } from "@koma/bot-core";
import type { Message } from "grammy/types";
import { textOf, textOptions } from "../responses/write-message.ts";
import type { HandlerParts } from "./parts.ts";
import { writeCorrectionLink } from "./read-correction.ts";
import { targetOf } from "./reply-target.ts";

/** Asks what the image of a result shows; `readCorrection` reads the reply. Without a message in the private chat. */
export async function askCorrection(
  { core, api, bot }: Pick<HandlerParts, "core" | "api" | "bot">,
  resultId: string,
  { person, chat, message }: { person: Person; chat: Chat; message: Message | undefined },
): Promise<Message> {
  const { t, language } = await core.translatorFor({ person, chat });
  const to = message === undefined ? undefined : targetOf(message);
  const isShared = to?.isShared === true;
  const link = { text: t("reply.correct.title"), url: writeCorrectionLink(bot, resultId) };
  // In a group, the answer opens only for the person who is mentioned.
  const name = { text: person.displayName, url: `tg://user?id=${person.id}` };
  const reply = plainReply({ language, person, texts: [t("reply.correct.how")] });
  const question = { spans: isShared ? [name, { text: " · " }, link] : [link], style: "normal" as const };
  const text = textOf({ ...reply, lines: [question, ...reply.lines] });
  return await api.sendMessage(to?.chatId ?? Number(person.id), text, {
    ...textOptions,
    ...(to?.threadId !== undefined && { message_thread_id: to.threadId }),
    ...(message !== undefined && {
      reply_parameters: { message_id: message.message_id, allow_sending_without_reply: true },
    }),
    reply_markup: { force_reply: true, selective: isShared },
  });
}

import { type BotCore, plainReply, type Reply } from "@koma/bot-core";
import { createTranslator } from "@koma/messages";
import type { Message } from "grammy/types";
import { telegramFileBytes } from "../telegram/download.ts";
import { isHidden } from "./is-relevant.ts";
import type { MessageText } from "./read-text.ts";
import type { Requester } from "./requester.ts";

/** One line that explains what to send, for other texts and unknown commands. */
export async function writeHint(core: BotCore, { person, chat }: Requester): Promise<Reply> {
  const { t, language } = await core.translatorFor({ person, chat });
  return plainReply({ language, person, texts: [t("reply.hint")], isPrivate: false });
}

/** The reply to a message for the bot without an image that it can see. */
export async function writeNoImage(
  core: BotCore,
  { main, requester, text }: { main: Message; requester: Requester; text: MessageText },
): Promise<Reply> {
  const { person, chat } = requester;
  const isTalk = text.command === undefined && !isHidden(main);
  if (chat.kind === "direct" && isTalk) return await writeHint(core, requester);
  const { t, language } = await core.translatorFor({ person, chat });
  const title = t("reply.noPicture.title");
  if (isHidden(main)) {
    return plainReply({ language, person, isPrivate: false, title, texts: [t("reply.noPicture.hidden")] });
  }
  const isReply = main.reply_to_message !== undefined || main.external_reply !== undefined;
  const missing = isReply ? t("reply.noPicture.inReply") : t("reply.noPicture.inMessage");
  return plainReply({
    language,
    person,
    isPrivate: false,
    title,
    texts: [missing, t("reply.noPicture.text")],
  });
}

/** The reply with the note that only the small preview of a large file was searched. */
export function withSmallPreviewNote(reply: Reply): Reply {
  const limit = telegramFileBytes / 1024 / 1024;
  const text = createTranslator(reply.language).t("reply.smallPreviewOnly", { limit });
  return { ...reply, lines: [...reply.lines, { spans: [{ text }], style: "quiet" }] };
}

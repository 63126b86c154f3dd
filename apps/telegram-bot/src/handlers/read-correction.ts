import type { Message, UserFromGetMe } from "grammy/types";
import { deepLink } from "../replies/keyboard.ts";

type Bot = Pick<UserFromGetMe, "id" | "username">;

/** What a person says that the image of a result shows. */
export type WrittenCorrection = { resultId: string; title: string; episode: string | undefined };

/** The address in the bot's question that names the result. Pressing it starts the bot without an effect. */
export function writeCorrectionLink({ username }: Bot, resultId: string): string {
  return deepLink(username, `k_${resultId}`);
}

/** The answer to the bot's question what an image shows: a title, and behind a comma an episode. */
export function readCorrection(message: Message, bot: Bot): WrittenCorrection | undefined {
  const { text, reply_to_message: question } = message;
  if (text === undefined || question?.from?.id !== bot.id) return undefined;
  const start = writeCorrectionLink(bot, "");
  for (const entity of question.entities ?? []) {
    if (entity.type !== "text_link" || !entity.url.startsWith(start)) continue;
    const [, title = text, episode] =
      /^([\s\S]+)[,،、，\n]([^,،、，\n]*\p{N}[^,،、，\n]*)$/u.exec(text) ?? [];
    return { resultId: entity.url.slice(start.length), title: title.trim(), episode: episode?.trim() };
  }
  return undefined;
}

import type { Message, Update, UserFromGetMe } from "grammy/types";
import { findFile } from "../images/find-files.ts";
import { readText } from "./read-text.ts";
import { readRequester } from "./requester.ts";

/** What the bot asks Telegram for. */
export const allowedUpdates = [
  ...(["message", "edited_message", "callback_query", "inline_query", "guest_message"] as const),
] as const;

type Bot = Pick<UserFromGetMe, "id" | "username">;

/** A name of an update that is the same when it comes again; undefined for what the bot does not answer. */
export function nameRequest(
  update: Update,
  bot: Bot,
  findLeakedKey: (text: string) => string | undefined,
): string | undefined {
  const { message, edited_message: edited, callback_query: callbackQuery, guest_message: guest } = update;
  if (callbackQuery !== undefined) return `c:${callbackQuery.id}`;
  if (guest?.guest_query_id !== undefined) return `q:${guest.guest_query_id}`;
  const hasKey = (one: Message) => findLeakedKey(one.text ?? one.caption ?? "") !== undefined;
  if (edited !== undefined) {
    if (readRequester(edited) === undefined || isOwnWork(edited, bot)) return undefined;
    return hasKey(edited) ? `e:${nameMessage(edited)}` : undefined;
  }
  if (message === undefined || readRequester(message) === undefined || isOwnWork(message, bot))
    return undefined;
  if (message.migrate_to_chat_id !== undefined) return `m:${nameMessage(message)}`;
  if (hasKey(message) || isMeant(message, bot)) return `m:${nameMessage(message)}`;
  // One of the others of its album may mean the bot.
  const isPart = message.media_group_id !== undefined && findFile(message) !== undefined;
  return isPart ? `m:${nameMessage(message)}` : undefined;
}

/** Whether somebody speaks to the bot: always in private; in groups by a command, its name, or an answer to it. */
export function isMeant(message: Message, bot: Bot): boolean {
  if (!hasContent(message)) return false;
  const text = readText(message, bot);
  if (text.isForOther) return false;
  if (message.chat.type === "private") return true;
  // What is passed on was said elsewhere, and to others.
  if (message.forward_origin !== undefined) return false;
  if (text.command !== undefined) return knownCommands.has(text.command);
  if (text.isMention) return true;
  const isReply = message.reply_to_message?.from?.id === bot.id;
  return isReply && (findFile(message) !== undefined || text.address !== undefined);
}

/** The commands that the bot knows. */
export const commandNames = [
  ...(["find", "rankings", "recent", "credits", "link", "unlink"] as const),
  ...(["settings", "lang", "help", "privacy", "forget"] as const),
] as const;
const knownCommands = new Set<string>([...commandNames, "start"]);

/** Something a person said, not what Telegram tells of the chat itself. */
function hasContent(message: Message): boolean {
  return message.text !== undefined || message.caption !== undefined || isFile(message) || isHidden(message);
}

/** Content that Telegram does not show to bots: a story, unpaid media, an animated sticker without a thumbnail. */
export function isHidden(message: Message): boolean {
  const { sticker, paid_media: paid, story } = message;
  return [sticker, paid, story].some((one) => one !== undefined) && findFile(message) === undefined;
}

function isFile(message: Message): boolean {
  return findFile(message) !== undefined || message.voice !== undefined || message.audio !== undefined;
}

/** What somebody sent by way of the bot's inline mode. */
function isOwnWork({ via_bot: via }: Message, bot: Bot): boolean {
  return via?.id === bot.id;
}

/** Identifies a message among all chats. */
export function nameMessage({ chat, message_id: id }: Message): string {
  return `${chat.id}:${id}`;
}

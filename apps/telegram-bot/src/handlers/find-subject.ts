import type { Subject } from "@koma/bot-core";
import type { Api } from "grammy";
import type { Message, UserFromGetMe } from "grammy/types";
import { type FoundFile, findFile } from "../images/find-files.ts";
import { openImage } from "../images/open-image.ts";
import type { Download } from "../telegram/download.ts";
import { isTooBig } from "../telegram/errors.ts";
import { readText } from "./read-text.ts";

/** The images to search, and whether only a small preview is available. */
export type Found = { subject: Subject; isSmallPreview: boolean };

type Bot = Pick<UserFromGetMe, "id" | "username">;
type Files = { api: Api; download: Download };

/**
 * The images of the messages; else those of the message they reply to, here or in another chat; else an
 * address in the text. The bot's own results are ignored.
 */
export async function findSubject(
  messages: readonly Message[],
  { bot, ...files }: Files & { bot: Bot },
): Promise<Found | undefined> {
  const own = messages.flatMap((message) => findFile(message) ?? ofVoice(message));
  if (own.length > 0) return await open(own, files);
  const [message] = messages;
  if (message === undefined) return undefined;
  const { reply_to_message: repliedTo, external_reply: outside } = message;
  const isOwnReply = repliedTo?.from?.id === bot.id || repliedTo?.via_bot?.id === bot.id;
  const shown = isOwnReply
    ? undefined
    : ((repliedTo && findFile(repliedTo)) ?? (outside && findFile(outside)));
  if (shown !== undefined) return await open([shown], files);
  const address =
    readText(message, bot).address ??
    (repliedTo === undefined || isOwnReply ? undefined : readText(repliedTo, bot).address);
  if (address === undefined) return undefined;
  return { subject: { address: address.url, hasSpoiler: address.hasSpoiler }, isSmallPreview: false };
}

async function open(found: readonly FoundFile[], { api, download }: Files): Promise<Found> {
  const files = await Promise.all(found.map((file) => choose(file, api)));
  const images = files.map((file) => openImage(file, download));
  const [image] = images;
  const isSmallPreview = files.some((file) => file.isSmallPreview);
  if (image !== undefined && images.length === 1) return { subject: { image }, isSmallPreview };
  return { subject: { images }, isSmallPreview };
}

/** Telegram can omit a size, but it reports whether a file is above the limit of bots. */
async function choose(file: FoundFile, api: Api): Promise<FoundFile> {
  const { instead } = file;
  if (instead === undefined) return file;
  const isRefused = await api.getFile(file.fileId).then(() => false, isTooBig);
  return isRefused ? instead : file;
}

/** Audio contains no image, so its type is reported as unsupported. */
function ofVoice({ voice, audio }: Message): FoundFile[] {
  const file = voice ?? audio;
  if (file === undefined) return [];
  const { file_id: fileId, file_unique_id: uniqueId, file_size: sizeBytes } = file;
  return [{ fileId, uniqueId, name: undefined, sizeBytes, hasSpoiler: false, isSmallPreview: false }];
}

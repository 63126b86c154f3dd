import { isPublicAddress, type Reply } from "@koma/bot-core";
import type { InlineKeyboardMarkup, MessageEntity } from "grammy/types";
import { writeKeyboard } from "../replies/keyboard.ts";
import { toRun, writeHtml, writePlain } from "../replies/runs.ts";
import { writeText } from "../replies/write-text.ts";

/** The presentation of a reply. */
export type MessageLayout = { isShared: boolean; openMenu?: number | undefined };

/** Telegram's limits, in visible UTF-16 units. */
const textLimit = 4096;
const captionLimit = 1024;

/** Texts are sent as HTML, without link previews. */
export const textOptions = { parse_mode: "HTML", link_preview_options: { is_disabled: true } } as const;

/** The text of a reply as a separate message. */
export function textOf(reply: Reply): string {
  return writeHtml(writeText(reply), textLimit) || "…";
}

/**
 * The text of a reply without formatting and buttons, for the case that Telegram rejects them. The addresses
 * of the buttons follow the text. A spoiler stays hidden.
 */
export function plainTextOf(reply: Reply): { text: string; entities: MessageEntity[] } {
  const links = reply.buttons.flat().flatMap(({ url }) => (url && isPublicAddress(url) ? [toRun(url)] : []));
  const text = writePlain([...writeText(reply), ...links], textLimit) || "…";
  const hasHiddenPart = reply.lines.some(({ spans }) => spans.some((span) => span.isHidden === true));
  const isHidden = hasHiddenPart || spoilerOf(reply).has_spoiler === true;
  return { text, entities: isHidden ? [{ type: "spoiler", offset: 0, length: text.length }] : [] };
}

/** The text of a reply as the caption of a file. */
export function captionOf(reply: Reply) {
  return { caption: writeHtml(writeText(reply), captionLimit), parse_mode: "HTML" } as const;
}

/** Hides the image behind a spoiler if the requester marked it. */
export function spoilerOf(reply: Reply): { has_spoiler?: boolean } {
  return (reply.match?.hasSpoiler ?? reply.preview?.hasSpoiler) === true ? { has_spoiler: true } : {};
}

/** The buttons of a reply. */
export function keyboardOf(
  reply: Reply,
  { username, isShared, openMenu }: MessageLayout & { username: string },
): { reply_markup?: InlineKeyboardMarkup } {
  const keyboard = writeKeyboard(reply, { username, isShared, openMenu });
  return keyboard === undefined ? {} : { reply_markup: { inline_keyboard: keyboard } };
}

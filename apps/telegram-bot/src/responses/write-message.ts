import type { Reply } from "@koma/bot-core";
import type { InlineKeyboardMarkup } from "grammy/types";
import { writeKeyboard } from "../replies/keyboard.ts";
import { writeHtml } from "../replies/runs.ts";
import { writeText } from "../replies/write-text.ts";

/** How a reply is shown. */
export type MessageLayout = { isShared: boolean; openMenu?: number | undefined };

/** Telegram's limits, in UTF-16 units of what can be seen. */
const textLimit = 4096;
const captionLimit = 1024;

/** How texts go out: as HTML, and without what Telegram would show of the addresses in them. */
export const textOptions = { parse_mode: "HTML", link_preview_options: { is_disabled: true } } as const;

/** The words of a reply as a message of their own. */
export function textOf(reply: Reply): string {
  return writeHtml(writeText(reply), textLimit) || "…";
}

/** The words of a reply below a picture or film. */
export function captionOf(reply: Reply) {
  return { caption: writeHtml(writeText(reply), captionLimit), parse_mode: "HTML" } as const;
}

/** Hides the picture until it is touched, where its asker wished so. */
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

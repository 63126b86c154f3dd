import type { Reply } from "@koma/bot-core";
import type { InlineKeyboardMarkup, InlineQueryResult } from "grammy/types";
import type { PreviewFile } from "./preview-files.ts";
import { textOptions } from "./write-message.ts";

/** Writes a reply within one of Telegram's limits. */
type Write = (limit: "text" | "caption") => {
  html: string;
  keyboard: { reply_markup?: InlineKeyboardMarkup };
};

/**
 * A reply as the result of an inline or guest query, where bots cannot upload: with a file that Telegram has,
 * or that it can fetch at a public address; otherwise text only. A spoiler is text only, because such results
 * have no spoiler mark.
 */
export function writeInlineResult(
  reply: Reply,
  { id, file, write }: { id: string; file: PreviewFile | undefined; write: Write },
): InlineQueryResult {
  const { match, preview } = reply;
  const title = match?.title ?? reply.title ?? "Koma";
  const facts =
    match === undefined
      ? (reply.lines[0]?.spans.map(({ text }) => text) ?? [])
      : [match.episodeLine, match.timeLine];
  const description = facts.filter(Boolean).join(" · ");
  const about = { id, title, ...(description === "" ? {} : { description }) };
  if (match?.hasSpoiler !== true) {
    const { html, keyboard } = write("caption");
    const caption = { caption: html, parse_mode: "HTML" as const, ...keyboard };
    if (typeof file?.media === "string") {
      if (file.kind === "photo") return { type: "photo", photo_file_id: file.media, ...about, ...caption };
      if (file.kind === "animation")
        return { type: "mpeg4_gif", id, mpeg4_file_id: file.media, title, ...caption };
      return { type: "video", video_file_id: file.media, ...about, ...caption };
    }
    if (preview?.stillUrl !== undefined) {
      const { clipUrl, stillUrl, variant } = preview;
      const thumbnail = { thumbnail_url: stillUrl };
      if (variant !== "clip" || clipUrl === undefined)
        return { type: "photo", photo_url: stillUrl, ...thumbnail, ...about, ...caption };
      return {
        type: "video",
        video_url: clipUrl,
        mime_type: "video/mp4",
        ...thumbnail,
        ...about,
        ...caption,
      };
    }
  }
  const { html, keyboard } = write("text");
  return {
    type: "article",
    ...about,
    input_message_content: { message_text: html, ...textOptions },
    ...keyboard,
  };
}

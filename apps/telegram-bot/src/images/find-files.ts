import type { ExternalReplyInfo, Message, PaidMedia, PhotoSize } from "grammy/types";
import { telegramFileBytes } from "../telegram/download.ts";

/** An image or video stored by Telegram. */
export type FoundFile = {
  fileId: string;
  /** Equal for the same file in any message. */
  uniqueId: string;
  name: string | undefined;
  sizeBytes: number | undefined;
  hasSpoiler: boolean;
  /** A preview of a file that bots cannot download. */
  isSmallPreview: boolean;
  /** Telegram's small image of the file. */
  thumbnailId?: string | undefined;
  /** The preview of a file that is too large, if Telegram does not report its size. */
  instead?: FoundFile | undefined;
};

type MediaMessage = Partial<Pick<Message & ExternalReplyInfo, MediaField>>;
type MediaField =
  | "paid_media"
  | ("photo" | "live_photo" | "animation" | "video" | "video_note" | "sticker" | "document")
  | "has_media_spoiler";
type File = { file_id: string; file_unique_id: string; file_size?: number };

/**
 * The file of a message that can be searched: its image, GIF, video, sticker or document; undefined if there
 * is none.
 */
export function findFile(message: MediaMessage): FoundFile | undefined {
  const hasSpoiler = message.has_media_spoiler === true;
  const { photo, live_photo: live, animation, video, video_note: note, sticker, document } = message;
  if (message.paid_media != null) return ofPaid(message.paid_media.paid_media, hasSpoiler);
  if (photo !== undefined) return ofPhoto(photo, hasSpoiler);
  if (live !== undefined) return live.photo ? ofPhoto(live.photo, hasSpoiler) : ofFile(live, { hasSpoiler });
  // A GIF is also reported as a document.
  const videoMessage = animation ?? video ?? note;
  if (videoMessage !== undefined) {
    const name = "file_name" in videoMessage ? videoMessage.file_name : undefined;
    return ofFile(videoMessage, { hasSpoiler, name, thumbnail: videoMessage.thumbnail });
  }
  if (sticker !== undefined) {
    // Animated stickers are vector graphics, which the bot cannot render; Telegram's thumbnail is used.
    if (sticker.is_animated) return sticker.thumbnail && ofFile(sticker.thumbnail, { hasSpoiler });
    return ofFile(sticker, { hasSpoiler, thumbnail: sticker.thumbnail });
  }
  if (document === undefined) return undefined;
  return ofFile(document, { hasSpoiler, name: document.file_name, thumbnail: document.thumbnail });
}

/** The first paid file that was bought or is free; undefined if Telegram shows only a preview. */
function ofPaid(media: readonly PaidMedia[], hasSpoiler: boolean): FoundFile | undefined {
  for (const one of media) {
    if (one.type === "photo") return ofPhoto(one.photo, hasSpoiler);
    if (one.type === "video") return ofFile(one.video, { hasSpoiler, thumbnail: one.video.thumbnail });
  }
  return undefined;
}

function ofPhoto(sizes: readonly PhotoSize[], hasSpoiler: boolean): FoundFile | undefined {
  const fitting = sizes.filter(({ file_size: size = 0 }) => size <= telegramFileBytes);
  const [largest] = fitting.toSorted((one, other) => other.width * other.height - one.width * one.height);
  return largest && ofFile(largest, { hasSpoiler });
}

function ofFile(
  file: File,
  more: { hasSpoiler: boolean; name?: string | undefined; thumbnail?: PhotoSize | undefined },
): FoundFile {
  const { hasSpoiler, name, thumbnail } = more;
  const describe = (chosen: File): FoundFile => ({
    fileId: chosen.file_id,
    uniqueId: chosen.file_unique_id,
    sizeBytes: chosen.file_size,
    name,
    hasSpoiler,
    isSmallPreview: chosen !== file,
    ...(chosen === file && thumbnail !== undefined ? { thumbnailId: thumbnail.file_id } : {}),
  });
  if (thumbnail === undefined) return describe(file);
  if (file.file_size === undefined) return { ...describe(file), instead: describe(thumbnail) };
  return describe(file.file_size > telegramFileBytes ? thumbnail : file);
}

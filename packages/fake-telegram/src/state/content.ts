import type { Json } from "@koma/fake-chat";
import type { MessageEntity } from "grammy/types";

/** The kind of a sent file: its id is valid only for that kind. */
export type FileKind =
  | "photo"
  | "video"
  | "animation"
  | "document"
  | "sticker"
  | "video_note"
  | "voice"
  | "thumbnail";

/** A file on Telegram's servers. */
export type StoredFile = {
  id: string;
  uniqueId: string;
  kind: FileKind;
  bytes: Uint8Array;
  /** The size that Telegram reports; a test can set it above the number of bytes. */
  size: number;
  isSizeUntold: boolean;
  name: string | undefined;
  mimeType: string | undefined;
  width: number | undefined;
  height: number | undefined;
  thumbnail: StoredFile | undefined;
  /** The smaller sizes of a photo, and the photo itself as the last. */
  sizes: readonly StoredFile[];
  sticker: { isAnimated: boolean; isVideo: boolean } | undefined;
  path: string;
  /** The expiry of its address; 0 before getFile. */
  expiresAt: number;
};

/** The content of a message, from which the text and media fields are derived. */
export type Content = {
  text: string;
  entities: readonly MessageEntity[];
  media: StoredFile | undefined;
  hasSpoiler: boolean;
  keyboard: readonly (readonly Json[])[];
  linkPreview: Json | undefined;
};

/** A content with these fields only. */
export function createContent(fields: Partial<Content>): Content {
  return {
    text: "",
    entities: [],
    media: undefined,
    hasSpoiler: false,
    keyboard: [],
    linkPreview: undefined,
    ...fields,
  };
}

/** True if two contents are equal for Telegram: such an edit is rejected as "not modified". */
export function isSame(one: Content, other: Content): boolean {
  return JSON.stringify(signature(one)) === JSON.stringify(signature(other));
}

function signature({ media, ...content }: Content): Json {
  return { ...content, media: media && `${media.kind} ${media.uniqueId}` };
}

import type { MessageEntity } from "grammy/types";
import type { Channel, Topic } from "./chats.ts";
import type { Message } from "./seen.ts";
import type { User } from "./users.ts";

/** A file as a person sends it. */
export type OwnFile = {
  bytes: Uint8Array;
  name?: string;
  /** What the sender's app claims; Telegram never checks it. Default: by the name's ending. */
  mimeType?: string;
  /** The size that Telegram tells, where a test wants a large file without its bytes. */
  size?: number;
  /** Telegram need not tell it. */
  isSizeUntold?: boolean;
  width?: number;
  height?: number;
  duration?: number;
  /** A still that Telegram made (JPEG), at most 320 pixels. */
  thumbnail?: Uint8Array;
};

/** A sticker as a person sends it; `kind` says what its bytes are: WebP, TGS or WebM. */
type OwnSticker = OwnFile & { kind: "static" | "animated" | "video"; emoji?: string };

/** Where a forwarded or cited message comes from. */
export type Origin =
  | { user: User }
  /** Somebody whose account is hidden: a name only. */
  | { hiddenName: string }
  | { channel: Channel; messageId?: number };

/** What a person sends. At most one of photo, document, animation, video, videoNote, sticker, album. */
export type Written = {
  /** Text, or the caption where there is a file. Commands, mentions and addresses in it are found as Telegram does. */
  text?: string;
  /** Further entities: text_link, text_mention, spoiler … */
  entities?: readonly MessageEntity[];
  /** Telegram makes JPEGs in several sizes of it. */
  photo?: Uint8Array | OwnFile;
  /** Sent "as a file": the bytes stay as they are. */
  document?: OwnFile;
  /** A GIF, as Telegram keeps it: mostly MP4. */
  animation?: OwnFile;
  video?: OwnFile;
  /** A round video message: no caption. */
  videoNote?: OwnFile;
  sticker?: OwnSticker;
  voice?: OwnFile;
  /** Several photos, videos or documents at once: as many messages, with one media_group_id; the text is at the first. */
  album?: readonly {
    photo?: Uint8Array | OwnFile;
    video?: OwnFile;
    document?: OwnFile;
    text?: string;
    hasSpoiler?: boolean;
  }[];
  hasSpoiler?: boolean;
  /** A message of this chat that it answers. */
  replyTo?: Message;
  /** A part of the answered message that the person marked. */
  quote?: string;
  /** A message of another chat that it answers, with what Telegram shows of it. */
  externalReply?: { message: Message; origin?: Origin };
  /** Forwards this message: its content is sent anew. Nothing else but topic may be given. */
  forward?: Message;
  /** Where a forwarded message is from (default: its author). */
  forwardOrigin?: Origin;
  topic?: Topic;
  /** Addresses whose preview Telegram shows above or below. */
  isSilent?: boolean;
};

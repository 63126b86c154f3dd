import type { Json } from "./json.ts";

/** A person or a bot, as stored. */
export type StoredUser = {
  id: number;
  name: string;
  username: string | undefined;
  language: string | undefined;
  isBot: boolean;
  isPremium: boolean;
  /** Whether the person ever wrote to the bot: it may not write first. */
  hasStarted: boolean;
  hasBlocked: boolean;
};

/** A member's place in a group. */
export type MemberStatus = "creator" | "administrator" | "member" | "left" | "kicked";

/** What the bot can be denied in a group. */
export type Denial = "send" | "photos" | "videos" | "other" | "reactions";

/** A topic of a forum. */
type StoredTopic = { id: number; name: string; isClosed: boolean };

/** A chat, as stored. */
export type StoredChat = {
  id: number;
  kind: "private" | "group" | "supergroup" | "channel";
  title: string;
  username: string | undefined;
  isForum: boolean;
  members: Map<number, MemberStatus>;
  denied: ReadonlySet<Denial>;
  messages: StoredMessage[];
  nextMessageId: number;
  actions: { action: string; at: number; topicId: number | undefined }[];
  topics: Map<number, StoredTopic>;
  migratedTo: number | undefined;
  /** Another bot had the last word: general commands go to it. */
  isLastBotAnother: boolean;
};

/** A file on Telegram's servers. */
export type StoredFile = {
  id: string;
  uniqueId: string;
  kind: FileKind;
  bytes: Uint8Array;
  /** What Telegram tells; larger than the bytes where a test says so. */
  size: number;
  isSizeUntold: boolean;
  name: string | undefined;
  mimeType: string | undefined;
  width: number | undefined;
  height: number | undefined;
  duration: number | undefined;
  thumbnail: StoredFile | undefined;
  /** Smaller sizes of a photo, and itself as the last. */
  sizes: readonly StoredFile[];
  sticker: { isAnimated: boolean; isVideo: boolean; emoji: string | undefined } | undefined;
  path: string;
  /** Until when its address is good; 0 before getFile. */
  expiresAt: number;
};

/** What a file was sent as: an id is good for that alone. */
export type FileKind =
  | "photo"
  | "video"
  | "animation"
  | "document"
  | "sticker"
  | "video_note"
  | "voice"
  | "audio"
  | "thumbnail";

/** What a message says; the wire's text and media fields are made of it. */
export type Content = {
  text: string;
  entities: readonly Json[];
  media: StoredFile | undefined;
  hasSpoiler: boolean;
  isCaptionAbove: boolean;
  keyboard: readonly (readonly Json[])[] | undefined;
  linkPreview: Json | undefined;
};

/** A message, as stored. */
export type StoredMessage = {
  id: number;
  chatId: number;
  authorId: number;
  date: number;
  editDate: number | undefined;
  content: Content;
  /** Contents before and after each edit, the present one last. */
  versions: { content: Content; at: number }[];
  /** Fields of a service message. */
  service: Json | undefined;
  replyToId: number | undefined;
  quote: Json | undefined;
  externalReply: Json | undefined;
  forwardOrigin: Json | undefined;
  topicId: number | undefined;
  albumId: string | undefined;
  reactions: Map<number, readonly string[]>;
  inlineMessageId: string | undefined;
  isViaBot: boolean;
  guestOf: number | undefined;
  guestQueryId: string | undefined;
  isSilent: boolean;
  isProtected: boolean;
  isDeleted: boolean;
  /** Whether it was meant for the bot: with privacy mode, replies to it are too. */
  isForBot: boolean;
  updateId: number | undefined;
};

/** What a press, an inline query or a guest query waits for. */
export type StoredQuery = {
  id: string;
  kind: "press" | "inline" | "guest";
  userId: number;
  at: number;
  ttlMs: number;
  isExpired: boolean;
  reply: Json | undefined;
  respondedAt: number | undefined;
  message: StoredMessage | undefined;
  text: string;
};

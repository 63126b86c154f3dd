import type { Json } from "@koma/fake-chat";

/** A user or a bot in the state. */
export type StoredUser = {
  id: number;
  name: string;
  username: string | undefined;
  language: string | undefined;
  isBot: boolean;
  isPremium: boolean;
  /** True if the user has written to the bot, which may not write first. */
  hasStarted: boolean;
  hasBlocked: boolean;
};

/** A member's status in a group. */
export type MemberStatus = "creator" | "administrator" | "member" | "left" | "kicked";

/** The rights that the bot can be denied in a group. */
export type Denial = "send" | "photos" | "videos" | "other" | "reactions";

/** A topic of a forum. */
type StoredTopic = { id: number; name: string; isClosed: boolean };

/** A chat in the state. */
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
  /** Another bot sent the latest message: general commands are sent to it. */
  isLastBotAnother: boolean;
};

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
  duration: number | undefined;
  thumbnail: StoredFile | undefined;
  /** The smaller sizes of a photo, and the photo itself as the last. */
  sizes: readonly StoredFile[];
  sticker: { isAnimated: boolean; isVideo: boolean; emoji: string | undefined } | undefined;
  path: string;
  /** The expiry of its address; 0 before getFile. */
  expiresAt: number;
};

/** The kind of a sent file: its id is valid only for that kind. */
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

/** The content of a message, from which the text and media fields are derived. */
export type Content = {
  text: string;
  entities: readonly Json[];
  media: StoredFile | undefined;
  hasSpoiler: boolean;
  isCaptionAbove: boolean;
  keyboard: readonly (readonly Json[])[] | undefined;
  linkPreview: Json | undefined;
};

/** A message in the state. */
export type StoredMessage = {
  id: number;
  chatId: number;
  authorId: number;
  date: number;
  editDate: number | undefined;
  content: Content;
  /** The contents before and after each edit, the current one last. */
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
  /** True if it was for the bot: in privacy mode, the bot sees the replies to it too. */
  isForBot: boolean;
  updateId: number | undefined;
};

/** A pending callback, inline or guest query. */
export type StoredQuery = {
  id: string;
  kind: "callback" | "inline" | "guest";
  userId: number;
  at: number;
  ttlMs: number;
  isExpired: boolean;
  reply: Json | undefined;
  respondedAt: number | undefined;
  message: StoredMessage | undefined;
  text: string;
};

import type { Reply } from "./reply.ts";

/** The chat platforms. */
export type Platform = "discord" | "telegram";

/** A user of the platform. */
export type Person = {
  /** The platform's id of the user. */
  id: string;
  displayName: string;
  /** The language tag that the platform reports, if any. */
  locale?: string | undefined;
};

/** The direct conversation, group or server channel of a request. */
export type Chat = {
  kind: "direct" | "group" | "server";
  /** The platform's id of the chat or the server. */
  id: string;
  /** The name of the chat, which its managers see. */
  name?: string | undefined;
  /** The channel of a server, or the forum topic of a Telegram group. */
  channelId?: string | undefined;
  /** The channel that a thread belongs to. The thread has the rules of that channel. */
  parentChannelId?: string | undefined;
  /** True if the platform marks the chat as adults only. Direct messages need no mark. */
  isAgeRestricted: boolean;
  /** The language tag that the platform reports for the chat. */
  locale?: string | undefined;
  /** True if the requester may change the chat's settings, as the platform checked for this request. */
  isManagedByRequester?: boolean | undefined;
  /** True if the requester may delete others' messages there, as the platform checked for this request. */
  isModeratedByRequester?: boolean | undefined;
  /** The ids of the requester's roles in the server. */
  requesterRoles?: readonly string[] | undefined;
  /** True if the platform hides messages that do not address the bot, as checked for this request. */
  hidesOtherMessages?: boolean | undefined;
};

/** The user who sends a request, and where. */
export type Requester = { person: Person; chat: Chat };

/** An image or video of the platform; downloaded only if needed. */
export type Image = {
  /**
   * Downloads the bytes. It must stop above `limitBytes` (ImageTooLargeError) and when `signal` aborts. Any
   * other error counts as an unreadable image.
   */
  read(options: { limitBytes: number; signal: AbortSignal }): Promise<Uint8Array>;
  /**
   * An id that is equal for the same file (Telegram's file_unique_id, Discord's attachment id), so that
   * duplicates are detected before the download.
   */
  identity?: string | undefined;
  /**
   * The argument with which `fetchImage` gets the image again after a restart, for several images in one
   * request. At most 400 characters.
   */
  reference?: string | undefined;
  /** The name in a choice among several images. It is untrusted. */
  name?: string | undefined;
  /** The size that the platform reports; a size above the limit is rejected before the download. */
  sizeBytes?: number | undefined;
  hasSpoiler: boolean;
  /** The platform's small image of the file, which is searched if the file cannot be read. */
  smallPreview?: Pick<Image, "read"> | undefined;
  /** A public address of the image; absent if the address contains a secret, as Telegram's do. */
  publicUrl?: string | undefined;
};

/** `Image.read` throws it for a file above the limit. */
export class ImageTooLargeError extends Error {
  override readonly name = "ImageTooLargeError";
  /** The platform's own limit for bots, if it is below the download limit. */
  readonly limitBytes: number | undefined;

  constructor(limitBytes?: number) {
    super("The image is too large.");
    this.limitBytes = limitBytes;
  }
}

/**
 * The images or the address to search. Several images, at most ten, are searched one after the other; their
 * reply lists the outcomes.
 */
export type Subject =
  | { image: Image }
  | { address: string; hasSpoiler?: boolean | undefined }
  | { images: readonly Image[] };

/** The requester's options; settings decide absent ones. */
export type LookupOptions = {
  isPublic?: boolean | undefined;
  preview?: PreviewChoice | undefined;
  mute?: boolean | undefined;
  /**
   * False: the image is sent unchanged, not shrunk, if it is within the limits. The API searches for borders
   * in both cases.
   */
  crop?: boolean | undefined;
  /** The frame of an animation or video: the first, or the one at this time. */
  frame?: "first" | { atSeconds: number } | undefined;
  /** The reply is private, whatever the chat's settings are. */
  isPrivate?: boolean | undefined;
  /** A public reply shows the image at its `publicUrl`, because no message with it is next to the reply. */
  showsImage?: boolean | undefined;
};

export type PreviewChoice = "clip" | "still" | "none";

/** The location of a reply on the platform, so that it can be edited or deleted later. Stored encrypted. */
export type MessageReference = { [name: string]: string | number | boolean | null };

/** A request to find a scene. */
export type LookupRequest = {
  person: Person;
  chat: Chat;
  subject: Subject;
  options?: LookupOptions | undefined;
  /**
   * The platform's id of the event: a repeated event (after a restart) is never charged twice. At most 100
   * characters.
   */
  requestId: string;
  signal?: AbortSignal | undefined;
  /**
   * Shows the outcomes so far while several images are searched: sends the reply, or changes the message that
   * an earlier call sent. Returns the message, which a later process changes after a crash.
   */
  onProgress?: ((reply: Reply) => Promise<MessageReference | undefined>) | undefined;
};

/** The use of a button or menu. */
export type ActionRequest = {
  person: Person;
  chat: Chat;
  target: string;
  /** True if only the requester sees the button's message. */
  isPrivate?: boolean | undefined;
  /** The selection of a `channels` menu. */
  values?: readonly string[] | undefined;
  requestId: string;
  /** The message of the button, for an outcome that is reported later (`onLinkSettled`). */
  context?: MessageReference | undefined;
};

/** What a requester writes about a result, and where. */
export type CorrectionRequest = {
  person: Person;
  chat: Chat;
  resultId: string;
  title: string;
  /** The number of the episode; undefined or empty: unknown. */
  episode?: string | undefined;
};

/** The chat platforms. */
export type Platform = "discord" | "telegram";

/** Somebody on the platform. */
export type Person = {
  /** The platform's own number. */
  id: string;
  displayName: string;
  /** The language tag that the platform tells, where it does. */
  locale?: string | undefined;
};

/** Where something is said. */
export type Chat = {
  kind: "direct" | "group" | "server";
  /** The platform's number of the chat, or of the server. */
  id: string;
  /** What it is called, to be shown to those who manage it. */
  name?: string | undefined;
  /** Of a server. */
  channelId?: string | undefined;
  /** Of a thread: the channel that it belongs to. It counts as that channel. */
  parentChannelId?: string | undefined;
  /** Adults only, by the platform's own mark. Direct messages need none. */
  isAgeRestricted: boolean;
  /** The language tag that the platform tells of the place. */
  locale?: string | undefined;
  /** The person who asks may change the place's settings: checked by the platform for this very request. */
  isManagedByRequester?: boolean | undefined;
  /** The person who asks may delete others' messages there; checked likewise. */
  isModeratedByRequester?: boolean | undefined;
};

/** A picture or film as the platform has it; downloaded only where it is needed. */
export type Image = {
  /**
   * The bytes; must give up beyond `limitBytes` (PictureTooLargeError) and when `signal` aborts. Anything else that it
   * throws is an unreadable picture.
   */
  read(options: { limitBytes: number; signal: AbortSignal }): Promise<Uint8Array>;
  /** The same for the same file (Telegram's file_unique_id, Discord's attachment id): duplicates are known before the download. */
  identity?: string | undefined;
  /** With it `fetchImage` gets it again after a restart: for several pictures in one request. At most 400 characters. */
  reference?: string | undefined;
  /** For choosing among several. Never trusted. */
  name?: string | undefined;
  /** As the platform tells; too large is refused before the download. */
  sizeBytes?: number | undefined;
  hasSpoiler: boolean;
  /** Where anyone can open it; absent where the address holds a secret, as Telegram's do. */
  publicUrl?: string | undefined;
};

/** Thrown by `Image.read` for what is larger than allowed. */
export class ImageTooLargeError extends Error {
  override readonly name = "ImageTooLargeError";
  /** What the platform lets bots have at most, where it is less than what is downloaded at most. */
  readonly limitBytes: number | undefined;

  constructor(limitBytes?: number) {
    super("The picture is too large.");
    this.limitBytes = limitBytes;
  }
}

/** What to look for. Several pictures are offered one by one: none (Discord's menu) or the first is searched at once. */
export type Subject =
  | { image: Image }
  | { address: string; hasSpoiler?: boolean | undefined }
  | { images: readonly Image[]; start: "ask" | "first" };

/** The asker's wishes; what is absent is decided by settings. */
export type LookupOptions = {
  isPublic?: boolean | undefined;
  preview?: PreviewChoice | undefined;
  mute?: boolean | undefined;
  /** False: the picture is sent as it is, not shrunk where it fits. The API itself looks for borders either way. */
  crop?: boolean | undefined;
  /** Of an animation or film: the first, or this many seconds in. */
  frame?: "first" | { atSeconds: number } | undefined;
  /** The reply is for the asker alone, whatever the place says. */
  isPrivate?: boolean | undefined;
};

export type PreviewChoice = "clip" | "still" | "none";

/** Where a reply stands on the platform, so that it can be edited or deleted later. Kept encrypted. */
export type MessageReference = { [name: string]: string | number | boolean | null };

/** A wish to find a scene. */
export type LookupRequest = {
  person: Person;
  chat: Chat;
  subject: Subject;
  options?: LookupOptions | undefined;
  /** The platform's number of the event: the same one again (a restart) is never charged twice. At most 100 characters. */
  requestId: string;
  signal?: AbortSignal | undefined;
};

/** A button or menu that was used. */
export type ActionRequest = {
  person: Person;
  chat: Chat;
  target: string;
  /** Only the asker sees the message that it belongs to. */
  isPrivate?: boolean | undefined;
  /** Of a `channels` menu. */
  values?: readonly string[] | undefined;
  requestId: string;
  /** Where the message stands, for what a button begins and ends later (`onLinkSettled`). */
  context?: MessageReference | undefined;
};

import { compact, type Json, mimeTypeOf } from "@koma/fake-chat";
import { type Account, describeUser } from "../state/account.ts";
import { type Chat, type Message, type MessageFields, now, type Topic } from "../state/chat.ts";
import { type Content, createContent, type FileKind, type StoredFile } from "../state/content.ts";
import { limits } from "../state/defaults.ts";
import { describeChat, describeMedia, describeMessage } from "../state/describe.ts";
import type { FakeState } from "../state/fake-state.ts";
import type { Files } from "../state/files.ts";
import type { Messages } from "../state/messages.ts";
import { isMeantForBot, isMentioned, isSentToBot } from "../state/privacy.ts";
import type { UpdateQueue } from "../state/updates.ts";
import { detectEntities } from "../text/entities.ts";

/** A file of a user. */
type OwnFile = {
  bytes: Uint8Array;
  name?: string;
  /** The size that Telegram reports, for a large file without its bytes. */
  size?: number;
  /** Telegram does not report the size. */
  isSizeUntold?: boolean;
  /** Telegram's thumbnail (JPEG), at most 320 pixels. */
  thumbnail?: Uint8Array;
};

/** A sticker of a user; `kind` is the format of its bytes: WebP, TGS or WebM. */
type OwnSticker = OwnFile & { kind: "static" | "animated" | "video" };

/** The content of a message of a user, with at most one file. */
export type WrittenContent = {
  /** The text, or the caption of a file. Commands, mentions and addresses in it are detected as in Telegram. */
  text?: string;
  /** Telegram converts it to JPEGs in several sizes. */
  photo?: Uint8Array | OwnFile;
  /** Sent "as a file": the bytes stay unchanged. */
  document?: OwnFile;
  /** A GIF in Telegram's form, mostly MP4. */
  animation?: OwnFile;
  video?: OwnFile;
  /** A round video message: no caption. */
  videoNote?: OwnFile;
  sticker?: OwnSticker;
  voice?: OwnFile;
  hasSpoiler?: boolean;
};

/** A message of a user. */
export type Written = WrittenContent & {
  /** Several photos, videos or documents at once: one message each, with one media_group_id. */
  album?: readonly WrittenContent[];
  /** The message of this chat that it replies to. */
  replyTo?: Message | undefined;
  /** The message of another chat that it replies to, with the data that Telegram shows of it. */
  externalReply?: { message: Message };
  /** Forwards this message: its content is sent again. Only `topic` may be set in addition. */
  forward?: Message;
  topic?: Topic;
};

/** Messages of users, and their updates for the bot. */
export function createWriter(
  state: FakeState,
  { files, messages, updates }: { files: Files; messages: Messages; updates: UpdateQueue },
) {
  const readContent = async (written: WrittenContent): Promise<Content> => {
    const media = await readMedia(files, written);
    const { hasSpoiler = false, text = "" } = written;
    if (!media && text === "") throw new Error("A message needs a text or a file.");
    return createContent({ text, entities: detectEntities(text, []), media, hasSpoiler });
  };

  /** A new message; its update if the bot may see it, or a guest query if the bot is no member. */
  const publish = (chat: Chat, author: Account, content: Content, fields: MessageFields): Message => {
    const message = messages.create(chat, author, content, fields);
    message.isForBot = isMeantForBot(state, message);
    if (isSentToBot(state, message)) {
      message.updateId = updates.push("message", describeMessage(state, message));
    } else if (!chat.members.has(state.bot.id) && isMentioned(state, message)) {
      const id = `guest${state.createNumber()}`;
      message.guestQueryId = id;
      const query = { id, userId: author.id, at: Date.now(), isExpired: false, reply: undefined, message };
      state.queries.set(id, { ...query, kind: "guest", ttlMs: limits.guestTtlMs });
      message.updateId = updates.push("guest_message", describeMessage(state, message));
    }
    return message;
  };

  const describeExternal = ({ author, chat, content }: Message, id: number): Json => {
    const { media, hasSpoiler, linkPreview } = content;
    const isOpen = chat.kind === "supergroup";
    return compact({
      origin: describeOrigin(author),
      chat: isOpen ? describeChat(state, chat) : undefined,
      message_id: isOpen ? id : undefined,
      link_preview_options: linkPreview,
      ...(media && describeMedia(media)),
      ...(media?.kind === "animation" && { document: undefined }),
      has_media_spoiler: hasSpoiler || undefined,
    });
  };

  return {
    publish,

    readContent,

    /** Replaces the content of a user's message. */
    edit(message: Message, author: Account, content: Content) {
      if (message.author !== author) throw new Error(`${author.name} can only edit own messages.`);
      messages.edit(message, content);
      if (isSentToBot(state, message)) updates.push("edited_message", describeMessage(state, message));
    },

    /** Sends a user's message; returns the first message. */
    async write(user: Account, chat: Chat, written: Written): Promise<Message> {
      ensureCanWrite(state, user, chat);
      const { album, externalReply, forward, replyTo, topic } = written;
      if (forward)
        return publish(
          chat,
          user,
          { ...forward.content, keyboard: [] },
          {
            forwardOrigin: describeOrigin(forward.author),
            topicId: topic?.id,
          },
        );
      if (replyTo && (replyTo.chat !== chat || replyTo.isDeleted))
        throw new Error("A reply needs a message of the same chat; see externalReply.");
      const fields = {
        replyTo,
        externalReply: externalReply && describeExternal(externalReply.message, externalReply.message.id),
        topicId: topic?.id ?? replyTo?.topicId,
        albumId: album ? String(12_000_000_000_000_000 + state.createNumber()) : undefined,
      };
      const [first = written, ...rest] = album ?? [];
      const contents: Content[] = [await readContent({ ...first, text: first.text ?? written.text ?? "" })];
      for (const item of rest) contents.push(await readContent(item));
      const [message] = contents.map((content) => publish(chat, user, content, fields));
      if (!message) throw new Error("An album has at least one file.");
      return message;
    },
  };
}

/** See `createWriter`. */
export type Writer = ReturnType<typeof createWriter>;

function ensureCanWrite(state: FakeState, user: Account, chat: Chat) {
  if (chat.migratedTo !== undefined) throw new Error(`${chat.title} became a supergroup: write there.`);
  if (!chat.members.has(user.id)) throw new Error(`${user.name} is no member of ${chat.title}.`);
  if (chat.kind !== "private" || !chat.members.has(state.bot.id)) return;
  if (user.hasBlocked) throw new Error(`${user.name} has blocked the bot.`);
  user.hasStarted = true;
}

function describeOrigin(author: Account): Json {
  return { type: "user", date: now() - 60, sender_user: describeUser(author) };
}

const defaultNames: Readonly<Partial<Record<FileKind, string>>> = {
  document: "file.bin",
  video: "video.mp4",
  animation: "animation.mp4",
};

/** A user's file in Telegram's form; undefined if there is none. */
async function readMedia(files: Files, written: WrittenContent): Promise<StoredFile | undefined> {
  const { photo, sticker } = written;
  if (photo)
    return photo instanceof Uint8Array ? files.storePhoto(photo) : files.storePhoto(photo.bytes, photo.size);
  const store = (kind: FileKind, { name = defaultNames[kind], ...file }: OwnFile, more: object = {}) =>
    files.storeFile({ mimeType: mimeTypeOf(name ?? ""), ...file, kind, name, ...more });
  if (sticker) {
    const marks = { isAnimated: sticker.kind === "animated", isVideo: sticker.kind === "video" };
    return store("sticker", sticker, { sticker: marks });
  }
  const kinds = [
    ["document", written.document],
    ["video", written.video],
    ["animation", written.animation],
    ["video_note", written.videoNote],
    ["voice", written.voice],
  ] as const;
  for (const [kind, file] of kinds) if (file) return store(kind, file);
  return undefined;
}

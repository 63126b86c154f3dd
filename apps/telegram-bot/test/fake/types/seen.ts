import type { Message as ApiMessage, InlineKeyboardButton, MessageEntity } from "grammy/types";
import type { Chat } from "./chats.ts";

/** A button below a message. */
export type SeenButton = {
  message: Message;
  text: string;
  row: number;
  column: number;
  callbackData: string | undefined;
  url: string | undefined;
  raw: InlineKeyboardButton;
};

/** What a message carries beside text. */
export type SeenMedia = {
  kind: "photo" | "video" | "animation" | "document" | "sticker" | "video_note" | "voice" | "audio";
  /** Of the largest size. */
  fileId: string;
  bytes: Uint8Array;
  name: string | undefined;
  mimeType: string | undefined;
  width: number | undefined;
  height: number | undefined;
  duration: number | undefined;
  thumbnail: Uint8Array | undefined;
  hasSpoiler: boolean;
};

/** A message as it stood at some time. */
export type Version = {
  text: string;
  media: SeenMedia | undefined;
  buttons: readonly string[];
  raw: ApiMessage;
  at: number;
};

/** A message as people see it; every field is read when asked, so a kept message shows later edits. */
export type Message = {
  readonly id: number;
  readonly chat: Chat;
  readonly author: { id: number; name: string; isBot: boolean };
  /** Text or caption, without markup. */
  readonly text: string;
  readonly entities: readonly MessageEntity[];
  readonly media: SeenMedia | undefined;
  readonly hasSpoiler: boolean;
  readonly keyboard: readonly (readonly SeenButton[])[];
  readonly buttons: readonly SeenButton[];
  /** The button with this label (exact, or by a pattern); throws, naming those there are. */
  button(label: string | RegExp): SeenButton;
  readonly isDeleted: boolean;
  readonly editCount: number;
  /** How it looked before and after each edit; the last is now. */
  readonly versions: readonly Version[];
  readonly replyToId: number | undefined;
  /** The quoted part it answers. */
  readonly quote: string | undefined;
  readonly topicId: number | undefined;
  readonly albumId: string | undefined;
  /** The messages of the same album, this one included; only this one where there is no album. */
  readonly album: readonly Message[];
  /** Emoji the bot reacted with. */
  readonly reactions: readonly string[];
  /** Sent by a person through the bot, or by the bot as a guest: how the bot edits it. */
  readonly inlineMessageId: string | undefined;
  readonly isViaBot: boolean;
  /** Id of the person who summoned the bot as a guest. */
  readonly guestOf: number | undefined;
  readonly isSilent: boolean;
  /** What the bot was told of it; undefined where it never was. */
  readonly updateId: number | undefined;
  readonly raw: ApiMessage;
  /**
   * Waits for the bot's message that answers this one (any message of its album), as a reply; in a private chat also a
   * message without a reply that came after it. With `fits`: until one of them fits, through edits too.
   */
  reply(fits?: (reply: Message) => boolean): Promise<Message>;
  /** All answers of the bot to this message that are not deleted. */
  readonly replies: readonly Message[];
  /** Waits until this message fits, through edits. */
  becomes(fits: (message: Message) => boolean): Promise<Message>;
};

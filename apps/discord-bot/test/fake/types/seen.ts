import type { APIMessage } from "discord.js";
import type { Channel } from "./channels.ts";

/** A button as people see it. `customId` or `url` is undefined where the other is set. */
export type SeenButton = {
  label: string;
  customId: string | undefined;
  url: string | undefined;
  style: number;
  isDisabled: boolean;
};

/** A select menu as people see it. */
export type SeenSelect = {
  customId: string;
  placeholder: string | undefined;
  isDisabled: boolean;
  options: readonly { label: string; value: string; description: string | undefined }[];
};

/** A picture, clip or file inside a message: gallery items, thumbnails, file components, embeds' images. */
export type SeenMedia = {
  url: string;
  isSpoiler: boolean;
  description: string | undefined;
  /** The bytes, where the stand-in hosts them. */
  bytes: Uint8Array | undefined;
};

/** An attachment of a message, with its bytes. */
export type SeenFile = {
  id: string;
  name: string;
  contentType: string;
  url: string;
  bytes: Uint8Array;
  isSpoiler: boolean;
};

/** A message as people see it; every field is read when asked, so a kept message shows later edits. */
export type Message = {
  readonly id: string;
  readonly channel: Channel;
  /** The author: a person, or the bot. */
  readonly author: { id: string; name: string; isBot: boolean };
  readonly content: string;
  /** Content, embeds and every text display, in reading order. */
  readonly text: string;
  readonly buttons: readonly SeenButton[];
  readonly selects: readonly SeenSelect[];
  readonly media: readonly SeenMedia[];
  readonly files: readonly SeenFile[];
  /** Only the person who asked sees it. */
  readonly isEphemeral: boolean;
  /** The id of that person. */
  readonly visibleTo: string | undefined;
  /** "Koma is thinking…": deferred and not edited yet. */
  readonly isThinking: boolean;
  readonly isDeleted: boolean;
  readonly isComponentsV2: boolean;
  /** How often the content was changed after it was first shown (the end of thinking is not a change). */
  readonly editCount: number;
  /** Id of the message it answers or forwards. */
  readonly referenceId: string | undefined;
  /** Id of the interaction it answers. */
  readonly interactionId: string | undefined;
  /** What the bot allowed to be pinged, as sent; undefined where it said nothing. */
  readonly allowedMentions: unknown;
  /** Ids of people that this message pings. */
  readonly pings: readonly string[];
  /** The message as Discord's API describes it. */
  readonly raw: APIMessage;
  /** The button with this label (exact, or by a pattern) or custom id; throws, naming those there are. */
  button(label: string | RegExp): SeenButton;
};

/** A modal as people see it. */
export type Modal = {
  customId: string;
  title: string;
  fields: readonly {
    customId: string;
    label: string;
    placeholder: string | undefined;
    value: string | undefined;
    isRequired: boolean;
    maxLength: number | undefined;
  }[];
  raw: unknown;
};

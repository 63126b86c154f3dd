import type { APIMessage, PermissionResolvable } from "discord.js";
import type { OwnFile, Shard } from "./options.ts";

/** A value of an option of a slash command. */
export type OptionValue = string | number | boolean | OwnFile | User | Channel;

/** The channel in which a user uses a command, and the installation. */
export type CommandTarget = {
  /** Default: the person's direct messages with the bot. */
  channel?: Channel;
  /** The installation: the guild's if the bot is a member, else the user's. */
  installedBy?: "guild" | "user";
};

/** A message of a user. */
export type Written = {
  content?: string;
  attachments?: readonly OwnFile[];
  /** Embeds in the format of link previews: `{ image: { url } }`, `{ thumbnail: { url } }`, `{ title }` … */
  embeds?: readonly Readonly<Record<string, unknown>>[];
  replyTo?: Message;
  forward?: Message;
  /** Mentions the bot at the start. */
  mentionsBot?: boolean;
};

/** A user. */
export type User = {
  readonly id: string;
  readonly name: string;
  readonly locale: string;
  /** True if the user installed the app. */
  readonly hasInstalled: boolean;
  setLocale(locale: string): void;
  /** The direct messages with the bot. */
  readonly direct: Channel;
  /** Accepts direct messages (default), or not: the bot then gets 50007. */
  setAcceptsDirect(accepts: boolean): void;
  install(): void;
  uninstall(): void;
  /**
   * Uses a slash command; `name` may contain a subcommand: `settings language`. The command must be
   * registered.
   */
  slash(
    name: string,
    options?: Readonly<Record<string, OptionValue>>,
    commandTarget?: CommandTarget,
  ): Interaction;
  /** Uses a message command. */
  messageCommand(name: string, message: Message, commandTarget?: Omit<CommandTarget, "channel">): Interaction;
  sendMessage(channel: Channel, written: string | Written): Message;
  editMessage(message: Message, written: string | Written): void;
  deleteMessage(message: Message): void;
  /** Clicks a button by its custom id; throws if the user cannot. */
  clickButton(message: Message, customId: string): Interaction;
  select(message: Message, customId: string, values: readonly string[]): Interaction;
  /** Submits a modal of an interaction; values by custom id. */
  submitModal(interaction: Interaction, values: Readonly<Record<string, string | OwnFile>>): Interaction;
  autocomplete(
    name: string,
    options: Readonly<Record<string, string | number>>,
    focused: string,
    commandTarget?: CommandTarget,
  ): Promise<readonly { name: string; value: string | number }[]>;
};

/** How the bot acknowledged an interaction. */
export type Acknowledgement =
  | "reply"
  | "deferred-reply"
  | "update"
  | "deferred-update"
  | "modal"
  | "autocomplete";

/** One use of a command, button, menu or modal, and its outcome. */
export type Interaction = {
  readonly id: string;
  readonly token: string;
  readonly user: User;
  readonly channel: Channel;
  /** Undefined until the bot acknowledges it. */
  readonly acknowledgement: Acknowledgement | undefined;
  readonly acknowledgedAfterMs: number | undefined;
  /** "The application did not respond": 3 s without acknowledgement. */
  readonly isFailed: boolean;
  /** Waits for the acknowledgement; rejects when the user sees a failure. */
  acknowledged(): Promise<Acknowledgement>;
  /**
   * Waits for the final reply after "thinking"; for an update, the edited message. Rejects after a failure.
   */
  reply(): Promise<Message>;
  /** Waits until the reply matches, for instance after a second edit. */
  replyWhere(fits: (message: Message) => boolean): Promise<Message>;
  /** Waits for the n-th follow-up (0 first). */
  followUp(index?: number): Promise<Message>;
  readonly followUps: readonly Message[];
  /** Waits for the modal it shows. */
  modal(): Promise<Modal>;
  /** Expires the token now, as after 15 minutes: 10015 and 50027 from then on. */
  expire(): void;
};

/** A channel of a guild, direct messages or a group. */
export type Channel = {
  readonly id: string;
  readonly kind: "guild" | "direct" | "group";
  readonly guild: Guild | undefined;
  /** The messages that all users see: without deleted, ephemeral or thinking ones. */
  readonly messages: readonly Message[];
  /** All messages, including deleted ones. */
  readonly history: readonly Message[];
  /** Messages of the bot that `user` can read there, its ephemeral ones included. */
  seenBy(user: User): readonly Message[];
  /**
   * Waits for a finished message of the bot that matches and is not among the first `since` messages of the
   * history.
   */
  waitForMessage(fits?: (message: Message) => boolean): Promise<Message>;
  /** The number of typing indicators of the bot. */
  readonly typingCount: number;
  readonly isAgeRestricted: boolean;
  setAgeRestricted(isRestricted: boolean): void;
  /** Denies the bot permissions (overwrite for the bot); replaces an earlier denial. */
  denyBot(permissions: PermissionResolvable): void;
  /** Denies a user permissions. */
  deny(user: User, permissions: PermissionResolvable): void;
  /** Removes the channel; the bot gets CHANNEL_DELETE and 10003 from then on. */
  remove(): void;
};

/** The options of a new channel. */
export type ChannelOptions = { name?: string; isAgeRestricted?: boolean };

/** The options of a new guild. */
export type GuildOptions = {
  name?: string;
  owner?: User;
  members?: readonly User[];
  /** The first channels; default one called `general`. */
  channels?: readonly ChannelOptions[];
  /** The guild's preferred locale (default en-US). */
  locale?: string;
  /** What the bot's role allows (default: see, send, embed, attach, read history, use external emojis). */
  botPermissions?: PermissionResolvable;
  /** What @everyone may do (default: see, send, embed, attach, read history, use commands and external apps). */
  everyonePermissions?: PermissionResolvable;
  /** Whether the bot was invited (default yes). Without it the bot sees neither the guild nor its events. */
  hasBot?: boolean;
  /** The shard that receives the guild's events (default: any). */
  shard?: Shard;
};

/** A server. */
export type Guild = {
  readonly id: string;
  readonly name: string;
  readonly owner: User;
  readonly hasBot: boolean;
  /** The id of the role that Discord creates for the bot. */
  readonly botRoleId: string;
  readonly channels: readonly Channel[];
  channel(name: string): Channel;
  createChannel(options?: ChannelOptions): Channel;
  addMember(user: User, permissions?: PermissionResolvable): void;
  /** Gives a member a role with these permissions, `ManageGuild` for instance. */
  grant(user: User, permissions: PermissionResolvable): void;
  /** Adds the bot to the guild now, or removes it. A guild created with the bot has it for a day. */
  addBot(): void;
  removeBot(): void;
};

/** A button as users see it. `customId` or `url` is undefined if the other is set. */
export type SeenButton = {
  label: string;
  customId: string | undefined;
  url: string | undefined;
  style: number;
  isDisabled: boolean;
};

/** A select menu as users see it. */
export type SeenSelect = {
  customId: string;
  placeholder: string | undefined;
  isDisabled: boolean;
  options: readonly { label: string; value: string; description: string | undefined }[];
};

/** An image, clip or file inside a message: gallery items, thumbnails, file components, images of embeds. */
export type SeenMedia = {
  url: string;
  isSpoiler: boolean;
  description: string | undefined;
  /** The bytes, if the fake hosts them. */
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

/** A message as users see it; each field is read on access and shows later edits. */
export type Message = {
  readonly id: string;
  readonly channel: Channel;
  /** The author: a user, or the bot. */
  readonly author: { id: string; name: string; isBot: boolean };
  readonly content: string;
  /** Content, embeds and every text display, in reading order. */
  readonly text: string;
  readonly buttons: readonly SeenButton[];
  readonly selects: readonly SeenSelect[];
  readonly media: readonly SeenMedia[];
  readonly files: readonly SeenFile[];
  /** Only the requester sees it. */
  readonly isEphemeral: boolean;
  /** The id of that user. */
  readonly visibleTo: string | undefined;
  /** "Koma is thinking…": deferred and not edited yet. */
  readonly isThinking: boolean;
  readonly isDeleted: boolean;
  readonly isComponentsV2: boolean;
  /** The number of edits after the message was first shown (the replacement of "thinking" is not an edit). */
  readonly editCount: number;
  /** The id of the message that it replies to or forwards. */
  readonly referenceId: string | undefined;
  /** The id of the interaction that it responds to. */
  readonly interactionId: string | undefined;
  /** The bot's `allowed_mentions` as sent; undefined if absent. */
  readonly allowedMentions: unknown;
  /** The ids of users that this message notifies. */
  readonly pings: readonly string[];
  /** The message as Discord's API describes it. */
  readonly raw: APIMessage;
  /**
   * The button with this label (exact, or by a pattern) or custom id; throws with the list of existing ones.
   */
  button(label: string | RegExp): SeenButton;
};

/** A modal as users see it. */
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

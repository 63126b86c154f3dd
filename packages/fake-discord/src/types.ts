import type { Json, Violation } from "@koma/fake-chat";
import type { PermissionResolvable } from "discord.js";
import type { FakeOptions } from "./state/defaults.ts";
import type { seeButton, seeModal, seeSelect } from "./state/seen.ts";

export type { FakeOptions, Violation };

/** A file that a user attached or the bot sent. */
export type OwnFile = {
  name: string;
  bytes: Uint8Array;
  /** The type that the sender states, which Discord does not validate. Default: by the name's extension. */
  contentType?: string;
  /** Marked as a spoiler: Discord renames such a file to `SPOILER_…`. */
  isSpoiler?: boolean;
  description?: string;
};

/** A hosted file. */
export type StoredFile = {
  id: string;
  channelId: string;
  name: string;
  contentType: string;
  bytes: Uint8Array;
  description: string | undefined;
  isEphemeral: boolean;
};

/** A shard and the number of all shards. */
export type Shard = readonly [index: number, count: number];

/** A user or the bot. */
export type Account = {
  readonly id: string;
  readonly name: string;
  readonly locale: string;
  readonly isBot: boolean;
  /** True if the user installed the app. */
  hasInstalled: boolean;
  acceptsDirect: boolean;
};

/** A message of a user. */
export type Written = {
  content?: string;
  attachments?: readonly OwnFile[];
  /** Embeds in the format of link previews: `{ image: { url } }`, `{ thumbnail: { url } }`, `{ title }` … */
  embeds?: readonly Json[];
  replyTo?: Message;
  forward?: Message;
  /** Mentions the bot at the start. */
  mentionsBot?: boolean;
};

/** The channel in which a user uses a command; default: the direct messages with the bot. */
export type CommandTarget = { channel?: Channel };

/** A user, who can do what Discord's client allows; other actions throw. */
export type User = Account & {
  /** The direct messages with the bot. */
  readonly direct: Channel;
  /** Accepts direct messages (default), or not: the bot then gets 50007. */
  setAcceptsDirect(accepts: boolean): void;
  install(): void;
  /** Uses a registered slash command; `name` may contain a subcommand: `settings language`. */
  slash(
    name: string,
    options?: Readonly<Record<string, string | number | boolean | OwnFile>>,
    target?: CommandTarget,
  ): Interaction;
  messageCommand(name: string, message: Message): Interaction;
  sendMessage(channel: Channel, written: string | Written): Message;
  editMessage(message: Message, written: string | Written): void;
  deleteMessage(message: Message): void;
  /** Reacts to a message with an emoji of Unicode. */
  react(message: Message, emoji: string): void;
  /** Clicks a button by its custom id. */
  clickButton(message: Message, customId: string): Interaction;
  select(message: Message, customId: string, values: readonly string[]): Interaction;
  /** Submits the modal of an interaction; values by custom id. */
  submitModal(interaction: Interaction, values: Readonly<Record<string, string>>): Interaction;
};

/** How the bot acknowledged an interaction. */
export type Acknowledgement = "deferred-reply" | "deferred-update" | "modal";

/** One use of a command, button, menu or modal, and its outcome. */
export type Interaction = {
  readonly id: string;
  readonly token: string;
  readonly type: 2 | 3 | 5;
  readonly user: User;
  readonly channel: Channel;
  /** The installations that authorize it, as `authorizing_integration_owners`. */
  readonly owners: Readonly<Record<string, string>>;
  readonly command: { name: string; type: 1 | 3; target: Message | undefined } | undefined;
  /** The message of the button or menu, or the one that led to the modal. */
  readonly source: Message | undefined;
  /** The interaction that showed the modal. */
  readonly cause: Interaction | undefined;
  /** True if only the user may see the reply: a user-installed app where the server forbids public replies. */
  readonly isForcedPrivate: boolean;
  readonly createdAt: number;
  /** Undefined until the bot acknowledges it. */
  acknowledgement: Acknowledgement | undefined;
  acknowledgedAfterMs: number | undefined;
  /** "The application did not respond": 3 s without acknowledgement. */
  isFailed: boolean;
  isExpired: boolean;
  original: Message | undefined;
  /** The source message was changed through this interaction. */
  hasUpdated: boolean;
  readonly followUps: Message[];
  shownModal: Json | undefined;
  /** Waits for the acknowledgement; rejects when the user sees a failure. */
  acknowledged(): Promise<Acknowledgement>;
  /** Waits for the final reply after "thinking"; for an update, the edited message. Rejects after a failure. */
  reply(): Promise<Message>;
  /** Waits until the reply matches, for instance after a second edit. */
  replyWhere(fits: (message: Message) => boolean): Promise<Message>;
  /** Waits for the n-th follow-up (0 first). */
  followUp(index?: number): Promise<Message>;
  /** Waits for the modal it shows. */
  modal(): Promise<ReturnType<typeof seeModal>>;
  /** Expires the token now, as after 15 minutes: 10015 and 50027 from then on. */
  expire(): void;
};

/** A channel of a guild, direct messages or a group. */
export type Channel = {
  readonly id: string;
  readonly kind: "guild" | "direct" | "group";
  readonly guild: Guild | undefined;
  readonly name: string;
  /** The users of a private conversation without the bot. */
  readonly recipients: readonly Account[];
  readonly overwrites: Map<string, bigint>;
  isAgeRestricted: boolean;
  /** The number of typing indicators of the bot. */
  typingCount: number;
  /** The messages that all users see: without deleted, ephemeral or thinking ones. */
  readonly messages: readonly Message[];
  /** All messages, including deleted ones. */
  readonly history: readonly Message[];
  /** Waits for a finished message of the bot that matches. */
  waitForMessage(fits?: (message: Message) => boolean): Promise<Message>;
  setAgeRestricted(isRestricted: boolean): void;
  /** Denies the bot permissions; replaces an earlier denial. */
  denyBot(permissions: PermissionResolvable): void;
  /** Denies a user permissions. */
  deny(user: { id: string }, permissions: PermissionResolvable): void;
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
  /** Whether the bot was invited (default yes). Without it the bot sees neither the guild nor its events. */
  hasBot?: boolean;
  /** The shard that receives the guild's events (default: any). */
  shard?: Shard;
};

/** A role of a guild; `botId` is set for the role that Discord creates for the bot. */
export type Role = { id: string; name: string; permissions: bigint; botId: string | undefined };

/** A server. */
export type Guild = {
  readonly id: string;
  readonly name: string;
  readonly owner: User;
  readonly locale: string;
  readonly roles: Map<string, Role>;
  readonly members: Map<string, { account: Account; roleIds: Set<string>; joinedAt: number }>;
  hasBot: boolean;
  /** The id of the role that Discord creates for the bot. */
  readonly botRoleId: string;
  readonly channels: readonly Channel[];
  channel(name: string): Channel;
  createChannel(options?: ChannelOptions): Channel;
  addMember(user: Account): void;
  /** Gives a member a role with these permissions, `ManageGuild` for instance. */
  grant(user: Account, permissions: PermissionResolvable): void;
  /** Adds the bot to the guild now. A guild created with the bot has it for a day. */
  addBot(): void;
};

/** The fields of a message that are stored: components and embeds as sent, resolved when described. */
export type MessageFields = {
  readonly channel: Channel;
  readonly author: Account;
  type: number;
  content: string;
  embeds: readonly Json[];
  components: readonly Json[];
  flags: number;
  files: readonly StoredFile[];
  /** The id of the only user who sees it. */
  visibleTo: string | undefined;
  /** "Koma is thinking…": deferred and not edited yet. */
  isThinking: boolean;
  /** The message that it replies to (0) or forwards (1). */
  reference: { type: 0 | 1; message: Message } | undefined;
  /** The forwarded message at that time. */
  snapshot: Json | undefined;
  interaction: Interaction | undefined;
  nonce: string | number | undefined;
  /** The ids of users that this message notifies. */
  pings: readonly string[];
};

/** A message as users see it, which shows later edits. */
export type Message = MessageFields & {
  readonly id: string;
  readonly createdAt: number;
  editedAt: number | undefined;
  isDeleted: boolean;
  /** Content and every text display, in reading order. */
  readonly text: string;
  readonly buttons: readonly ReturnType<typeof seeButton>[];
  readonly selects: readonly ReturnType<typeof seeSelect>[];
  /** The images, clips and files inside: gallery items, thumbnails, file components. */
  readonly media: readonly { isSpoiler: boolean }[];
  /** Only the requester sees it. */
  readonly isEphemeral: boolean;
  readonly isComponentsV2: boolean;
  /** The id of the message that it replies to or forwards. */
  readonly referenceId: string | undefined;
  /** The id of the interaction that it responds to. */
  readonly interactionId: string | undefined;
  /** The button with this label (exact, or by a pattern) or custom id; throws with the list of existing ones. */
  button(label: string | RegExp): ReturnType<typeof seeButton>;
};

/** One request of the bot with its response. */
export type RecordedRequest = {
  method: string;
  /** The template of Discord's description, `/channels/{channel_id}/messages`. */
  route: string;
  /** The names of its files. */
  files: readonly string[];
};

/** The requests that a fault affects. */
export type FaultTarget = {
  /**
   * `METHOD /template` of Discord's description, such as `POST /channels/{channel_id}/messages`, or a pattern
   * over `METHOD /path`. Default: all.
   */
  route?: string | RegExp;
  /** The number of affected requests (default: all until removed). */
  times?: number;
};

import type { PermissionResolvable } from "discord.js";
import type { Message } from "./seen.ts";
import type { User } from "./users.ts";

/** A place where people and perhaps the bot write. */
export type Channel = {
  readonly id: string;
  readonly kind: "guild" | "direct" | "group";
  readonly guild: Guild | undefined;
  /** What stands there for everybody: neither deleted nor ephemeral nor still thinking. */
  readonly messages: readonly Message[];
  /** Everything that ever stood there. */
  readonly history: readonly Message[];
  /** Messages of the bot that `user` can read there, its ephemeral ones included. */
  seenBy(user: User): readonly Message[];
  /** Waits for a message of the bot (finished, not thinking) that fits and was not there at `since` messages of history. */
  waitForMessage(fits?: (message: Message) => boolean): Promise<Message>;
  /** How often the bot said that it is typing. */
  readonly typingCount: number;
  readonly isAgeRestricted: boolean;
  setAgeRestricted(isRestricted: boolean): void;
  /** What the bot may not do there (overwrite for the bot); replaces an earlier denial. */
  denyBot(permissions: PermissionResolvable): void;
  /** What a person may not do there. */
  deny(user: User, permissions: PermissionResolvable): void;
  /** Removes the channel; the bot gets CHANNEL_DELETE and 10003 from then on. */
  remove(): void;
};

/** What a new channel looks like. */
export type ChannelOptions = { name?: string; isAgeRestricted?: boolean };

/** What a new guild looks like. */
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
};

/** A server. */
export type Guild = {
  readonly id: string;
  readonly name: string;
  readonly owner: User;
  readonly hasBot: boolean;
  readonly channels: readonly Channel[];
  channel(name: string): Channel;
  createChannel(options?: ChannelOptions): Channel;
  addMember(user: User, permissions?: PermissionResolvable): void;
  /** Gives a member a role with these permissions, `ManageGuild` for instance. */
  grant(user: User, permissions: PermissionResolvable): void;
  /** Invites the bot, or throws it out. */
  addBot(): void;
  removeBot(): void;
};

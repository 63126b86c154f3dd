import type { Message } from "./seen.ts";
import type { User } from "./users.ts";

/** A place where people and perhaps the bot write. */
export type Chat = {
  readonly id: number;
  readonly kind: "private" | "group" | "supergroup" | "channel";
  readonly title: string;
  readonly isForum: boolean;
  readonly members: readonly User[];
  readonly hasBot: boolean;
  /** What stands there now, by time. */
  readonly messages: readonly Message[];
  /** Everything that ever stood there. */
  readonly history: readonly Message[];
  /** What the bot wrote and is not deleted. */
  readonly replies: readonly Message[];
  /** Waits for the bot's message that answers this one; see `Message.reply`. */
  replyTo(message: Message, fits?: (reply: Message) => boolean): Promise<Message>;
  /** Waits for a message of the bot that fits (a later edit may make it fit). */
  waitForMessage(fits?: (message: Message) => boolean): Promise<Message>;
  /** What the bot showed instead of "please wait": `typing`, `upload_video` … */
  readonly actions: readonly { action: string; at: number; topicId: number | undefined }[];
  addMember(...users: readonly User[]): void;
  removeMember(user: User): void;
  /** Makes a member an administrator, or an ordinary member again. */
  promote(user: User, isAdmin?: boolean): void;
  addBot(by: User): void;
  removeBot(by: User): void;
  /** Makes the bot an administrator (with the right to delete messages): it then reads everything. */
  promoteBot(isAdmin?: boolean): void;
  /** What the bot may not do there; replaces an earlier denial. `send` means everything. */
  denyBot(rights: readonly ("send" | "photos" | "videos" | "other" | "reactions")[]): void;
  /** Another bot spoke there: with privacy mode general commands (`/find` without `@bot`) no longer reach this one. */
  otherBotSpeaks(text?: string): void;
  /** A topic of a forum by its name; made where there is none. */
  topic(name: string): Topic;
  /** The group becomes a supergroup with another id; answers the new one. */
  migrate(): Chat;
};

/** A topic of a forum. */
export type Topic = { readonly id: number; readonly name: string; readonly chat: Chat; close(): void };

/** A channel, as the origin of forwarded messages. */
export type Channel = { readonly id: number; readonly title: string; readonly username: string | undefined };

/** What a new group looks like. */
export type GroupOptions = {
  title?: string;
  /** Default `supergroup`. */
  kind?: "group" | "supergroup";
  isForum?: boolean;
  /** The first is its owner; default: a new person. */
  members?: readonly User[];
  admins?: readonly User[];
  /** Whether the bot is a member (default yes). */
  hasBot?: boolean;
  isBotAdmin?: boolean;
  username?: string;
};

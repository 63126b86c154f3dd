import { asText, type Changes, type Json } from "@koma/fake-chat";
import { type PermissionResolvable, PermissionsBitField } from "discord.js";
import { isSelect, listComponents, listMedia } from "../describe/list-components.ts";
import type { Account, ChannelOptions, Role, StoredFile } from "../types.ts";
import { botPermissions, everyonePermissions, privatePermissions } from "./permissions.ts";
import { seeButton, seeSelect } from "./seen.ts";

/** The use of the app that a message results from. */
export type Origin = {
  readonly id: string;
  readonly type: 2 | 3 | 5;
  readonly user: Account;
  /** The installations that authorize it, as `authorizing_integration_owners`. */
  readonly owners: Readonly<Record<string, string>>;
  readonly command: { name: string; type: 1 | 3; target: Message | undefined } | undefined;
  /** The message of the button or menu, or the one that led to the modal. */
  readonly source: Message | undefined;
  /** The interaction that showed the modal. */
  readonly cause: Origin | undefined;
  original: Message | undefined;
};

/** The fields of a new message. */
export type NewMessage = Pick<Message, "channel" | "author"> & MessageChanges;

/** The fields of a message that a writer may set. */
export type MessageChanges = Partial<
  Pick<
    Message,
    | ("type" | "content" | "embeds" | "components" | "flags" | "files" | "visibleTo" | "isThinking")
    | ("reference" | "snapshot" | "interaction" | "nonce" | "pings")
  >
>;

/** A message as users see it, which shows later edits. */
export class Message {
  readonly id: string;
  declare readonly channel: Channel;
  declare readonly author: Account;
  readonly createdAt = Date.now();
  editedAt: number | undefined;
  isDeleted = false;
  type = 0;
  content = "";
  /** Embeds and components as sent; they are resolved when described. */
  embeds: readonly Json[] = [];
  components: readonly Json[] = [];
  flags = 0;
  files: readonly StoredFile[] = [];
  /** The id of the only user who sees it. */
  visibleTo: string | undefined;
  /** "Koma is thinking…": deferred and not edited yet. */
  isThinking = false;
  /** The message that it replies to (0) or forwards (1). */
  reference: { type: 0 | 1; message: Message } | undefined;
  /** The forwarded message at that time. */
  snapshot: Json | undefined;
  interaction: Origin | undefined;
  nonce: string | number | undefined;
  /** The ids of users that this message notifies. */
  pings: readonly string[] = [];

  constructor(id: string, fields: NewMessage) {
    this.id = id;
    Object.assign(this, fields);
  }

  /** Content and every text display, in reading order. */
  get text(): string {
    const texts = listComponents(this.components).map(({ content }) => asText(content) ?? "");
    return [this.content, ...texts].filter(Boolean).join("\n");
  }

  get buttons() {
    return listComponents(this.components)
      .filter(({ type }) => type === 2)
      .map(seeButton);
  }

  get selects() {
    return listComponents(this.components).filter(isSelect).map(seeSelect);
  }

  /** The images, clips and files inside: gallery items, thumbnails, file components. */
  get media(): readonly { isSpoiler: boolean }[] {
    return listMedia(this.components, this.files);
  }

  /** Only the requester sees it. */
  get isEphemeral(): boolean {
    return this.visibleTo !== undefined;
  }

  get isComponentsV2(): boolean {
    return (this.flags & (1 << 15)) !== 0;
  }

  /** The id of the message that it replies to or forwards. */
  get referenceId(): string | undefined {
    return this.reference?.message.id;
  }

  /** The id of the interaction that it responds to. */
  get interactionId(): string | undefined {
    return this.interaction?.id;
  }

  /** The button with this label (exact, or by a pattern) or custom id; throws with the list of existing ones. */
  button(name: string | RegExp): ReturnType<typeof seeButton> {
    const found = this.buttons.find(({ customId, label }) =>
      typeof name === "string" ? label === name || customId === name : name.test(label),
    );
    if (found) return found;
    const there = this.buttons.map(({ customId, label }) => label || customId).join(", ");
    throw new Error(`No button ${String(name)}; there are: ${there}`);
  }
}

/** What channels and guilds need of the fake. */
export type ChannelParts = Pick<Changes, "waitFor"> & {
  bot: Account;
  createId: () => string;
  messages: ReadonlyMap<string, Message>;
  channels: Map<string, Channel>;
  /** Sends the bot an event about a guild: about one of its channels, or about the whole guild. */
  sendGuild: (guild: Guild, event: string, channel?: Channel) => void;
};

/** A channel of a guild, direct messages or a group. */
export class Channel {
  readonly #parts: ChannelParts;
  readonly id: string;
  declare readonly kind: "guild" | "direct" | "group";
  declare readonly name: string;
  readonly guild: Guild | undefined;
  /** The users of a private conversation without the bot. */
  readonly recipients: readonly Account[] = [];
  /** The denied permissions by the id of a user or role. */
  readonly overwrites = new Map<string, bigint>();
  isAgeRestricted = false;
  /** The number of typing indicators of the bot. */
  typingCount = 0;

  constructor(
    parts: ChannelParts,
    fields: Pick<Channel, "kind" | "name"> &
      Partial<Pick<Channel, "guild" | "recipients" | "isAgeRestricted">>,
  ) {
    this.#parts = parts;
    this.id = parts.createId();
    Object.assign(this, fields);
    parts.channels.set(this.id, this);
  }

  /** The messages that all users see: without deleted, ephemeral or thinking ones. */
  get messages(): readonly Message[] {
    return this.history.filter((one) => !one.isDeleted && !one.isThinking && one.visibleTo === undefined);
  }

  /** All messages, including deleted ones. */
  get history(): readonly Message[] {
    return [...this.#parts.messages.values()].filter((one) => one.channel === this);
  }

  /** Waits for a finished message of the bot that matches. */
  waitForMessage(fits: (message: Message) => boolean = () => true): Promise<Message> {
    const isWritten = (one: Message) => one.author.isBot && !one.isThinking && !one.isDeleted && fits(one);
    const texts = () => this.history.map(({ text }) => JSON.stringify(text)).join(", ") || "none";
    return this.#parts.waitFor(
      () => this.history.find(isWritten),
      () => `a message of the bot in ${this.name}; there are: ${texts()}`,
    );
  }

  setAgeRestricted(isRestricted: boolean): void {
    this.isAgeRestricted = isRestricted;
    this.#announceChange();
  }

  /** Denies the bot permissions; replaces an earlier denial. */
  denyBot(permissions: PermissionResolvable): void {
    this.deny(this.#parts.bot, permissions);
  }

  /** Denies a user permissions. */
  deny(user: { id: string }, permissions: PermissionResolvable): void {
    this.overwrites.set(user.id, PermissionsBitField.resolve(permissions));
    this.#announceChange();
  }

  /**
   * A member's permissions: all for owners and administrators, else those of the roles without the channel's
   * denials.
   */
  permissionsOf(userId: string): bigint {
    const { guild, overwrites } = this;
    const { Flags } = PermissionsBitField;
    if (guild === undefined) return privatePermissions;
    if (guild.owner.id === userId) return PermissionsBitField.All;
    const member = guild.members.get(userId);
    if (member === undefined) return 0n;
    const roleIds = [guild.id, ...member.roleIds];
    const held = roleIds.reduce((all, id) => all | (guild.roles.get(id)?.permissions ?? 0n), 0n);
    if ((held & Flags.Administrator) !== 0n) return PermissionsBitField.All;
    const denied = [...roleIds, userId].reduce((all, id) => all | (overwrites.get(id) ?? 0n), 0n);
    const left = held & ~denied;
    return (left & Flags.ViewChannel) === 0n ? 0n : left;
  }

  /** True if a member has all of these permissions. */
  allows(userId: string, expected: PermissionResolvable): boolean {
    const bits = PermissionsBitField.resolve(expected);
    return (this.permissionsOf(userId) & bits) === bits;
  }

  #announceChange() {
    if (this.guild) this.#parts.sendGuild(this.guild, "CHANNEL_UPDATE", this);
  }
}

/** A server. */
export class Guild<Owner extends Account = Account> {
  readonly #parts: ChannelParts;
  declare readonly id: string;
  declare readonly name: string;
  declare readonly owner: Owner;
  declare readonly locale: string;
  readonly roles = new Map<string, Role>();
  readonly members = new Map<string, { account: Account; roleIds: Set<string>; joinedAt: number }>();
  hasBot = false;

  constructor(parts: ChannelParts, fields: Pick<Guild<Owner>, "id" | "name" | "owner" | "locale">) {
    this.#parts = parts;
    Object.assign(this, fields);
    const { id } = fields;
    this.roles.set(id, { id, name: "@everyone", permissions: everyonePermissions, botId: undefined });
  }

  /** The id of the role that Discord creates for the bot. */
  get botRoleId(): string {
    return [...this.roles.values()].find(({ botId }) => botId !== undefined)?.id ?? "";
  }

  get channels(): readonly Channel[] {
    return [...this.#parts.channels.values()].filter((one) => one.guild === this);
  }

  channel(name: string): Channel {
    const found = this.channels.find((one) => one.name === name);
    if (!found) throw new Error(`No channel ${name} in ${this.name}.`);
    return found;
  }

  createChannel({
    name = `channel-${this.channels.length}`,
    isAgeRestricted = false,
  }: ChannelOptions = {}): Channel {
    const channel = new Channel(this.#parts, { kind: "guild", guild: this, name, isAgeRestricted });
    this.#parts.sendGuild(this, "CHANNEL_CREATE", channel);
    return channel;
  }

  addMember(account: Account, joinedAt = Date.now()): void {
    this.members.set(account.id, { account, roleIds: new Set(), joinedAt });
  }

  /** Gives a member a role with these permissions, `ManageGuild` for instance. */
  grant(user: Account, permissions: PermissionResolvable): void {
    this.#addRole(user, { name: `Role of ${user.name}`, permissions });
    this.#parts.sendGuild(this, "GUILD_UPDATE");
  }

  /** Adds the bot to the guild. A guild created with the bot has it for a day. */
  addBot(joinedAt = Date.now()): void {
    const { bot } = this.#parts;
    this.hasBot = true;
    this.addMember(bot, joinedAt);
    this.#addRole(bot, { name: bot.name, permissions: botPermissions, botId: bot.id });
    this.#parts.sendGuild(this, "GUILD_CREATE");
  }

  #addRole(to: Account, role: { name: string; permissions: PermissionResolvable; botId?: string }) {
    const id = this.#parts.createId();
    const permissions = PermissionsBitField.resolve(role.permissions);
    this.roles.set(id, { id, name: role.name, permissions, botId: role.botId });
    this.members.get(to.id)?.roleIds.add(id);
  }
}

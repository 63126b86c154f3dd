import { asText, type Changes, type Json } from "@koma/fake-chat";
import { type Account, describeUser } from "./account.ts";
import type { Content, StoredFile } from "./content.ts";

/** A member's status in a group. */
export type MemberStatus = "creator" | "administrator" | "member" | "left";

/** The rights that the bot can be denied in a group; `send` means all of them. */
export type Denial = "send" | "photos" | "videos" | "other" | "reactions";

/** A topic of a forum. */
export type Topic = { readonly id: number; readonly name: string };

/** A button below a message. */
export type SeenButton = {
  message: Message;
  text: string;
  callbackData: string | undefined;
  url: string | undefined;
};

/** The fields of a message that its writer sets besides its content. */
export type MessageFields = Partial<
  Pick<
    Message,
    | ("service" | "replyTo" | "externalReply" | "forwardOrigin" | "topicId" | "albumId")
    | ("inlineMessageId" | "isViaBot" | "guestOf" | "isForBot")
  >
>;

/** A message as users see it, which shows later edits. */
export class Message {
  readonly id: number;
  readonly chat: Chat;
  readonly author: Account;
  readonly date = now();
  content: Content;
  editDate: number | undefined;
  isDeleted = false;
  /** The versions before and after each edit; the last is the current one. */
  readonly versions: { media: StoredFile | undefined; at: number }[];
  /** The emoji of the bot's reactions. */
  reactions: readonly string[] = [];
  /** The id of its update for the bot; undefined if there was none. */
  updateId: number | undefined;
  /** Fields of a service message. */
  service: Json | undefined;
  replyTo: Message | undefined;
  externalReply: Json | undefined;
  forwardOrigin: Json | undefined;
  topicId: number | undefined;
  albumId: string | undefined;
  /** The id for edits by the bot of a message that a user sent through the bot, or the bot as a guest. */
  inlineMessageId: string | undefined;
  isViaBot = false;
  /** The id of the user who mentioned the bot as a guest. */
  guestOf: number | undefined;
  guestQueryId: string | undefined;
  /** True if it was for the bot: in privacy mode, the bot sees the replies to it too. */
  isForBot = false;

  constructor(chat: Chat, author: Account, content: Content, fields: MessageFields) {
    this.id = (chat.history.at(-1)?.id ?? 0) + 1;
    this.chat = chat;
    this.author = author;
    this.content = content;
    this.versions = [{ media: content.media, at: Date.now() }];
    Object.assign(this, fields);
  }

  get text(): string {
    return this.content.text;
  }

  get entities(): Content["entities"] {
    return this.content.entities;
  }

  get media(): StoredFile | undefined {
    return this.content.media;
  }

  get hasSpoiler(): boolean {
    return this.content.hasSpoiler;
  }

  get replyToId(): number | undefined {
    return this.replyTo?.id;
  }

  get buttons(): readonly SeenButton[] {
    return this.content.keyboard.flat().map((button) => ({
      message: this,
      text: String(button.text),
      callbackData: asText(button.callback_data),
      url: asText(button.url),
    }));
  }

  /** The button with this label (exact, or by a pattern); throws with the list of existing ones. */
  button(label: string | RegExp): SeenButton {
    const found = this.buttons.find(({ text }) =>
      typeof label === "string" ? text === label : label.test(text),
    );
    if (found) return found;
    const there = this.buttons.map(({ text }) => `"${text}"`).join(", ");
    throw new Error(`There is no button ${String(label)}; there are: ${there || "none"}.`);
  }

  /** All replies of the bot to this message that are not deleted. */
  get replies(): readonly Message[] {
    const { albumId, chat } = this;
    const album = chat.history.filter((one) => one === this || (albumId && one.albumId === albumId));
    const last = Math.max(...album.map(({ id }) => id));
    return chat.replies.filter(
      ({ id, replyTo }) =>
        (replyTo && album.includes(replyTo)) || (chat.kind === "private" && !replyTo && id > last),
    );
  }

  /**
   * Waits for the bot's reply to this message (to any message of its album); in a private chat also for a
   * later message that is no reply. With `fits`: until one matches, also after edits.
   */
  reply(fits: (reply: Message) => boolean = () => true): Promise<Message> {
    const what = `a reply of the bot to "${this.text || `message ${this.id}`}"`;
    return this.chat.waitForOne(() => this.replies, fits, what);
  }

  /** Waits until this message matches, also after edits. */
  becomes(fits: (message: Message) => boolean): Promise<Message> {
    return this.chat.parts.waitFor(
      () => (fits(this) ? this : undefined),
      () => `an edit of message ${this.id}, whose text is "${this.text}"`,
    );
  }
}

/** What a chat needs of the fake. */
export type ChatParts = Pick<Changes, "announce" | "waitFor"> & {
  bot: Account;
  /** The user with this id. */
  getUser: (id: number) => Account;
  /** Writes a service message with these fields. */
  writeService: (chat: Chat, by: Account, service: Json) => void;
  /** The supergroup that a group becomes. */
  createSupergroup: (group: Chat) => Chat;
};

/** A chat of users, with or without the bot. */
export class Chat {
  readonly parts: ChatParts;
  declare readonly id: number;
  declare readonly kind: "private" | "group" | "supergroup";
  declare readonly title: string;
  readonly isForum: boolean = false;
  readonly members: Map<number, MemberStatus>;
  readonly denied = new Set<Denial>();
  readonly topics = new Map<number, Topic>();
  /** All messages, including deleted ones. */
  readonly history: Message[] = [];
  migratedTo: number | undefined;

  constructor(
    parts: ChatParts,
    fields: Pick<Chat, "id" | "kind" | "title"> & { isForum?: boolean },
    members: Iterable<readonly [number, MemberStatus]>,
  ) {
    Object.assign(this, fields);
    this.parts = parts;
    this.members = new Map(members);
  }

  /** The current messages by time. */
  get messages(): readonly Message[] {
    return this.history.filter(({ isDeleted }) => !isDeleted);
  }

  /** The bot's messages that are not deleted. */
  get replies(): readonly Message[] {
    return this.messages.filter(({ author }) => author === this.parts.bot);
  }

  /** The message with this id that is not deleted. */
  find(id: unknown): Message | undefined {
    return this.messages.find((one) => one.id === id);
  }

  /** Waits for a matching message of the bot (also after an edit). */
  waitForMessage(fits: (message: Message) => boolean = () => true): Promise<Message> {
    return this.waitForOne(() => this.replies, fits, `a message of the bot in ${this.title}`);
  }

  /** Waits for a matching message of a list; an error names its texts. */
  waitForOne(
    list: () => readonly Message[],
    fits: (message: Message) => boolean,
    what: string,
  ): Promise<Message> {
    const seen = () => list().map(({ text }) => JSON.stringify(text));
    return this.parts.waitFor(
      () => list().find(fits),
      () => `${what}; there are: ${seen().join(", ") || "none"}`,
    );
  }

  addMember(user: Account): void {
    this.#setStatus(user, "member");
  }

  /** Makes a member an administrator. */
  promote(user: Account): void {
    this.#setStatus(user, "administrator");
  }

  addBot(by: Account): void {
    this.addMember(this.parts.bot);
    this.parts.writeService(this, by, { new_chat_members: [describeUser(this.parts.bot)] });
  }

  /** Makes the bot an administrator (with the right to delete messages): it then reads everything. */
  promoteBot(): void {
    this.promote(this.parts.bot);
  }

  /** Denies the bot rights; replaces an earlier denial. */
  denyBot(rights: readonly Denial[]): void {
    this.denied.clear();
    for (const right of rights) this.denied.add(right);
  }

  /** A topic of a forum by its name; created if missing. */
  topic(name: string): Topic {
    const known = [...this.topics.values()].find((one) => one.name === name);
    if (known) return known;
    if (!this.isForum) throw new Error(`${this.title} has no topics.`);
    const topic = { id: (this.history.at(-1)?.id ?? 0) + 1, name };
    this.topics.set(topic.id, topic);
    const forum_topic_created = { name, icon_color: 7322096 };
    const thread = { message_thread_id: topic.id, is_topic_message: true };
    this.parts.writeService(this, this.#owner, { forum_topic_created, ...thread });
    return topic;
  }

  /** The group becomes a supergroup with another id; returns the new one. */
  migrate(): Chat {
    const next = this.parts.createSupergroup(this);
    this.parts.writeService(this, this.#owner, { migrate_to_chat_id: next.id });
    this.migratedTo = next.id;
    this.parts.writeService(next, this.#owner, { migrate_from_chat_id: this.id });
    return next;
  }

  /** Changes a member's status, of which the bot requests no updates. */
  #setStatus({ id }: Account, status: MemberStatus) {
    this.members.set(id, status);
    this.parts.announce();
  }

  get #owner(): Account {
    const [id] = [...this.members].find(([, status]) => status === "creator") ?? [];
    if (id === undefined) throw new Error(`${this.title} has no owner.`);
    return this.parts.getUser(id);
  }
}

/** The time in seconds, as in the Bot API. */
export function now(): number {
  return Math.floor(Date.now() / 1000);
}

import type { Channel } from "./channels.ts";
import type { OwnFile } from "./options.ts";
import type { Message, Modal } from "./seen.ts";

/** A value of an option of a slash command. */
export type OptionValue = string | number | boolean | OwnFile | User | Channel;

/** Where a person uses a command, and through which installation. */
export type CommandTarget = {
  /** Default: the person's direct messages with the bot. */
  channel?: Channel;
  /** Through whose installation: the guild's where the bot is a member, else the person's. */
  installedBy?: "guild" | "user";
};

/** What a person writes. */
export type Written = {
  content?: string;
  attachments?: readonly OwnFile[];
  /** Embeds as a link's preview makes them: `{ image: { url } }`, `{ thumbnail: { url } }`, `{ title }` … */
  embeds?: readonly Readonly<Record<string, unknown>>[];
  replyTo?: Message;
  forward?: Message;
  /** Mentions the bot at the start. */
  mentionsBot?: boolean;
};

/** A person. */
export type User = {
  readonly id: string;
  readonly name: string;
  readonly locale: string;
  /** Whether the person installed the app for itself. */
  readonly hasInstalled: boolean;
  setLocale(locale: string): void;
  /** The direct messages with the bot. */
  readonly direct: Channel;
  /** Accepts direct messages (default), or not: the bot then gets 50007. */
  setAcceptsDirect(accepts: boolean): void;
  install(): void;
  uninstall(): void;
  /** Uses a slash command; `name` may name a subcommand: `settings language`. The command must be registered as used. */
  slash(
    name: string,
    options?: Readonly<Record<string, OptionValue>>,
    commandTarget?: CommandTarget,
  ): Interaction;
  /** Uses a command of the Apps menu of a message. */
  messageCommand(name: string, message: Message, commandTarget?: Omit<CommandTarget, "channel">): Interaction;
  sendMessage(channel: Channel, written: string | Written): Message;
  editMessage(message: Message, written: string | Written): void;
  deleteMessage(message: Message): void;
  /** Presses a button by its custom id; throws where the person could not. */
  clickButton(message: Message, customId: string): Interaction;
  select(message: Message, customId: string, values: readonly string[]): Interaction;
  /** Sends a modal that an interaction showed; values by custom id. */
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

/** One use of a command, button, menu or modal, and what came of it. */
export type Interaction = {
  readonly id: string;
  readonly token: string;
  readonly user: User;
  readonly channel: Channel;
  /** undefined until the bot acknowledged it. */
  readonly acknowledgement: Acknowledgement | undefined;
  readonly acknowledgedAfterMs: number | undefined;
  /** "The application did not respond": 3 s without acknowledgement. */
  readonly isFailed: boolean;
  /** Waits for the acknowledgement; rejects when the person saw a failure. */
  acknowledged(): Promise<Acknowledgement>;
  /** Waits for the final reply: no longer thinking. For an update: the changed message. Rejects when it failed. */
  reply(): Promise<Message>;
  /** Waits until the reply fits, for instance after a second edit. */
  replyWhere(fits: (message: Message) => boolean): Promise<Message>;
  /** Waits for the n-th follow-up (0 first). */
  followUp(index?: number): Promise<Message>;
  readonly followUps: readonly Message[];
  /** Waits for the modal it shows. */
  modal(): Promise<Modal>;
  /** Ends the token now, as if 15 minutes had gone by: 10015 and 50027 from then on. */
  expire(): void;
};

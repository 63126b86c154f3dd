import type { Changes, Json } from "@koma/fake-chat";
import type { Account } from "../types.ts";
import type { Channel, Message, Origin } from "./channels.ts";
import { seeModal } from "./seen.ts";

/** How the bot acknowledged an interaction. */
export type Acknowledgement = "deferred-reply" | "deferred-update" | "modal";

/** The fields of a new interaction. */
export type NewInteraction = Pick<Interaction, "type" | "user" | "channel" | "owners"> &
  Partial<Pick<Interaction, "command" | "source" | "cause">>;

/** One use of a command, button, menu or modal, and its outcome. */
export class Interaction implements Origin {
  readonly #changes: Pick<Changes, "announce" | "waitFor">;
  readonly id: string;
  readonly token: string;
  declare readonly type: Origin["type"];
  declare readonly user: Account;
  declare readonly channel: Channel;
  declare readonly owners: Origin["owners"];
  readonly command: Origin["command"];
  readonly source: Message | undefined;
  readonly cause: Interaction | undefined;
  /** True if only the user may see the reply: a user-installed app where the server forbids public replies. */
  readonly isForcedPrivate: boolean;
  readonly createdAt = Date.now();
  /** Undefined until the bot acknowledges it. */
  acknowledgement: Acknowledgement | undefined;
  acknowledgedAfterMs: number | undefined;
  /** "The application did not respond": 3 s without acknowledgement. */
  isFailed = false;
  isExpired = false;
  original: Message | undefined;
  /** The source message was changed through this interaction. */
  hasUpdated = false;
  readonly followUps: Message[] = [];
  shownModal: Json | undefined;

  constructor(changes: Pick<Changes, "announce" | "waitFor">, id: string, fields: NewInteraction) {
    this.#changes = changes;
    this.id = id;
    this.token = Buffer.from(`interaction:${id}:${Math.random()}`).toString("base64url");
    Object.assign(this, fields);
    const { channel, owners, user } = fields;
    const isOfUser = channel.kind === "guild" && owners["0"] === undefined;
    this.isForcedPrivate = isOfUser && !channel.allows(user.id, "UseExternalApps");
  }

  /** Waits for the acknowledgement; rejects when the user sees a failure. */
  acknowledged(): Promise<Acknowledgement> {
    return this.#wait("the acknowledgement", () => this.acknowledgement);
  }

  /** Waits for the final reply after "thinking"; for an update, the edited message. Rejects after a failure. */
  reply(): Promise<Message> {
    return this.#wait("the reply", () => this.#findReply());
  }

  /** Waits until the reply matches, for instance after a second edit. */
  replyWhere(fits: (message: Message) => boolean): Promise<Message> {
    return this.#wait("a fitting reply", () => {
      const found = this.#findReply();
      return found && fits(found) ? found : undefined;
    });
  }

  /** Waits for the n-th follow-up (0 first). */
  followUp(index = 0): Promise<Message> {
    return this.#wait(`follow-up ${index}`, () => this.followUps[index]);
  }

  /** Waits for the modal it shows. */
  modal(): Promise<ReturnType<typeof seeModal>> {
    return this.#wait("the modal", () => this.shownModal && seeModal(this.shownModal));
  }

  /** Expires the token now, as after 15 minutes: 10015 and 50027 from then on. */
  expire(): void {
    this.isExpired = true;
    this.#changes.announce();
  }

  #findReply(): Message | undefined {
    const { acknowledgement, original } = this;
    if (acknowledgement === "modal") throw new Error("The interaction showed a modal, not a reply.");
    if (acknowledgement === undefined) return undefined;
    if (acknowledgement === "deferred-update" && !this.hasUpdated) return undefined;
    return original && !original.isThinking && !original.isDeleted ? original : undefined;
  }

  #wait<Value>(what: string, find: () => Value | undefined): Promise<Value> {
    const name = this.command?.name ?? this.id;
    return this.#changes.waitFor(
      () => {
        if (this.isFailed) throw new Error(`The application did not respond to ${name}.`);
        return find();
      },
      () => {
        const seen = [this.acknowledgement ?? "nothing", this.original && JSON.stringify(this.original.text)];
        return `${what} of ${name}; so far: ${seen.filter(Boolean).join(", ")}`;
      },
    );
  }
}

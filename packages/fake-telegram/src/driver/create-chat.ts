import type { Json } from "@koma/fake-chat";
import type { Account } from "../state/account.ts";
import { Chat, type MemberStatus } from "../state/chat.ts";
import { createContent } from "../state/content.ts";
import { describeMessage } from "../state/describe.ts";
import type { FakeState } from "../state/fake-state.ts";
import type { Messages } from "../state/messages.ts";
import { isSentToBot } from "../state/privacy.ts";
import type { UpdateQueue } from "../state/updates.ts";

/** The options of a new group. */
export type GroupOptions = {
  title?: string;
  /** Default `supergroup`. */
  kind?: "group" | "supergroup";
  isForum?: boolean;
  /** The first is the owner; default: a new user. */
  members?: readonly Account[];
  /** Whether the bot is a member (default yes). */
  hasBot?: boolean;
  isBotAdmin?: boolean;
};

/** Creates chats. */
export function createChats(
  state: FakeState,
  { messages, updates }: { messages: Messages; updates: UpdateQueue },
) {
  const writeService = (chat: Chat, by: Account, service: Json) => {
    const message = messages.create(chat, by, createContent({}), { service, isForBot: true });
    if (isSentToBot(state, message))
      message.updateId = updates.push("message", describeMessage(state, message));
  };

  const createSupergroup = ({ title, members }: Pick<Chat, "title" | "members">, isForum = false) => {
    const id = -1_000_000_000_000 - 1000 - state.createNumber();
    return create({ id, kind: "supergroup", title, isForum }, members);
  };

  const create = (
    fields: Pick<Chat, "id" | "kind" | "title"> & { isForum?: boolean },
    members: Iterable<readonly [number, MemberStatus]>,
  ): Chat => {
    const chat = new Chat({ ...state, writeService, createSupergroup }, fields, members);
    state.chats.set(chat.id, chat);
    return chat;
  };

  return {
    create,

    createGroup(owner: Account, options: GroupOptions): Chat {
      const { hasBot = true, isForum = false, kind = "supergroup", title = "Anime group" } = options;
      const members = new Map<number, MemberStatus>([
        [owner.id, "creator"],
        ...(options.members ?? []).map((user) => [user.id, "member"] as const),
      ]);
      const chat =
        kind === "group"
          ? create({ id: -1000 - state.createNumber(), kind, title, isForum }, members)
          : createSupergroup({ title, members }, isForum);
      if (hasBot) chat.addMember(state.bot);
      if (options.isBotAdmin) chat.promoteBot();
      return chat;
    },

    /** For the bot, such a chat has the id of the other user, and is not the bot's chat with that user. */
    createPrivate: (...users: readonly [Account, Account]): Chat =>
      create(
        { id: 900_000_000 + state.createNumber(), kind: "private", title: users[1].name },
        users.map(({ id }) => [id, "member"]),
      ),
  };
}

/** See `createChats`. */
export type Chats = ReturnType<typeof createChats>;

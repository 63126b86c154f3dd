import { getFrom, type Json } from "@koma/fake-chat";
import { describeChat, describeMember, describeMessage, describeUser } from "../state/describe.ts";
import { type FakeState, now } from "../state/fake-state.ts";
import { createContent, type Messages } from "../state/messages.ts";
import { isSentToBot } from "../state/privacy.ts";
import type { MemberStatus, StoredChat, StoredUser } from "../state/stored.ts";
import type { UpdateQueue } from "../state/updates.ts";

/** An empty chat. */
export function createChat(
  fields: Pick<StoredChat, "id" | "kind" | "title"> & Partial<StoredChat>,
): StoredChat {
  return {
    username: undefined,
    isForum: false,
    members: new Map(),
    denied: new Set(),
    messages: [],
    nextMessageId: 1,
    actions: [],
    topics: new Map(),
    migratedTo: undefined,
    isLastBotAnother: false,
    ...fields,
  };
}

/** Chat events besides messages: membership changes, and their updates for the bot. */
export function createChatEvents(state: FakeState, parts: { messages: Messages; updates: UpdateQueue }) {
  const { messages, updates } = parts;

  const writeService = (chat: StoredChat, by: StoredUser, service: Json) => {
    const message = messages.create(chat, by.id, createContent({}), { service, isForBot: true });
    if (isSentToBot(state, chat, message))
      message.updateId = updates.push("message", describeMessage(state, message));
  };

  return {
    writeService,

    /**
     * Changes a member's status; the bot gets an update about itself, or about others if it requested them.
     */
    setMember(chat: StoredChat, userId: number, status: MemberStatus, by: StoredUser) {
      const before = chat.members.get(userId) ?? "left";
      if (before === status) return;
      chat.members.set(userId, status);
      const change = {
        chat: describeChat(state, chat),
        from: describeUser(by),
        date: now(),
        old_chat_member: describeMember(state, userId, before),
        new_chat_member: describeMember(state, userId, status),
      };
      if (userId === state.bot.id) updates.push("my_chat_member", change);
      else if (chat.members.get(state.bot.id) === "administrator") updates.push("chat_member", change);
      state.announce();
    },

    /** The group becomes a supergroup with another id. */
    migrate(chat: StoredChat, by: StoredUser): StoredChat {
      if (chat.kind !== "group") throw new Error("Only a group can become a supergroup.");
      const next = createChat({
        id: -1_000_000_000_000 - 1000 - state.createNumber(),
        kind: "supergroup",
        title: chat.title,
        members: new Map(chat.members),
      });
      state.chats.set(next.id, next);
      writeService(chat, by, { migrate_to_chat_id: next.id });
      chat.migratedTo = next.id;
      writeService(next, by, { migrate_from_chat_id: chat.id });
      return next;
    },
  };
}

/** See `createChatEvents`. */
export type ChatEvents = ReturnType<typeof createChatEvents>;

/** The owner of a group, who writes on its behalf by default. */
export function ownerOf(state: FakeState, chat: StoredChat): StoredUser {
  const [id] = [...chat.members].find(([, status]) => status === "creator") ?? [];
  if (id === undefined) throw new Error(`${chat.title} has no owner.`);
  return getFrom(state.users, id, "user");
}

import { getFrom, type Json } from "@koma/fake-chat";
import { describeMessage, describeUser } from "../state/describe.ts";
import type { FakeState } from "../state/fake-state.ts";
import { createContent, type Messages } from "../state/messages.ts";
import { isSentToBot } from "../state/privacy.ts";
import type { UpdateQueue } from "../state/updates.ts";
import type { Account, Chat, GroupOptions, MemberStatus, Topic, User } from "../types.ts";

/** Creates chats. */
export function createChats(
  state: FakeState,
  { messages, updates }: { messages: Messages; updates: UpdateQueue },
) {
  const writeService = (chat: Chat, by: Account, service: Json) => {
    const message = messages.create(chat, by, createContent({}), { service, isForBot: true });
    if (isSentToBot(state, message))
      message.updateId = updates.push("message", describeMessage(state, message));
    return message;
  };

  /** Changes a member's status, of which the bot requests no updates. */
  const setMember = (chat: Chat, { id }: Account, status: MemberStatus) => {
    chat.members.set(id, status);
    state.announce();
  };

  const create = (
    fields: Pick<Chat, "id" | "kind" | "title"> & { isForum?: boolean },
    members: readonly (readonly [number, MemberStatus])[],
  ): Chat => {
    const own: Chat = {
      isForum: false,
      ...fields,
      members: new Map(members),
      denied: new Set(),
      topics: new Map(),
      history: [],
      migratedTo: undefined,
      get messages() {
        return own.history.filter(({ isDeleted }) => !isDeleted);
      },
      get replies() {
        return own.messages.filter(({ author }) => author === state.bot);
      },
      waitForMessage: (fits = () => true) =>
        state.waitFor(
          () => own.replies.find(fits),
          () => {
            const seen = own.replies.map(({ text }) => JSON.stringify(text)).join(", ") || "none";
            return `a message of the bot in ${own.title}; there are: ${seen}`;
          },
        ),
      addMember: (user) => setMember(own, user, "member"),
      promote: (user) => setMember(own, user, "administrator"),
      addBot(by) {
        setMember(own, state.bot, "member");
        writeService(own, by, { new_chat_members: [describeUser(state.bot)] });
      },
      promoteBot: () => setMember(own, state.bot, "administrator"),
      denyBot(rights) {
        own.denied.clear();
        for (const right of rights) own.denied.add(right);
      },
      topic: (name) => [...own.topics.values()].find((one) => one.name === name) ?? openTopic(own, name),
      migrate() {
        const next = create({ id: createSupergroupId(), kind: "supergroup", title: own.title }, [
          ...own.members,
        ]);
        writeService(own, ownerOf(own), { migrate_to_chat_id: next.id });
        own.migratedTo = next.id;
        writeService(next, ownerOf(own), { migrate_from_chat_id: own.id });
        return next;
      },
    };
    state.chats.set(own.id, own);
    return own;
  };

  const openTopic = (chat: Chat, name: string): Topic => {
    if (!chat.isForum) throw new Error(`${chat.title} has no topics.`);
    const id = (chat.history.at(-1)?.id ?? 0) + 1;
    const topic: Topic = { id, name };
    chat.topics.set(id, topic);
    const forum_topic_created = { name, icon_color: 7322096 };
    writeService(chat, ownerOf(chat), { forum_topic_created, message_thread_id: id, is_topic_message: true });
    return topic;
  };

  const createSupergroupId = () => -1_000_000_000_000 - 1000 - state.createNumber();

  const ownerOf = ({ members, title }: Chat): Account => {
    const [id] = [...members].find(([, status]) => status === "creator") ?? [];
    if (id === undefined) throw new Error(`${title} has no owner.`);
    return getFrom(state.users, id, "user");
  };

  return {
    create,

    createGroup(owner: User, options: GroupOptions): Chat {
      const { hasBot = true, isForum = false, kind = "supergroup", title = "Anime group" } = options;
      const id = kind === "group" ? -1000 - state.createNumber() : createSupergroupId();
      const chat = create({ id, kind, title, isForum }, [
        [owner.id, "creator"],
        ...(options.members ?? []).map((user) => [user.id, "member"] as const),
      ]);
      if (hasBot) setMember(chat, state.bot, "member");
      if (options.isBotAdmin) chat.promoteBot();
      return chat;
    },

    /** For the bot, such a chat has the id of the other user, and is not the bot's chat with that user. */
    createPrivate: (...users: readonly [User, User]): Chat =>
      create(
        { id: 900_000_000 + state.createNumber(), kind: "private", title: users[1].name },
        users.map(({ id }) => [id, "member"]),
      ),
  };
}

/** See `createChats`. */
export type Chats = ReturnType<typeof createChats>;

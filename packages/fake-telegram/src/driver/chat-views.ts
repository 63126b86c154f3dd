import { getFrom } from "@koma/fake-chat";
import type { FakeState } from "../state/fake-state.ts";
import { createContent, type Messages } from "../state/messages.ts";
import type { StoredChat } from "../state/stored.ts";
import { detectEntities } from "../text/entities.ts";
import type { Chat, Topic, User } from "../types.ts";
import { type ChatEvents, ownerOf } from "./chats.ts";
import type { MessageViews } from "./views.ts";

/** The chats of tests: one view object each. */
export function createChatViews(
  state: FakeState,
  parts: { events: ChatEvents; messages: Messages; userOf: (id: number) => User; views: () => MessageViews },
) {
  const { events, messages, userOf } = parts;
  const known = new Map<number, Chat>();

  const view = (id: number): Chat => {
    const created = known.get(id) ?? create(getFrom(state.chats, id, "chat"));
    known.set(id, created);
    return created;
  };

  const create = (chat: StoredChat): Chat => {
    const isPresent = (id: number) => !["left", "kicked", undefined].includes(chat.members.get(id));
    const seen = () => chat.messages.map(parts.views().view);
    const userIn = (user: User) => getFrom(state.users, user.id, "user");
    const own: Chat = {
      id: chat.id,
      kind: chat.kind,
      title: chat.title,
      isForum: chat.isForum,
      get members() {
        return [...chat.members.keys()].filter((id) => id !== state.bot.id && isPresent(id)).map(userOf);
      },
      get hasBot() {
        return isPresent(state.bot.id);
      },
      get messages() {
        return seen().filter(({ isDeleted }) => !isDeleted);
      },
      get history() {
        return seen();
      },
      get replies() {
        return own.messages.filter(({ author }) => author.id === state.bot.id);
      },
      get actions() {
        return chat.actions;
      },
      replyTo: (message, fits) => message.reply(fits),
      waitForMessage: (fits = () => true) =>
        state.waitFor(
          () => own.replies.find(fits),
          () =>
            `a message of the bot in ${chat.title}; there are: ${own.replies.map(({ text }) => JSON.stringify(text)).join(", ") || "none"}`,
        ),
      addMember(...users) {
        for (const user of users) events.setMember(chat, user.id, "member", userIn(user));
      },
      removeMember: (user) => events.setMember(chat, user.id, "left", userIn(user)),
      promote: (user, isAdmin = true) =>
        events.setMember(chat, user.id, isAdmin ? "administrator" : "member", ownerOf(state, chat)),
      addBot(by) {
        events.setMember(chat, state.bot.id, "member", userIn(by));
        const { id, name, username } = state.bot;
        events.writeService(chat, userIn(by), {
          new_chat_members: [{ id, is_bot: true, first_name: name, username }],
        });
      },
      removeBot: (by) => events.setMember(chat, state.bot.id, "kicked", userIn(by)),
      promoteBot: (isAdmin = true) =>
        events.setMember(chat, state.bot.id, isAdmin ? "administrator" : "member", ownerOf(state, chat)),
      denyBot(rights) {
        chat.denied = new Set(rights);
      },
      otherBotSpeaks(text = "beep") {
        messages.create(
          chat,
          otherBot(state).id,
          createContent({ text, entities: detectEntities(text, []) }),
        );
        chat.isLastBotAnother = true;
      },
      topic: (name) => openTopic(own, chat, name),
      migrate: () => view(events.migrate(chat, ownerOf(state, chat)).id),
    };
    return own;
  };

  const openTopic = (own: Chat, chat: StoredChat, name: string): Topic => {
    if (!chat.isForum) throw new Error(`${chat.title} has no topics.`);
    const found = [...chat.topics.values()].find((one) => one.name === name);
    const topic = found ?? { id: chat.nextMessageId, name, isClosed: false };
    if (!found) {
      chat.topics.set(topic.id, topic);
      const service = {
        forum_topic_created: { name, icon_color: 7322096 },
        message_thread_id: topic.id,
        is_topic_message: true,
      };
      events.writeService(chat, ownerOf(state, chat), service);
    }
    return {
      id: topic.id,
      name,
      chat: own,
      close() {
        topic.isClosed = true;
      },
    };
  };

  return { view };
}

/** Another bot, created at its first use. */
function otherBot(state: FakeState) {
  const found = [...state.users.values()].find(({ isBot, id }) => isBot && id !== state.bot.id);
  if (found) return found;
  const created = { ...state.bot, id: state.bot.id + 1, name: "Beeper", username: "beeper_bot" };
  state.users.set(created.id, created);
  return created;
}

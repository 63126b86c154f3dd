import { asObject, compact, getFrom, type Json } from "@koma/fake-chat";
import { createRejecter } from "../http/problems.ts";
import type { Contents } from "../methods/contents.ts";
import { readDeepLink } from "../rules/address-rules.ts";
import { describeChat, describeMessage, describeUser } from "../state/describe.ts";
import { type FakeState, now } from "../state/fake-state.ts";
import type { Messages } from "../state/messages.ts";
import { isSentToBot } from "../state/privacy.ts";
import type { StoredChat, StoredUser } from "../state/stored.ts";
import type { UpdateQueue } from "../state/updates.ts";
import { detectEntities } from "../text/entities.ts";
import type { Chat, Message, SeenInlineResult, User } from "../types.ts";
import { type ChatEvents, createChat } from "./chats.ts";
import type { UserQueries } from "./clicks.ts";
import { seeCommands } from "./commands.ts";
import type { MessageViews } from "./views.ts";
import type { Writer } from "./write.ts";

/** The users of tests. */
export function createUsers(
  state: FakeState,
  parts: {
    messages: Messages;
    updates: UpdateQueue;
    views: MessageViews;
    chatOf: (id: number) => Chat;
    writer: Writer;
    userQueries: UserQueries;
    events: ChatEvents;
    contents: Contents;
  },
) {
  const { messages, updates, views, chatOf, writer, userQueries, events, contents } = parts;
  const known = new Map<number, User>();

  const create = (stored: StoredUser): User => {
    const storedChat = (chat: Chat): StoredChat => getFrom(state.chats, chat.id, "chat");
    const direct = storedChat(chatOf(stored.id));
    const commandContent = async (
      chat: StoredChat,
      command: string,
      payload: string | undefined,
    ): Promise<Message> => {
      const text = payload === undefined ? command : `${command} ${payload}`;
      return views.view(await writer.write(stored, chat, { text }));
    };

    const own: User = {
      id: stored.id,
      name: stored.name,
      username: stored.username,
      get language() {
        return stored.language;
      },
      setLanguage(language) {
        stored.language = language;
      },
      direct: chatOf(stored.id),
      async sends(chat, written) {
        const requested = typeof written === "string" ? { text: written } : written;
        return views.view(await writer.write(stored, storedChat(chat), requested));
      },
      edits(message, text) {
        const target = views.find(message);
        if (target.authorId !== stored.id) throw new Error(`${stored.name} can only edit own messages.`);
        messages.edit(target, { ...target.content, text, entities: detectEntities(text, []) });
        if (isSentToBot(state, getFrom(state.chats, target.chatId, "chat"), target))
          updates.push("edited_message", describeMessage(state, target));
      },
      async replaces(message, written) {
        const target = views.find(message);
        if (target.authorId !== stored.id) throw new Error(`${stored.name} can only edit own messages.`);
        messages.edit(target, await writer.readContent(written));
        if (isSentToBot(state, getFrom(state.chats, target.chatId, "chat"), target))
          updates.push("edited_message", describeMessage(state, target));
      },
      deletes: (message) => messages.delete(views.find(message)),
      starts: (payload) => commandContent(direct, "/start", payload),
      async addsBotTo(chat, payload) {
        chat.addBot(own);
        if (payload !== undefined)
          await commandContent(storedChat(chat), `/start@${state.settings.username}`, payload);
      },
      clicks: (button, options) => userQueries.click(own, stored, button, options?.isStale ?? false),
      async opens(button) {
        if (button.url === undefined) throw new Error(`"${button.text}" has no address.`);
        const link = readDeepLink(state.settings.username, button.url);
        return link && !link.isGroup ? own.starts(link.payload || undefined) : undefined;
      },
      asksInline(query, options) {
        const chat = storedChat(options?.chat ?? own.direct);
        const chatType = chat.id === stored.id ? "sender" : chat.kind;
        return userQueries.askInline(stored, query, { chatType, offset: options?.offset ?? "" });
      },
      picks: (result, chat) => pick(stored, storedChat(chat), result),
      blocks: () => setBlocked(stored, direct, true),
      unblocks: () => setBlocked(stored, direct, false),
      commandsIn: (chat) => seeCommands(state, stored, storedChat(chat)),
      reacts(message, emoji) {
        const target = views.find(message);
        const chat = getFrom(state.chats, target.chatId, "chat");
        const toList = (all: readonly string[]) => all.map((one): Json => ({ type: "emoji", emoji: one }));
        const before = target.reactions.get(stored.id) ?? [];
        const after = emoji === undefined ? [] : [emoji];
        target.reactions.set(stored.id, after);
        const isNotified = chat.kind === "private" || chat.members.get(state.bot.id) === "administrator";
        if (isNotified)
          updates.push("message_reaction", {
            chat: describeChat(state, chat),
            message_id: target.id,
            user: describeUser(stored),
            date: now(),
            old_reaction: toList(before),
            new_reaction: toList(after),
          });
      },
    };
    return own;
  };

  const setBlocked = (stored: StoredUser, direct: StoredChat, isBlocked: boolean) => {
    stored.hasBlocked = isBlocked;
    events.setMember(direct, state.bot.id, isBlocked ? "kicked" : "member", stored);
  };

  /** Sends a result of an inline query in the name of a user. */
  const pick = async (stored: StoredUser, chat: StoredChat, result: SeenInlineResult): Promise<Message> => {
    const query = getFrom(state.queries, result.queryId, "inline query");
    const raw = asObject(result.raw) ?? {};
    const reject = createRejecter(state, "answerInlineQuery");
    const call = {
      method: "answerInlineQuery",
      parameters: {},
      files: new Map(),
      encoding: "json" as const,
      reject,
    };
    const content = await contents.readResult(call, raw);
    const inlineMessageId = content.keyboard && `AAInline${state.createNumber()}`;
    const message = writer.publish(chat, stored, content, { isViaBot: true, inlineMessageId });
    if (inlineMessageId !== undefined) state.inlineMessages.set(inlineMessageId, message);
    if (state.settings.hasInlineFeedback)
      updates.push(
        "chosen_inline_result",
        compact({
          result_id: result.id,
          from: describeUser(stored),
          query: query.text,
          inline_message_id: inlineMessageId,
        }),
      );
    return views.view(message);
  };

  return {
    create(options: { name?: string; username?: string; language?: string; isPremium?: boolean } = {}): User {
      const id = 100_000_000 + state.createNumber() * 101;
      const stored: StoredUser = {
        id,
        name: options.name ?? `Person ${id}`,
        username: options.username,
        language: options.language,
        isBot: false,
        isPremium: options.isPremium ?? false,
        hasStarted: false,
        hasBlocked: false,
      };
      state.users.set(id, stored);
      const members = new Map([[id, "member"] as const, [state.bot.id, "member"] as const]);
      state.chats.set(id, createChat({ id, kind: "private", title: stored.name, members: new Map(members) }));
      const user = create(stored);
      known.set(id, user);
      return user;
    },
    view: (id: number): User => getFrom(known, id, "person"),
  };
}

import type { InlineQueryResult } from "grammy/types";
import { describeChat, describeMessage, describeUser } from "../state/describe.ts";
import { asNumber, asObject, asObjects, asText, compact, type Json } from "../state/json.ts";
import type { StoredQuery, StoredUser } from "../state/stored.ts";
import type { UpdateQueue } from "../state/updates.ts";
import { getFrom, type World } from "../state/world.ts";
import type { InlineAnswer, InlineQuery, Press, PressAnswer, SeenButton, User } from "../types.ts";
import type { MessageViews } from "./views.ts";

/** What people ask of the bot without writing: presses on buttons and inline queries. */
export function createAsking(world: World, parts: { updates: UpdateQueue; views: MessageViews }) {
  const { updates, views } = parts;

  const open = (
    fields: Pick<StoredQuery, "id" | "kind" | "userId" | "livesMs" | "text"> & Partial<StoredQuery>,
  ) => {
    const query: StoredQuery = {
      at: Date.now(),
      isExpired: false,
      answer: undefined,
      answeredAt: undefined,
      message: undefined,
      ...fields,
    };
    world.queries.set(query.id, query);
    return query;
  };

  /** Waits for the answer, and says when it can no longer come. */
  const wait = <Answer>(query: StoredQuery, see: () => Answer | undefined, what: string): Promise<Answer> =>
    world.waitFor(
      () => {
        const seen = see();
        if (seen === undefined && (query.isExpired || Date.now() - query.at > query.livesMs)) {
          world.warnings.push({ rule: "callback", where: query.kind, problem: `${what} was never answered` });
          throw new Error(`${what} was not answered in ${query.livesMs} ms.`);
        }
        return seen;
      },
      () => `an answer to ${what}`,
    );

  return {
    press(user: User, stored: StoredUser, button: SeenButton, isStale: boolean): Press {
      const message = views.find(button.message);
      const chat = getFrom(world.chats, message.chatId, "chat");
      if (button.callbackData === undefined)
        throw new Error(`"${button.text}" opens something: see opens().`);
      const isThere = button.message.buttons.some(
        ({ callbackData, text }) => callbackData === button.callbackData && text === button.text,
      );
      if (!isStale && (message.isDeleted || !isThere))
        throw new Error(`${user.name} cannot see "${button.text}" any more.`);
      if (!chat.members.has(user.id)) throw new Error(`${user.name} does not see ${chat.title}.`);
      const id = `${world.bot.id}${String(world.createNumber()).padStart(9, "0")}`;
      const query = open({
        id,
        kind: "press",
        userId: user.id,
        livesMs: world.settings.pressLivesMs,
        text: button.text,
        message,
      });
      const isInline = message.inlineMessageId !== undefined;
      const seen =
        isStale || message.isDeleted
          ? { chat: describeChat(world, chat), message_id: message.id, date: 0 }
          : describeMessage(world, message);
      updates.push(
        "callback_query",
        compact({
          id,
          from: describeUser(stored),
          message: isInline ? undefined : seen,
          inline_message_id: message.inlineMessageId,
          chat_instance: String(chat.id * 7919),
          data: button.callbackData,
        }),
      );
      const see = () => query.answer && seePress(query, query.answer);
      return {
        id,
        user,
        get answer() {
          return see();
        },
        answered: () => wait(query, see, `the press on "${button.text}"`),
        expire: () => expire(world, query),
      };
    },

    askInline(stored: StoredUser, text: string, options: { chatType: string; offset: string }): InlineQuery {
      if (!world.settings.hasInlineMode) throw new Error("The bot has no inline mode.");
      const id = `inline${world.createNumber()}`;
      const query = open({
        id,
        kind: "inline",
        userId: stored.id,
        livesMs: world.settings.inlineLivesMs,
        text,
      });
      const asked = {
        id,
        from: describeUser(stored),
        query: text,
        offset: options.offset,
        chat_type: options.chatType,
      };
      updates.push("inline_query", asked);
      const see = () => query.answer && seeInline(query, query.answer);
      return {
        id,
        get answer() {
          return see();
        },
        answered: () => wait(query, see, `the inline query "${text}"`),
        expire: () => expire(world, query),
      };
    },
  };
}

/** See `createAsking`. */
export type Asking = ReturnType<typeof createAsking>;

function expire(world: World, query: StoredQuery) {
  query.isExpired = true;
  world.announce();
}

function seePress(query: StoredQuery, answer: Json): PressAnswer {
  return {
    text: asText(answer.text) || undefined,
    isAlert: answer.show_alert === true,
    url: asText(answer.url),
    afterMs: (query.answeredAt ?? query.at) - query.at,
  };
}

function seeInline(query: StoredQuery, answer: Json): InlineAnswer {
  const button = asObject(answer.button);
  return {
    results: asObjects(answer.results).map((raw) => ({
      queryId: query.id,
      id: String(raw.id),
      type: String(raw.type),
      title: asText(raw.title),
      description: asText(raw.description),
      raw: raw as unknown as InlineQueryResult,
    })),
    isPersonal: answer.is_personal === true,
    cacheSeconds: asNumber(answer.cache_time) ?? 300,
    nextOffset: asText(answer.next_offset) ?? "",
    button: button && { text: String(button.text), startParameter: asText(button.start_parameter) },
  };
}

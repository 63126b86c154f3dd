import { asNumber, asObject, asObjects, asText, compact, getFrom, type Json } from "@koma/fake-chat";
import type { InlineQueryResult } from "grammy/types";
import { describeChat, describeMessage, describeUser } from "../state/describe.ts";
import type { FakeState } from "../state/fake-state.ts";
import type { StoredQuery, StoredUser } from "../state/stored.ts";
import type { UpdateQueue } from "../state/updates.ts";
import type {
  CallbackQueryResponse,
  Click,
  InlineQuery,
  InlineQueryResponse,
  SeenButton,
  User,
} from "../types.ts";
import type { MessageViews } from "./views.ts";

/** Callback queries and inline queries of users. */
export function createUserQueries(state: FakeState, parts: { updates: UpdateQueue; views: MessageViews }) {
  const { updates, views } = parts;

  const open = (
    fields: Pick<StoredQuery, "id" | "kind" | "userId" | "ttlMs" | "text"> & Partial<StoredQuery>,
  ) => {
    const query: StoredQuery = {
      at: Date.now(),
      isExpired: false,
      reply: undefined,
      respondedAt: undefined,
      message: undefined,
      ...fields,
    };
    state.queries.set(query.id, query);
    return query;
  };

  /** Waits for the response, and rejects once it can no longer arrive. */
  const wait = <ResponseResult>(
    query: StoredQuery,
    see: () => ResponseResult | undefined,
    what: string,
  ): Promise<ResponseResult> =>
    state.waitFor(
      () => {
        const seen = see();
        if (seen === undefined && (query.isExpired || Date.now() - query.at > query.ttlMs)) {
          state.warnings.push({ rule: "callback", where: query.kind, problem: `${what} was never answered` });
          throw new Error(`${what} was not answered in ${query.ttlMs} ms.`);
        }
        return seen;
      },
      () => `a response to ${what}`,
    );

  return {
    click(user: User, stored: StoredUser, button: SeenButton, isStale: boolean): Click {
      const message = views.find(button.message);
      const chat = getFrom(state.chats, message.chatId, "chat");
      if (button.callbackData === undefined)
        throw new Error(`"${button.text}" opens an address: see opens().`);
      const isThere = button.message.buttons.some(
        ({ callbackData, text }) => callbackData === button.callbackData && text === button.text,
      );
      if (!isStale && (message.isDeleted || !isThere))
        throw new Error(`${user.name} can no longer see "${button.text}".`);
      if (!chat.members.has(user.id)) throw new Error(`${user.name} cannot see ${chat.title}.`);
      const id = `${state.bot.id}${String(state.createNumber()).padStart(9, "0")}`;
      const query = open({
        id,
        kind: "callback",
        userId: user.id,
        ttlMs: state.settings.callbackQueryTtlMs,
        text: button.text,
        message,
      });
      const isInline = message.inlineMessageId !== undefined;
      const seen =
        isStale || message.isDeleted
          ? { chat: describeChat(state, chat), message_id: message.id, date: 0 }
          : describeMessage(state, message);
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
      const see = () => query.reply && seeClick(query, query.reply);
      return {
        id,
        user,
        get reply() {
          return see();
        },
        response: () => wait(query, see, `the callback query of "${button.text}"`),
        expire: () => expire(state, query),
      };
    },

    askInline(stored: StoredUser, text: string, options: { chatType: string; offset: string }): InlineQuery {
      if (!state.settings.hasInlineMode) throw new Error("The bot has no inline mode.");
      const id = `inline${state.createNumber()}`;
      const query = open({
        id,
        kind: "inline",
        userId: stored.id,
        ttlMs: state.settings.inlineTtlMs,
        text,
      });
      const requested = {
        id,
        from: describeUser(stored),
        query: text,
        offset: options.offset,
        chat_type: options.chatType,
      };
      updates.push("inline_query", requested);
      const see = () => query.reply && seeInline(query, query.reply);
      return {
        id,
        get reply() {
          return see();
        },
        response: () => wait(query, see, `the inline query "${text}"`),
        expire: () => expire(state, query),
      };
    },
  };
}

/** See `createUserQueries`. */
export type UserQueries = ReturnType<typeof createUserQueries>;

function expire(state: FakeState, query: StoredQuery) {
  query.isExpired = true;
  state.announce();
}

function seeClick(query: StoredQuery, reply: Json): CallbackQueryResponse {
  return {
    text: asText(reply.text) || undefined,
    isAlert: reply.show_alert === true,
    url: asText(reply.url),
    afterMs: (query.respondedAt ?? query.at) - query.at,
  };
}

function seeInline(query: StoredQuery, reply: Json): InlineQueryResponse {
  const button = asObject(reply.button);
  return {
    results: asObjects(reply.results).map((raw) => ({
      queryId: query.id,
      id: String(raw.id),
      type: String(raw.type),
      title: asText(raw.title),
      description: asText(raw.description),
      raw: raw as unknown as InlineQueryResult,
    })),
    isPersonal: reply.is_personal === true,
    cacheSeconds: asNumber(reply.cache_time) ?? 300,
    nextOffset: asText(reply.next_offset) ?? "",
    button: button && { text: String(button.text), startParameter: asText(button.start_parameter) },
  };
}

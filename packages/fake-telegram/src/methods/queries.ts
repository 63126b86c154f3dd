import { asObject, asObjects, asText, type Json } from "@koma/fake-chat";
import { type Call, deny, type Handlers } from "../http/call.ts";
import { readDeepLink } from "../rules/address-rules.ts";
import type { FakeState, Query } from "../state/fake-state.ts";
import type { Messages } from "../state/messages.ts";
import type { Contents } from "./contents.ts";

/** The methods that answer callback, inline and guest queries. */
export function createQueries(state: FakeState, parts: { messages: Messages; contents: Contents }): Handlers {
  const { messages, contents } = parts;

  /** The pending query of a response: once, and in time. */
  const open = (call: Call, kind: Query["kind"], id: unknown): Query => {
    const query = state.queries.get(asText(id) ?? "");
    const late = "Bad Request: query is too old and response timeout expired or query ID is invalid";
    if (!query || query.kind !== kind)
      return call.reject.refuse("callback", `there is no ${kind} query ${String(id)}`);
    if (query.reply !== undefined) call.reject.refuse("callback", `the ${kind} query was answered before`);
    if (query.isExpired || Date.now() - query.at > query.ttlMs) {
      call.reject.warn("callback", `the ${kind} query was answered after ${Date.now() - query.at} ms`);
      deny(late);
    }
    return query;
  };

  const close = (query: Query, reply: Json) => {
    query.reply = reply;
    state.announce();
  };

  const checkIds = (call: Call, results: readonly Json[]) => {
    if (results.length > 50) call.reject.refuse("inline", `${results.length} results, 50 are allowed`);
    const ids = results.map(({ id }) => String(id));
    if (new Set(ids).size < ids.length) call.reject.refuse("inline", "two results have the same id");
  };

  return {
    answerCallbackQuery(call) {
      const query = open(call, "callback", call.parameters.callback_query_id);
      const url = asText(call.parameters.url);
      if (url !== undefined && !readDeepLink(state.settings.username, url))
        call.reject.refuse("callback", `${url} does not open the bot`);
      close(query, call.parameters);
      return true;
    },

    async answerInlineQuery(call) {
      const query = open(call, "inline", call.parameters.inline_query_id);
      const results = asObjects(call.parameters.results);
      checkIds(call, results);
      for (const result of results) await contents.readResult(call, result);
      const button = asObject(call.parameters.button);
      if (button && (button.web_app === undefined) === (button.start_parameter === undefined))
        call.reject.blame("inline", "the button has exactly one of web_app and start_parameter");
      close(query, call.parameters);
      return true;
    },

    async answerGuestQuery(call) {
      const query = open(call, "guest", call.parameters.guest_query_id);
      const source = query.message;
      if (!source) return deny("Bad Request: GUEST_QUERY_INVALID");
      const content = await contents.readResult(call, asObject(call.parameters.result) ?? {});
      const inlineMessageId = `AAGuest${state.createNumber()}_${query.id}`;
      const message = messages.create(source.chat, state.bot, content, {
        replyTo: source,
        topicId: source.topicId,
        inlineMessageId,
        guestOf: query.userId,
      });
      state.inlineMessages.set(inlineMessageId, message);
      close(query, call.parameters);
      return { inline_message_id: inlineMessageId };
    },
  };
}

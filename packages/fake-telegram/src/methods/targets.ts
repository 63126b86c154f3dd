import { asNumber, asObject } from "@koma/fake-chat";
import { type Call, deny } from "../http/call.ts";
import type { Chat, Denial, Message } from "../state/chat.ts";
import type { FakeState } from "../state/fake-state.ts";

/** The chat of a call; rejected if it does not exist or became a supergroup. */
export function findChat(state: FakeState, call: Call, id: unknown = call.parameters.chat_id): Chat {
  const number = asNumber(id);
  if (number === undefined)
    call.reject.blame("schema", `chat_id "${String(id)}" is neither a number nor a name with @`);
  const chat = state.chats.get(number ?? Number(id));
  if (!chat || (chat.kind === "private" && !chat.members.has(state.bot.id)))
    return deny("Bad Request: chat not found");
  if (chat.migratedTo !== undefined)
    deny("Bad Request: group chat was upgraded to a supergroup chat", 400, {
      migrate_to_chat_id: chat.migratedTo,
    });
  return chat;
}

/** Rejects the call if the bot cannot see the chat, or lacks a right in it. */
export function ensureAllowed(state: FakeState, chat: Chat, need?: Denial) {
  if (chat.kind === "private") {
    const person = state.users.get(chat.id);
    if (person?.hasBlocked) deny("Forbidden: bot was blocked by the user", 403);
    if (!person?.hasStarted) deny("Forbidden: bot can't initiate conversation with a user", 403);
    return;
  }
  const status = chat.members.get(state.bot.id);
  if (status === undefined) deny(`Forbidden: bot is not a member of the ${chat.kind} chat`, 403);
  if (need === undefined || status === "administrator") return;
  if (need === "reactions" && chat.denied.has(need)) deny("Bad Request: REACTIONS_NOT_ALLOWED");
  if (chat.denied.has("send") || chat.denied.has(need))
    deny(`Bad Request: not enough rights to send ${wordOf(need)} to the chat`);
}

/** The topic of a message: the requested one, else that of the message it replies to. */
export function readTopic(chat: Chat, call: Call, repliedTo: Message | undefined): number | undefined {
  const id = asNumber(call.parameters.message_thread_id) ?? repliedTo?.topicId;
  if (id === undefined) return undefined;
  if (!chat.topics.has(id)) deny("Bad Request: message thread not found");
  return id;
}

/** The message that a message replies to. */
export function readReply(state: FakeState, chat: Chat, call: Call): Message | undefined {
  const params = asObject(call.parameters.reply_parameters);
  if (!params) return undefined;
  const isElsewhere = params.chat_id !== undefined && params.chat_id !== chat.id;
  const replyChat = isElsewhere ? findChat(state, call, params.chat_id) : chat;
  const repliedTo = replyChat.find(params.message_id);
  if (!repliedTo && !params.allow_sending_without_reply) deny("Bad Request: message to be replied not found");
  return isElsewhere ? undefined : repliedTo;
}

function wordOf(need: Denial): string {
  return need === "send" ? "text messages" : need === "other" ? "animations and stickers" : need;
}

import type { Chat as BotChat, Person } from "@koma/bot-core";
import type { Chat, Message, User } from "grammy/types";

/** The user and the chat of a request. */
export type Requester = { person: Person; chat: BotChat };

/** Telegram shows anonymous administrators as this account. */
const anonymousAdminId = 1_087_968_824;
/** Telegram shows channels that write in groups as this account. */
const channelBotId = 136_817_688;

/**
 * A post of a channel as a message of the channel, as Telegram shows such posts in groups: only administrators
 * of the channel post, and the bot gets their posts as an administrator only.
 */
export function asMessage(post: Message): Message {
  const from = { id: channelBotId, is_bot: true, first_name: nameOf(post.chat) };
  return { ...post, from, sender_chat: post.sender_chat ?? post.chat } as Message;
}

/** The author of a message; undefined for bots and service messages. */
export function readRequester(message: Message): Requester | undefined {
  const { from, sender_chat: sender } = message;
  if (from === undefined || message.is_automatic_forward === true) return undefined;
  const isHidden = from.id === anonymousAdminId || from.id === channelBotId;
  if (from.is_bot && !isHidden) return undefined;
  if (isHidden && sender !== undefined) {
    const person = { id: String(Math.abs(sender.id)), displayName: nameOf(sender) };
    return { person, chat: readChat(message) };
  }
  return { person: readPerson(from), chat: readChat(message) };
}

/** An account as a person. */
export function readPerson(user: User): Person {
  const displayName = [user.first_name, user.last_name].filter(Boolean).join(" ");
  return { id: String(user.id), displayName, locale: user.language_code };
}

/**
 * The chat of a message in the core's form. Telegram has no age restriction; the settings of the group
 * decide.
 */
export function readChat(message: Message): BotChat {
  const { chat } = message;
  if (chat.type === "private") return { kind: "direct", id: String(chat.id), isAgeRestricted: false };
  const id = String(chat.id);
  return { kind: "group", id, name: chat.title, channelId: findTopic(message), isAgeRestricted: true };
}

/** Telegram's id of the topic "General", which messages in it do not contain. */
const generalTopicId = 1;

/** The forum topic of a message; undefined in groups without topics. */
function findTopic({ chat, is_topic_message: isInTopic, message_thread_id: topicId }: Message) {
  if (isInTopic === true && topicId !== undefined) return String(topicId);
  return "is_forum" in chat && chat.is_forum === true ? String(generalTopicId) : undefined;
}

/** An anonymous administrator: only administrators can write on behalf of the group. */
export function isAnonymousAdmin({ sender_chat: sender, chat }: Message): boolean {
  return sender !== undefined && sender.id === chat.id;
}

function nameOf(chat: Chat): string {
  return chat.type === "private" ? chat.first_name : (chat.title ?? "");
}

import type { Person, Place } from "@koma/bot-core";
import type { Chat, Message, User } from "grammy/types";

/** Who asks, and where. */
export type Asker = { person: Person; place: Place };

/** Under this account Telegram shows administrators who hide their names. */
const anonymousAdminId = 1_087_968_824;
/** Under this account Telegram shows channels that speak in groups. */
const channelBotId = 136_817_688;

/** Who wrote a message; undefined for bots, and for what nobody wrote. */
export function readAsker(message: Message): Asker | undefined {
  const { from, sender_chat: speaker, chat } = message;
  if (from === undefined || message.is_automatic_forward === true) return undefined;
  const isHidden = from.id === anonymousAdminId || from.id === channelBotId;
  if (from.is_bot && !isHidden) return undefined;
  if (isHidden && speaker !== undefined) {
    const person = { id: String(Math.abs(speaker.id)), displayName: nameOf(speaker) };
    return { person, place: readPlace(chat) };
  }
  return { person: readPerson(from), place: readPlace(chat) };
}

/** An account as a person. */
export function readPerson(user: User): Person {
  const displayName = [user.first_name, user.last_name].filter(Boolean).join(" ");
  return { id: String(user.id), displayName, locale: user.language_code };
}

/** A chat as a place. Telegram marks none as one for adults: there the settings of the group decide. */
export function readPlace(chat: Chat): Place {
  if (chat.type === "private") return { kind: "direct", id: String(chat.id), isAgeRestricted: false };
  return { kind: "group", id: String(chat.id), name: chat.title, isAgeRestricted: true };
}

/** An administrator who hides their name: nobody else may speak for the group itself. */
export function isAnonymousAdmin({ sender_chat: speaker, chat }: Message): boolean {
  return speaker !== undefined && speaker.id === chat.id;
}

function nameOf(chat: Chat): string {
  return chat.type === "private" ? chat.first_name : (chat.title ?? "");
}

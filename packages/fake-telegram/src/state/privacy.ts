import type { MessageEntity } from "grammy/types";
import type { Message } from "./chat.ts";
import type { FakeState } from "./fake-state.ts";

/** True if a group message is for the bot, so that the bot sees it in privacy mode. */
export function isMeantForBot(state: FakeState, message: Message): boolean {
  const { entities, isViaBot, replyTo, service, text } = message;
  if (service || isViaBot) return true;
  if (replyTo && (replyTo.author === state.bot || replyTo.isForBot)) return true;
  const [first] = entities;
  // A general command at the start of a text.
  const isCommand =
    first?.type === "bot_command" && first.offset === 0 && !entityText(text, first).includes("@");
  return isCommand || isMentioned(state, message);
}

/** True if the bot gets the update of a message. */
export function isSentToBot(state: FakeState, { chat, isForBot }: Message): boolean {
  const status = chat.members.get(state.bot.id);
  if (chat.kind === "private") return status !== undefined;
  if (status === undefined) return false;
  return status === "administrator" || !state.settings.hasPrivacyMode || isForBot;
}

/** True if the text mentions the bot: `@bot`, or a command `/find@bot`. */
export function isMentioned(state: FakeState, { entities, text }: Message): boolean {
  const name = `@${state.settings.username}`.toLowerCase();
  return entities.some((entity) => {
    if (entity.type === "text_mention") return entity.user.id === state.bot.id;
    const value = entityText(text, entity).toLowerCase();
    return entity.type === "mention" ? value === name : entity.type === "bot_command" && value.endsWith(name);
  });
}

function entityText(text: string, { offset, length }: MessageEntity): string {
  return text.slice(offset, offset + length);
}

import { entityText } from "../text/entities.ts";
import { findMessage } from "./describe.ts";
import type { FakeState } from "./fake-state.ts";
import type { StoredChat, StoredMessage } from "./stored.ts";

/** True if a group message is for the bot, so that the bot sees it in privacy mode. */
export function isMeantForBot(state: FakeState, chat: StoredChat, message: StoredMessage): boolean {
  if (message.service || message.isViaBot) return true;
  const repliedTo = message.replyToId === undefined ? undefined : findMessage(chat, message.replyToId, true);
  if (repliedTo && (repliedTo.authorId === state.bot.id || repliedTo.isForBot)) return true;
  return isMentioned(state, message) || isCommanded(state, chat, message);
}

/** True if the bot gets the update of a group message. */
export function isSentToBot(state: FakeState, chat: StoredChat, message: StoredMessage): boolean {
  const status = chat.members.get(state.bot.id);
  if (chat.kind === "private") return state.users.has(chat.id) && chat.members.has(state.bot.id);
  if (status === undefined || status === "left" || status === "kicked") return false;
  return status === "administrator" || !state.settings.hasPrivacyMode || message.isForBot;
}

/** True if the text mentions the bot: `@bot`, or a command `/find@bot`. */
export function isMentioned(state: FakeState, message: StoredMessage): boolean {
  const { text, entities } = message.content;
  const name = `@${state.settings.username}`.toLowerCase();
  return entities.some((entity) => {
    if (entity.type === "text_mention") return (entity.user as { id?: number }).id === state.bot.id;
    const entityContent = entityText(text, entity).toLowerCase();
    return (
      (entity.type === "mention" && entityContent === name) ||
      (entity.type === "bot_command" && entityContent.endsWith(name))
    );
  });
}

/** A general command at the start of a text is sent to the bot with the latest message. */
function isCommanded(state: FakeState, chat: StoredChat, message: StoredMessage): boolean {
  const { text, entities } = message.content;
  const [first] = entities;
  if (first?.type !== "bot_command" || first.offset !== 0) return false;
  const command = entityText(text, first);
  return command.includes("@") ? isMentioned(state, message) : !chat.isLastBotAnother;
}

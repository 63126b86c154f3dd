import { entityText } from "../text/entities.ts";
import { findMessage } from "./describe.ts";
import type { FakeState } from "./fake-state.ts";
import type { StoredChat, StoredMessage } from "./stored.ts";

/** Whether a message of a group is meant for the bot: what it sees of it in privacy mode. */
export function isMeantForBot(state: FakeState, chat: StoredChat, message: StoredMessage): boolean {
  if (message.service || message.isViaBot) return true;
  const repliedTo = message.replyToId === undefined ? undefined : findMessage(chat, message.replyToId, true);
  if (repliedTo && (repliedTo.authorId === state.bot.id || repliedTo.isForBot)) return true;
  return isMentioned(state, message) || isCommanded(state, chat, message);
}

/** Whether the bot is told of a message of a group at all. */
export function isSentToBot(state: FakeState, chat: StoredChat, message: StoredMessage): boolean {
  const status = chat.members.get(state.bot.id);
  if (chat.kind === "private") return state.users.has(chat.id) && chat.members.has(state.bot.id);
  if (status === undefined || status === "left" || status === "kicked") return false;
  return status === "administrator" || !state.settings.hasPrivacyMode || message.isForBot;
}

/** Whether the text names the bot: `@bot`, or a command `/find@bot`. */
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

/** A general command, at the start, reaches the bot that had the last word. */
function isCommanded(state: FakeState, chat: StoredChat, message: StoredMessage): boolean {
  const { text, entities } = message.content;
  const [first] = entities;
  if (first?.type !== "bot_command" || first.offset !== 0) return false;
  const command = entityText(text, first);
  return command.includes("@") ? isMentioned(state, message) : !chat.isLastBotAnother;
}

import { entityText } from "../text/entities.ts";
import { findMessage } from "./describe.ts";
import type { StoredChat, StoredMessage } from "./stored.ts";
import type { World } from "./world.ts";

/** Whether a message of a group is meant for the bot: what it sees of it in privacy mode. */
export function isMeantForBot(world: World, chat: StoredChat, message: StoredMessage): boolean {
  if (message.service || message.isViaBot) return true;
  const answered = message.replyToId === undefined ? undefined : findMessage(chat, message.replyToId, true);
  if (answered && (answered.authorId === world.bot.id || answered.isForBot)) return true;
  return isMentioned(world, message) || isCommanded(world, chat, message);
}

/** Whether the bot is told of a message of a group at all. */
export function isToldToBot(world: World, chat: StoredChat, message: StoredMessage): boolean {
  const status = chat.members.get(world.bot.id);
  if (chat.kind === "private") return world.users.has(chat.id) && chat.members.has(world.bot.id);
  if (status === undefined || status === "left" || status === "kicked") return false;
  return status === "administrator" || !world.settings.hasPrivacyMode || message.isForBot;
}

/** Whether the text names the bot: `@bot`, or a command `/find@bot`. */
export function isMentioned(world: World, message: StoredMessage): boolean {
  const { text, entities } = message.content;
  const name = `@${world.settings.username}`.toLowerCase();
  return entities.some((entity) => {
    if (entity.type === "text_mention") return (entity.user as { id?: number }).id === world.bot.id;
    const said = entityText(text, entity).toLowerCase();
    return (
      (entity.type === "mention" && said === name) || (entity.type === "bot_command" && said.endsWith(name))
    );
  });
}

/** A general command, at the start, reaches the bot that had the last word. */
function isCommanded(world: World, chat: StoredChat, message: StoredMessage): boolean {
  const { text, entities } = message.content;
  const [first] = entities;
  if (first?.type !== "bot_command" || first.offset !== 0) return false;
  const command = entityText(text, first);
  return command.includes("@") ? isMentioned(world, message) : !chat.isLastBotAnother;
}

import { getFrom, type StoredMessage, type World } from "../state/world.ts";

/**
 * Whether a bot without the message-content intent reads this message all the same:
 * its own, direct messages, and those that mention it.
 */
export function mayReadWithoutIntent(world: World, message: StoredMessage): boolean {
  const channel = getFrom(world.channels, message.channelId, "channel");
  return (
    message.authorId === world.bot.id || channel.kind === "direct" || message.pings.includes(world.bot.id)
  );
}

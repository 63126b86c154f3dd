import { type FakeState, getFrom, type StoredMessage } from "../state/fake-state.ts";

/**
 * Whether a bot without the message-content intent reads this message all the same:
 * its own, direct messages, and those that mention it.
 */
export function mayReadWithoutIntent(state: FakeState, message: StoredMessage): boolean {
  const channel = getFrom(state.channels, message.channelId, "channel");
  return (
    message.authorId === state.bot.id || channel.kind === "direct" || message.pings.includes(state.bot.id)
  );
}

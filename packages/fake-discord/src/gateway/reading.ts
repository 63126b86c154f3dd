import { getFrom } from "@koma/fake-chat";
import type { FakeState, StoredMessage } from "../state/fake-state.ts";

/**
 * True if a bot without the message-content intent can read this message: its own, direct messages, and
 * mentions.
 */
export function mayReadWithoutIntent(state: FakeState, message: StoredMessage): boolean {
  const channel = getFrom(state.channels, message.channelId, "channel");
  return (
    message.authorId === state.bot.id || channel.kind === "direct" || message.pings.includes(state.bot.id)
  );
}

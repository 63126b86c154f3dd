import type { DiscordApi } from "../discord/discord-api.ts";
import type { IncomingMessage } from "./is-relevant.ts";

/** True if the bot has replied to a message. */
export async function hasReply(
  api: DiscordApi,
  { id, channel_id: channelId }: IncomingMessage,
  botId: string,
): Promise<boolean> {
  const later = await api.listMessagesAfter(channelId, id);
  return later.some(
    ({ author, message_reference }) => author.id === botId && message_reference?.message_id === id,
  );
}

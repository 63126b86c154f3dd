import type { APIMessage } from "discord.js";
import type { DiscordApi } from "../discord/discord-api.ts";
import { isForbidden, isGone } from "../discord/error-codes.ts";
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

/** A message; undefined for a deleted or hidden one, and after an error, which is reported. */
export async function findMessage(
  { api, onError }: { api: DiscordApi; onError: (what: string, error: unknown) => void },
  channelId: string,
  messageId: string,
): Promise<APIMessage | undefined> {
  try {
    return await api.getMessage(channelId, messageId);
  } catch (error) {
    if (!isGone(error) && !isForbidden(error)) onError("fetching a message", error);
    return undefined;
  }
}

import type { APIMessage } from "discord.js";
import type { DiscordApi, InteractionKey } from "../discord/discord-api.ts";
import { addressTo, type OutgoingMessage, type SavedFile } from "../replies/message.ts";
import { persist } from "./persist.ts";

/** One way to write a message and to edit it afterwards. */
export type Route = {
  send: (message: OutgoingMessage) => Promise<APIMessage>;
  edit: (sent: APIMessage, message: OutgoingMessage) => Promise<APIMessage>;
  /** `send` edits a message that has components. */
  isEdit?: boolean;
  fileLimitBytes: number;
  saved?: SavedFile | undefined;
};

/** The interaction that a message belongs to, and the file limit of its chat. */
type InteractionRoute = { key: InteractionKey; fileLimitBytes: number };

/** Discord's file limit for bots, used when Discord names no other. */
export const usualFileLimitBytes = 10 * 1024 * 1024;

/** The routes of messages. Those outside of an interaction are retried until the signal aborts. */
export function createRoutes({ api, signal }: { api: DiscordApi; signal: AbortSignal }) {
  const channel: Pick<Route, "edit" | "fileLimitBytes"> = {
    edit: (sent, message) => api.edit(sent, message),
    fileLimitBytes: usualFileLimitBytes,
  };

  return {
    /** The first message of an interaction, or the message with the button. */
    original({ key, fileLimitBytes }: InteractionRoute): Route {
      const edit = (message: OutgoingMessage) => api.editOriginal(key, message);
      return { fileLimitBytes, send: edit, edit: (_, message) => edit(message) };
    },

    followUp: ({ key, fileLimitBytes }: InteractionRoute, isPrivate: boolean): Route => ({
      fileLimitBytes,
      send: (message) => api.followUp(key, message, { isPrivate }),
      edit: ({ id }, message) => api.editFollowUp(key, id, message),
    }),

    /** A message in a channel without a mention. */
    post: (channelId: string, nonce: string): Route => ({
      ...channel,
      send: (message) => persist(() => api.send(channelId, message, { nonce }), { signal }),
    }),

    /** A message in a channel that mentions the person above the reply. */
    mention: (channelId: string, personId: string, nonce: string): Route => ({
      ...channel,
      edit: (sent, message) => api.edit(sent, addressTo(personId, message)),
      send: (message) =>
        persist(() => api.send(channelId, addressTo(personId, message), { nonce, ping: personId }), {
          signal,
        }),
    }),

    /** A message of the bot in a channel. */
    existing: (channelId: string, id: string): Route => ({
      ...channel,
      isEdit: true,
      send: (message) => persist(() => api.edit({ channel_id: channelId, id }, message), { signal }),
    }),

    /** A message below another one. */
    below: (channelId: string, messageId: string): Route => ({
      ...channel,
      send: (message) =>
        persist(() => api.send(channelId, message, { nonce: messageId, replyTo: messageId }), { signal }),
    }),

    direct: (personId: string, nonce: string): Route => ({
      ...channel,
      async send(message) {
        const channelId = await persist(() => api.openDirect(personId), { signal });
        return await persist(() => api.send(channelId, message, { nonce }), { signal });
      },
    }),
  };
}

import { showTyping, withoutNulls } from "@koma/bot-core";
import {
  type APIApplication,
  type APIApplicationCommand,
  type APIChannel,
  type APIInteraction,
  type APIMessage,
  type APIModalInteractionResponseCallbackData,
  InteractionResponseType,
  MessageFlags,
  type REST,
  Routes,
} from "discord.js";
import { type OutgoingMessage, toBody, toFiles } from "../replies/message.ts";

/** The id and token for responses to an interaction; the token is valid for 15 minutes. */
export type InteractionKey = Pick<APIInteraction, "id" | "application_id" | "token">;

/** Discord removes the typing indicator after ten seconds. */
const typingMs = 9_000;

/** The part of Discord's REST API that the bot uses. */
export type DiscordApi = ReturnType<typeof createDiscordApi>;

/** Creates the requests of the bot; discord.js applies Discord's rate limits. */
export function createDiscordApi(rest: REST) {
  const original = ({ application_id, token }: InteractionKey) =>
    Routes.webhookMessage(application_id, token, "@original");
  const callback = ({ id, token }: InteractionKey, body: object) =>
    rest.post(Routes.interactionCallback(id, token), { body, auth: false });

  const edit = async (route: `/${string}`, message: OutgoingMessage, options: { auth?: boolean } = {}) =>
    (await rest.patch(route, { body: toBody(message), files: toFiles(message), ...options })) as APIMessage;
  const get = async (route: `/${string}`, query: Record<string, string> = {}) =>
    withoutNulls(await rest.get(route, { query: new URLSearchParams(query) }));

  return {
    /** Shows "Koma is thinking…", to all or to the requester only. */
    deferReply: (key: InteractionKey, { isPrivate }: { isPrivate: boolean }) =>
      callback(key, {
        type: InteractionResponseType.DeferredChannelMessageWithSource,
        data: isPrivate ? { flags: MessageFlags.Ephemeral } : {},
      }),
    /** Acknowledges a button without a visible change. */
    deferUpdate: (key: InteractionKey) =>
      callback(key, { type: InteractionResponseType.DeferredMessageUpdate }),
    showModal: (key: InteractionKey, data: APIModalInteractionResponseCallbackData) =>
      callback(key, { type: InteractionResponseType.Modal, data }),

    /** Replaces "thinking", or the message with the button. */
    editOriginal: (key: InteractionKey, message: OutgoingMessage) =>
      edit(original(key), message, { auth: false }),
    /** Edits a follow-up of an interaction. */
    editFollowUp: ({ application_id, token }: InteractionKey, messageId: string, message: OutgoingMessage) =>
      edit(Routes.webhookMessage(application_id, token, messageId), message, { auth: false }),
    deleteOriginal: (key: InteractionKey) => rest.delete(original(key), { auth: false }),
    /**
     * Sends a further message. It must not be the first after a deferred reply, because Discord would treat
     * it as that reply.
     */
    followUp: async (
      key: InteractionKey,
      message: OutgoingMessage,
      options: { isPrivate: boolean },
    ): Promise<APIMessage> =>
      (await rest.post(Routes.webhook(key.application_id, key.token), {
        body: toBody(message, { isEphemeral: options.isPrivate }),
        files: toFiles(message),
        auth: false,
        query: new URLSearchParams({ wait: "true" }),
      })) as APIMessage,

    /**
     * Sends a message to a channel. `nonce` makes a repeated request idempotent. Only the user `ping` is
     * notified. Discord rejects a reply to a message that was deleted.
     */
    send: async (
      channelId: string,
      message: OutgoingMessage,
      options: { nonce: string; replyTo?: string | undefined; ping?: string | undefined },
    ): Promise<APIMessage> => {
      const { replyTo } = options;
      const body = toBody(message, { ping: options.ping });
      const reference = {
        message_reference: { message_id: replyTo, fail_if_not_exists: true },
        allowed_mentions: { ...body.allowed_mentions, replied_user: true },
      };
      return (await rest.post(Routes.channelMessages(channelId), {
        body: {
          ...body,
          nonce: options.nonce,
          enforce_nonce: true,
          ...(replyTo === undefined ? {} : reference),
        },
        files: toFiles(message),
      })) as APIMessage;
    },
    /** Edits a message of the bot in a channel. */
    edit: ({ channel_id: channelId, id }: { channel_id: string; id: string }, message: OutgoingMessage) =>
      edit(Routes.channelMessage(channelId, id), message),
    deleteMessage: (channelId: string, messageId: string) =>
      rest.delete(Routes.channelMessage(channelId, messageId)),
    getMessage: async (channelId: string, messageId: string) =>
      (await get(Routes.channelMessage(channelId, messageId))) as APIMessage,
    listMessagesAfter: async (channelId: string, messageId: string) =>
      (await get(Routes.channelMessages(channelId), { after: messageId, limit: "50" })) as APIMessage[],
    /** The latest messages, newest first. */
    listLastMessages: async (channelId: string) =>
      (await get(Routes.channelMessages(channelId), { limit: "50" })) as APIMessage[],
    getChannel: async (channelId: string) => (await get(Routes.channel(channelId))) as APIChannel,
    /** The id of the direct-message channel with a user. */
    openDirect: async (userId: string): Promise<string> => {
      const created = await rest.post(Routes.userChannels(), { body: { recipient_id: userId } });
      return (created as APIChannel).id;
    },
    /** Shows "typing" in a channel after a time until it is stopped. */
    showTypingIn: (channelId: string, afterMs?: number) =>
      showTyping(() => rest.post(Routes.channelTyping(channelId)), { repeatMs: typingMs, afterMs }),

    getApplication: async () => (await get(Routes.currentApplication())) as APIApplication,
    listCommands: async (applicationId: string) =>
      (await rest.get(Routes.applicationCommands(applicationId))) as APIApplicationCommand[],
    registerCommands: (applicationId: string, commands: readonly object[]) =>
      rest.put(Routes.applicationCommands(applicationId), { body: commands }),
  };
}

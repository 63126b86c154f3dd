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

/** What is needed to answer an interaction, for the quarter of an hour that its token lives. */
export type InteractionKey = Pick<APIInteraction, "id" | "application_id" | "token">;

/** Discord's REST API, as far as the bot uses it. */
export type DiscordApi = ReturnType<typeof createDiscordApi>;

/** The few requests that the bot makes, by name; discord.js keeps to Discord's limits. */
export function createDiscordApi(rest: REST) {
  const original = ({ application_id, token }: InteractionKey) =>
    Routes.webhookMessage(application_id, token, "@original");
  const callback = ({ id, token }: InteractionKey, body: object) =>
    rest.post(Routes.interactionCallback(id, token), { body, auth: false });

  return {
    /** "Koma is thinking…", for all or for the asker alone. */
    deferReply: (key: InteractionKey, { isPrivate }: { isPrivate: boolean }) =>
      callback(key, {
        type: InteractionResponseType.DeferredChannelMessageWithSource,
        data: isPrivate ? { flags: MessageFlags.Ephemeral } : {},
      }),
    /** The message with the pressed button will be changed, or something else will come. */
    deferUpdate: (key: InteractionKey) =>
      callback(key, { type: InteractionResponseType.DeferredMessageUpdate }),
    showModal: (key: InteractionKey, data: APIModalInteractionResponseCallbackData) =>
      callback(key, { type: InteractionResponseType.Modal, data }),

    /** Puts a message in place of "thinking", or of the message with the pressed button. */
    editOriginal: async (key: InteractionKey, message: OutgoingMessage): Promise<APIMessage> =>
      (await rest.patch(original(key), {
        body: toBody(message),
        files: toFiles(message),
        auth: false,
      })) as APIMessage,
    /** Changes a follow-up of an interaction. */
    editFollowUp: async (
      { application_id, token }: InteractionKey,
      messageId: string,
      message: OutgoingMessage,
    ): Promise<APIMessage> =>
      (await rest.patch(Routes.webhookMessage(application_id, token, messageId), {
        body: toBody(message),
        files: toFiles(message),
        auth: false,
      })) as APIMessage,
    deleteOriginal: (key: InteractionKey) => rest.delete(original(key), { auth: false }),
    /** One more message. Not the first after a deferred reply: Discord would take that for the reply itself. */
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
     * Writes into a channel. `nonce` makes sure that a request which is sent again writes once. `ping` is the only one
     * who hears of it.
     */
    send: async (
      channelId: string,
      message: OutgoingMessage,
      options: { nonce: string; replyTo?: string | undefined; ping?: string | undefined },
    ): Promise<APIMessage> => {
      const { replyTo } = options;
      const body = toBody(message, { ping: options.ping });
      const reference = {
        message_reference: { message_id: replyTo, fail_if_not_exists: false },
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
    /** Changes a message of the bot in a channel. */
    edit: async (
      { channel_id: channelId, id }: { channel_id: string; id: string },
      message: OutgoingMessage,
    ): Promise<APIMessage> =>
      (await rest.patch(Routes.channelMessage(channelId, id), {
        body: toBody(message),
        files: toFiles(message),
      })) as APIMessage,
    deleteMessage: (channelId: string, messageId: string) =>
      rest.delete(Routes.channelMessage(channelId, messageId)),
    getMessage: async (channelId: string, messageId: string) =>
      (await rest.get(Routes.channelMessage(channelId, messageId))) as APIMessage,
    listMessagesAfter: async (channelId: string, messageId: string) =>
      (await rest.get(Routes.channelMessages(channelId), {
        query: new URLSearchParams({ after: messageId, limit: "50" }),
      })) as APIMessage[],
    getChannel: async (channelId: string) => (await rest.get(Routes.channel(channelId))) as APIChannel,
    /** The number of the direct messages with somebody. */
    openDirect: async (userId: string): Promise<string> => {
      const created = await rest.post(Routes.userChannels(), { body: { recipient_id: userId } });
      return (created as APIChannel).id;
    },
    showTyping: (channelId: string) => rest.post(Routes.channelTyping(channelId)),

    getApplication: async () => (await rest.get(Routes.currentApplication())) as APIApplication,
    listCommands: async (applicationId: string) =>
      (await rest.get(Routes.applicationCommands(applicationId))) as APIApplicationCommand[],
    registerCommands: (applicationId: string, commands: readonly object[]) =>
      rest.put(Routes.applicationCommands(applicationId), { body: commands }),
  };
}

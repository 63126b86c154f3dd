import {
  type APIMessageTopLevelComponent,
  ComponentType,
  MessageFlags,
  type RESTPostAPIChannelMessageJSONBody,
} from "discord.js";

/** A file of a message. */
export type OutgoingFile = { name: string; bytes: Uint8Array; contentType: string; description: string };

/** A file that the edited message already has. */
export type SavedFile = { id: string; name: string; description: string };

/** A message in Components V2, or plain text in `content` instead of components. */
export type OutgoingMessage = {
  content?: string;
  components: APIMessageTopLevelComponent[];
  files: readonly OutgoingFile[];
  saved: readonly SavedFile[];
};

/** The request body of a new or edited message; only `ping` is notified. */
export function toBody(
  message: OutgoingMessage,
  options: { isEphemeral?: boolean; ping?: string | undefined } = {},
) {
  const { content } = message;
  const flags =
    (content === undefined ? MessageFlags.IsComponentsV2 : 0) |
    (options.isEphemeral === true ? MessageFlags.Ephemeral : 0);
  return {
    flags,
    ...(content === undefined ? {} : { content }),
    components: message.components,
    // The list is sent even if empty, because an edit removes unlisted attachments.
    attachments: [
      ...message.saved.map(({ id }) => ({ id })),
      ...message.files.map(({ name, description }, index) => ({
        id: String(index),
        filename: name,
        description: description.slice(0, 1024),
      })),
    ],
    allowed_mentions: { parse: [], ...(options.ping === undefined ? {} : { users: [options.ping] }) },
  } satisfies RESTPostAPIChannelMessageJSONBody;
}

/** The files in discord.js's format. */
export function toFiles(message: OutgoingMessage) {
  return message.files.map(({ name, bytes, contentType }) => ({
    name,
    contentType,
    data: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
  }));
}

/** The message with a mention of the user above it, who is notified. */
export function addressTo(userId: string, message: OutgoingMessage): OutgoingMessage {
  if (message.content !== undefined) return { ...message, content: `<@${userId}>\n${message.content}` };
  const mention = { type: ComponentType.TextDisplay as const, content: `<@${userId}>` };
  return { ...message, components: [mention, ...message.components] };
}

import {
  type APIMessageTopLevelComponent,
  ComponentType,
  MessageFlags,
  type RESTPostAPIChannelMessageJSONBody,
} from "discord.js";

/** A file that goes along with a message. */
export type OutgoingFile = { name: string; bytes: Uint8Array; contentType: string; description: string };

/** A file that the changed message has already. */
export type SavedFile = { id: string; name: string; description: string };

/** A message in Components V2; with `content` instead of components, a message of plain text. */
export type OutgoingMessage = {
  content?: string;
  components: APIMessageTopLevelComponent[];
  files: readonly OutgoingFile[];
  saved: readonly SavedFile[];
};

/** What Discord takes as the body of a new or changed message; nobody is pinged but `ping`. */
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
    // Given also where there are none: an edit takes away what is not listed.
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

/** The files as discord.js uploads them. */
export function toFiles(message: OutgoingMessage) {
  return message.files.map(({ name, bytes, contentType }) => ({
    name,
    contentType,
    data: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
  }));
}

/** The message with somebody named above it, whom it then pings. */
export function addressTo(userId: string, message: OutgoingMessage): OutgoingMessage {
  if (message.content !== undefined) return { ...message, content: `<@${userId}>\n${message.content}` };
  const mention = { type: ComponentType.TextDisplay as const, content: `<@${userId}>` };
  return { ...message, components: [mention, ...message.components] };
}

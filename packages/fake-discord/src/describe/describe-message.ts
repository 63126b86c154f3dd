import { asObject, asText, compact, type Json } from "@koma/fake-chat";
import type { Message, Origin } from "../state/channels.ts";
import { type FakeState, signAddress } from "../state/fake-state.ts";
import type { StoredFile } from "../types.ts";
import { describeComponents } from "./describe-components.ts";
import { describeApplication, describeUser } from "./describe-user.ts";
import { findAttached, listMediaAddresses } from "./list-components.ts";

const redacted = { content: "", attachments: [], embeds: [], components: [] };

/**
 * True if a bot without the message-content intent can read this message: its own, direct messages, and
 * mentions.
 */
export function mayReadWithoutIntent(state: FakeState, { author, channel, pings }: Message): boolean {
  return author === state.bot || channel.kind === "direct" || pings.includes(state.bot.id);
}

/**
 * A message in Discord's format; the addresses of attachments are signed on each call. `mayRead`: true if the
 * reader sees the content of a message (default: of all).
 */
export function describeMessage(
  state: FakeState,
  message: Message,
  mayRead: (message: Message) => boolean = () => true,
  isReferenced = false,
): Json {
  const hidden = mayRead(message) ? {} : redacted;
  return compact({
    ...describeContent(state, message),
    ...hidden,
    id: message.id,
    channel_id: message.channel.id,
    author: describeUser(message.author),
    pinned: false,
    mention_everyone: false,
    tts: false,
    nonce: message.nonce,
    ...describeReference(state, message, mayRead, isReferenced, hidden),
    ...(message.interaction && describeOrigin(state, message, message.interaction)),
  });
}

/** An attachment as Discord's API describes it. */
export function describeAttachment(state: FakeState, file: StoredFile): Json {
  const url = signAddress(state, file);
  return compact({
    id: file.id,
    filename: file.name,
    size: file.bytes.length,
    url,
    proxy_url: url,
    content_type: file.contentType,
    description: file.description,
    ephemeral: file.isEphemeral ? true : undefined,
  });
}

/** The fields of a message that a forwarded message contains too. */
export function describeContent(state: FakeState, message: Message): Json {
  const { content, files, pings } = message;
  const shown = new Set(
    listMediaAddresses(message.components).map((address) => findAttached(address, files)?.id),
  );
  const loose = files.filter(({ id }) => !shown.has(id));
  const pinged = [...new Set(pings)].flatMap(
    (id) => (id === state.bot.id ? state.bot : state.users.get(id)) ?? [],
  );
  return {
    type: message.type,
    content,
    mentions: pinged.map(describeUser),
    mention_roles: [...content.matchAll(/<@&(\d+)>/g)].flatMap(([, id]) => id ?? []),
    attachments: loose.map((file) => describeAttachment(state, file)),
    embeds: message.embeds.map(describeEmbed),
    timestamp: new Date(message.createdAt).toISOString(),
    edited_timestamp: message.editedAt === undefined ? null : new Date(message.editedAt).toISOString(),
    flags: message.flags | (message.isThinking ? 128 : 0),
    components: describeComponents(state, message.components, files),
  };
}

function describeReference(
  state: FakeState,
  { reference, snapshot }: Message,
  mayRead: (message: Message) => boolean,
  isReferenced: boolean,
  hidden: Json,
): Json {
  if (reference === undefined) return {};
  const { channel, id, isDeleted } = reference.message;
  const message_reference = compact({
    type: reference.type,
    channel_id: channel.id,
    message_id: id,
    guild_id: channel.guild?.id,
  });
  if (snapshot !== undefined)
    return { message_reference, message_snapshots: [{ message: { ...snapshot, ...hidden } }] };
  // A referenced message does not contain its own reference.
  if (isReferenced) return { message_reference };
  const referenced_message = isDeleted ? null : describeMessage(state, reference.message, mayRead, true);
  return { message_reference, referenced_message };
}

function describeOrigin(state: FakeState, message: Message, interaction: Origin): Json {
  const { id, command, user } = interaction;
  return compact({
    application_id: state.bot.id,
    webhook_id: state.bot.id,
    application: describeApplication(state),
    interaction_metadata: describeMetadata(interaction, message),
    interaction: command && { id, type: 2, name: command.name, user: describeUser(user) },
  });
}

function describeMetadata(interaction: Origin, message?: Message): Json {
  const { cause, command, id, original, owners, source, type, user } = interaction;
  return compact({
    id,
    type,
    user: describeUser(user),
    authorizing_integration_owners: owners,
    original_response_message_id: message && original !== message ? original?.id : undefined,
    target_message_id: command?.target?.id,
    interacted_message_id: type === 3 ? source?.id : undefined,
    triggering_interaction_metadata: cause && describeMetadata(cause),
  });
}

function describeEmbed(embed: Json): Json {
  const media = Object.fromEntries(
    ["image", "thumbnail", "video"].flatMap((field) => {
      const url = asText(asObject(embed[field])?.url);
      return url === undefined ? [] : [[field, { url, proxy_url: url }]];
    }),
  );
  return { type: "rich", ...embed, ...media };
}

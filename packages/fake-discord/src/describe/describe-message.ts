import { asObject, asText, compact, getFrom, type Json } from "@koma/fake-chat";
import type { FakeState, StoredFile, StoredInteraction, StoredMessage } from "../state/fake-state.ts";
import { signAddress } from "../state/sign.ts";
import { describeComponents, findAttached, listMediaAddresses } from "./describe-components.ts";
import { describeApplication, describeUser } from "./describe-user.ts";

const componentsV2 = 1 << 15;

/** The reader of a message description. */
export type ReaderPermissions = {
  /** Omits the fields that require the message-content intent. */
  isRedacted?: boolean;
  /** A referenced message does not contain its own reference. */
  isReferenced?: boolean;
  /** True if this reader can see the content of the referenced message. */
  mayRead?: (message: StoredMessage) => boolean;
};

/** A message in Discord's format; the addresses of attachments are signed on each call. */
export function describeMessage(
  state: FakeState,
  message: StoredMessage,
  permissions: ReaderPermissions = {},
): Json {
  return compact({
    ...describeContent(state, message, permissions.isRedacted ?? false),
    id: message.id,
    channel_id: message.channelId,
    author: describeUser(getFrom(state.users, message.authorId, "user")),
    pinned: false,
    mention_everyone: false,
    tts: false,
    nonce: message.nonce,
    ...describeReference(state, message, permissions),
    ...describeOrigin(state, message),
  });
}

/** The files that no component and no embed shows. */
function listLooseFiles(message: StoredMessage): readonly StoredFile[] {
  const shown = new Set(
    [...listMediaAddresses(message.components), ...listEmbedAddresses(message.embeds)].map(
      (address) => findAttached(address, message.files)?.id,
    ),
  );
  return message.files.filter((file) => !shown.has(file.id));
}

/** The addresses of all images in embeds. */
export function listEmbedAddresses(embeds: readonly Json[]): readonly string[] {
  return embeds.flatMap((embed) =>
    ["image", "thumbnail", "video"].flatMap((field) => asText(asObject(embed[field])?.url) ?? []),
  );
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
    width: file.size?.width,
    height: file.size?.height,
    content_type: file.contentType,
    description: file.description,
    ephemeral: file.isEphemeral ? true : undefined,
  });
}

function describeContent(state: FakeState, message: StoredMessage, isRedacted: boolean): Json {
  const pinged = [...new Set(message.pings)].flatMap((id) => state.users.get(id) ?? []);
  return {
    type: message.type,
    content: isRedacted ? "" : message.content,
    mentions: pinged.map(describeUser),
    mention_roles: [...message.content.matchAll(/<@&(\d+)>/g)].flatMap(([, id]) => id ?? []),
    attachments: isRedacted ? [] : listLooseFiles(message).map((file) => describeAttachment(state, file)),
    embeds: isRedacted ? [] : message.embeds.map((embed) => describeEmbed(state, embed, message.files)),
    timestamp: new Date(message.createdAt).toISOString(),
    edited_timestamp: message.editedAt === undefined ? null : new Date(message.editedAt).toISOString(),
    flags: message.flags | (message.isThinking ? 128 : 0),
    components: isRedacted ? [] : describeComponents(state, message.components, message.files),
  };
}

function describeReference(state: FakeState, message: StoredMessage, permissions: ReaderPermissions): Json {
  const { reference, snapshot } = message;
  if (reference === undefined) return {};
  const target = state.messages.get(reference.messageId);
  const message_reference = compact({
    type: reference.type,
    channel_id: reference.channelId,
    message_id: reference.messageId,
    guild_id: state.channels.get(reference.channelId)?.guildId,
  });
  if (snapshot !== undefined) {
    const content = describeContent(state, snapshot, permissions.isRedacted ?? false);
    return { message_reference, message_snapshots: [{ message: content }] };
  }
  if (permissions.isReferenced || target === undefined) return { message_reference };
  if (target.isDeleted) return { message_reference, referenced_message: null };
  const isRedacted = permissions.mayRead ? !permissions.mayRead(target) : false;
  return {
    message_reference,
    referenced_message: describeMessage(state, target, { isReferenced: true, isRedacted }),
  };
}

function describeOrigin(state: FakeState, message: StoredMessage): Json {
  const interaction =
    message.interactionId === undefined ? undefined : state.interactions.get(message.interactionId);
  if (interaction === undefined) return {};
  return compact({
    application_id: state.applicationId,
    webhook_id: state.applicationId,
    application: describeApplication(state),
    interaction_metadata: describeMetadata(state, interaction, message),
    interaction:
      interaction.type === 2
        ? {
            id: interaction.id,
            type: 2,
            name: interaction.commandName ?? "",
            user: describeUser(getFrom(state.users, interaction.userId, "user")),
          }
        : undefined,
  });
}

function describeMetadata(state: FakeState, interaction: StoredInteraction, message?: StoredMessage): Json {
  const cause = interaction.causeId === undefined ? undefined : state.interactions.get(interaction.causeId);
  const isFollowUp = message !== undefined && interaction.originalId !== message.id;
  return compact({
    id: interaction.id,
    type: interaction.type,
    user: describeUser(getFrom(state.users, interaction.userId, "user")),
    authorizing_integration_owners: interaction.owners,
    original_response_message_id: isFollowUp ? interaction.originalId : undefined,
    target_message_id: interaction.type === 2 ? interaction.targetId : undefined,
    interacted_message_id: interaction.type === 3 ? interaction.sourceId : undefined,
    triggering_interaction_metadata:
      cause && interaction.type === 5 ? describeMetadata(state, cause) : undefined,
  });
}

function describeEmbed(state: FakeState, embed: Json, files: readonly StoredFile[]): Json {
  const media = Object.fromEntries(
    ["image", "thumbnail", "video"].flatMap((field) => {
      const address = asText(asObject(embed[field])?.url);
      if (address === undefined) return [];
      const file = findAttached(address, files);
      const url = file === undefined ? address : signAddress(state, file);
      return [[field, compact({ url, proxy_url: url, ...file?.size })]];
    }),
  );
  return { type: "rich", ...embed, ...media };
}

/** Whether a message consists of components (flag 1 << 15). */
export function isComponentsV2(flags: number): boolean {
  return (flags & componentsV2) !== 0;
}

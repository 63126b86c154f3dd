import type { Chat, Person } from "@koma/bot-core";
import {
  type APIGuildMember,
  type APIInteraction,
  type APIMessage,
  type APIUser,
  ApplicationIntegrationType,
  ChannelType,
  InteractionContextType,
  InteractionType,
  PermissionFlagsBits,
} from "discord.js";

/** The user and the chat of a request. */
export type Requester = {
  person: Person;
  chat: Chat;
  /** The channel for messages apart from interaction responses; undefined if the bot is not a member. */
  writableChannelId: string | undefined;
};

/** What only a gateway event contains of a message. */
export type GuildFields = { guild_id?: string; member?: Pick<APIGuildMember, "nick" | "roles"> };

/** The gateway's data about a channel. */
export type KnownChannel = {
  /** For a thread, the value of its channel. */
  isAgeRestricted: boolean;
  guildLocale: string | undefined;
  /** The channel that contains the thread. */
  parentChannelId: string | undefined;
};

/** The channel of the thread that an event comes from; undefined elsewhere. */
export function findThreadParent({ channel }: APIInteraction): string | undefined {
  const isThread = channel !== undefined && threadTypes.has(channel.type);
  return isThread && "parent_id" in channel ? (channel.parent_id ?? undefined) : undefined;
}

/**
 * The requester of a command, button or modal; undefined for events without a user. `parent`: see
 * `findThreadParent`.
 */
export function readInteractionRequester(
  interaction: APIInteraction,
  {
    nameServer,
    parent,
  }: { nameServer: (guildId: string) => string | undefined; parent?: KnownChannel | undefined },
): Requester | undefined {
  if (interaction.type === InteractionType.Ping) return undefined;
  const user = interaction.member?.user ?? interaction.user;
  const channelId = interaction.channel?.id ?? interaction.channel_id;
  if (user === undefined || channelId === undefined) return undefined;
  const person = readPerson(user, { nick: interaction.member?.nick, locale: interaction.locale });
  const channel = interaction.channel;
  const guildId = interaction.guild_id;
  if (guildId === undefined) {
    const isDirect = isBotsOwnDirect(interaction);
    return {
      person,
      chat: { kind: isDirect ? "direct" : "group", id: channelId, isAgeRestricted: false },
      writableChannelId: isDirect ? channelId : undefined,
    };
  }
  const isMember = isBotMember(interaction);
  return {
    person,
    chat: {
      kind: "server",
      id: guildId,
      channelId,
      name: nameServer(guildId),
      parentChannelId: findThreadParent(interaction),
      isAgeRestricted:
        parent?.isAgeRestricted === true ||
        (channel !== undefined && "nsfw" in channel && channel.nsfw === true),
      locale: interaction.guild_locale,
      isManagedByRequester: isMember && hasPermission(interaction.member?.permissions, "ManageGuild"),
      isModeratedByRequester: hasPermission(interaction.member?.permissions, "ManageMessages"),
      requesterRoles: interaction.member?.roles,
    },
    writableChannelId: isMember ? channelId : undefined,
  };
}

/** The author of a message. */
export function readMessageRequester(
  message: APIMessage & GuildFields,
  known: { channel: KnownChannel; locale: string | undefined },
): Requester {
  const person = readPerson(message.author, { nick: message.member?.nick, locale: known.locale });
  const channelId = message.channel_id;
  const chat: Chat =
    message.guild_id === undefined
      ? { kind: "direct", id: channelId, isAgeRestricted: false }
      : {
          kind: "server",
          id: message.guild_id,
          channelId,
          parentChannelId: known.channel.parentChannelId,
          isAgeRestricted: known.channel.isAgeRestricted,
          locale: known.channel.guildLocale,
          requesterRoles: message.member?.roles,
        };
  return { person, chat, writableChannelId: channelId };
}

const threadTypes = new Set<ChannelType>([
  ...[ChannelType.AnnouncementThread, ChannelType.PublicThread, ChannelType.PrivateThread],
]);

/** True if a permission bit set, in Discord's decimal notation, contains the permission. */
function hasPermission(written: string | undefined, name: "ManageGuild" | "ManageMessages"): boolean {
  if (written === undefined || !/^\d+$/.test(written)) return false;
  const permissions = BigInt(written);
  return (permissions & (PermissionFlagsBits[name] | PermissionFlagsBits.Administrator)) !== 0n;
}

function readPerson(
  user: Pick<APIUser, "id" | "username" | "global_name">,
  { nick, locale }: { nick: string | null | undefined; locale: string | undefined },
): Person {
  return { id: user.id, displayName: nick ?? user.global_name ?? user.username, locale };
}

/** In chats between users the bot is installed by one of them, and others can read replies. */
function isBotsOwnDirect(interaction: APIInteraction): boolean {
  if (interaction.channel?.type === ChannelType.GroupDM) return false;
  if (interaction.context !== undefined) return interaction.context === InteractionContextType.BotDM;
  const owners = interaction.authorizing_integration_owners;
  return owners === undefined || ApplicationIntegrationType.GuildInstall in owners;
}

/** True if the server itself installed the bot; otherwise a user did, and the bot cannot read the channel. */
function isBotMember(interaction: APIInteraction): boolean {
  const owners = interaction.authorizing_integration_owners;
  return owners === undefined || ApplicationIntegrationType.GuildInstall in owners;
}

import { type PermissionResolvable, PermissionsBitField } from "discord.js";
import type { FakeState, StoredChannel, StoredGuild } from "./fake-state.ts";

const { Flags } = PermissionsBitField;
const everything = PermissionsBitField.All;

/** The default permissions of a bot's role. */
export const usualBotPermissions: PermissionResolvable = [
  "ViewChannel",
  "SendMessages",
  "EmbedLinks",
  "AttachFiles",
  "ReadMessageHistory",
  "UseExternalEmojis",
];

/** The default permissions of @everyone. */
export const usualEveryonePermissions: PermissionResolvable = [
  "ViewChannel",
  "SendMessages",
  "EmbedLinks",
  "AttachFiles",
  "ReadMessageHistory",
  "AddReactions",
  "UseApplicationCommands",
  "UseExternalApps",
];

/** The permissions in a private conversation. */
const privatePermissions = PermissionsBitField.resolve([
  "ViewChannel",
  "SendMessages",
  "EmbedLinks",
  "AttachFiles",
  "ReadMessageHistory",
  "AddReactions",
  "UseApplicationCommands",
  "UseExternalApps",
  "UseExternalEmojis",
  "MentionEveryone",
]);

/**
 * A member's permissions in a channel: all for owners and administrators, else those of the roles without the
 * channel's denials.
 */
export function permissionsIn(state: FakeState, channel: StoredChannel, userId: string): bigint {
  const guild = channel.guildId === undefined ? undefined : state.guilds.get(channel.guildId);
  if (guild === undefined) return privatePermissions;
  const base = permissionsOf(guild, userId);
  if ((base & Flags.Administrator) !== 0n) return everything;
  const member = guild.members.get(userId);
  let denied = channel.overwrites.get(guild.id)?.deny ?? 0n;
  for (const roleId of member?.roleIds ?? []) denied |= channel.overwrites.get(roleId)?.deny ?? 0n;
  denied |= channel.overwrites.get(userId)?.deny ?? 0n;
  const left = base & ~denied;
  return (left & Flags.ViewChannel) === 0n ? 0n : left;
}

/** A member's permissions in the guild. */
function permissionsOf(guild: StoredGuild, userId: string): bigint {
  if (guild.ownerId === userId) return everything;
  const member = guild.members.get(userId);
  if (member === undefined) return 0n;
  let permissions = guild.roles.get(guild.id)?.permissions ?? 0n;
  for (const roleId of member.roleIds) permissions |= guild.roles.get(roleId)?.permissions ?? 0n;
  return (permissions & Flags.Administrator) === 0n ? permissions : everything;
}

/** True if `held` contains all of `expected`. */
export function allows(held: bigint, expected: PermissionResolvable): boolean {
  const bits = PermissionsBitField.resolve(expected);
  return (held & bits) === bits;
}

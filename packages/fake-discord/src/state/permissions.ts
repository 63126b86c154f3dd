import { type PermissionResolvable, PermissionsBitField } from "discord.js";
import type { Channel } from "../types.ts";

const { Flags } = PermissionsBitField;
const everything = PermissionsBitField.All;
const basic = [
  "ViewChannel",
  "SendMessages",
  "EmbedLinks",
  "AttachFiles",
  "ReadMessageHistory",
] as const satisfies PermissionResolvable;
const ofUsers = [
  ...basic,
  "AddReactions",
  "UseApplicationCommands",
  "UseExternalApps",
] as const satisfies PermissionResolvable;

/** The permissions of a bot's role. */
export const botPermissions = PermissionsBitField.resolve([...basic, "UseExternalEmojis"]);
/** The permissions of @everyone. */
export const everyonePermissions = PermissionsBitField.resolve(ofUsers);
const privatePermissions = PermissionsBitField.resolve([...ofUsers, "UseExternalEmojis", "MentionEveryone"]);

/**
 * A member's permissions in a channel: all for owners and administrators, else those of the roles without the
 * channel's denials.
 */
export function permissionsIn({ guild, overwrites }: Channel, userId: string): bigint {
  if (guild === undefined) return privatePermissions;
  if (guild.owner.id === userId) return everything;
  const member = guild.members.get(userId);
  if (member === undefined) return 0n;
  const roleIds = [guild.id, ...member.roleIds];
  const held = roleIds.reduce((all, id) => all | (guild.roles.get(id)?.permissions ?? 0n), 0n);
  if ((held & Flags.Administrator) !== 0n) return everything;
  const denied = [...roleIds, userId].reduce((all, id) => all | (overwrites.get(id) ?? 0n), 0n);
  const left = held & ~denied;
  return (left & Flags.ViewChannel) === 0n ? 0n : left;
}

/** True if a member has all of these permissions in a channel. */
export function allows(channel: Channel, userId: string, expected: PermissionResolvable): boolean {
  const bits = PermissionsBitField.resolve(expected);
  return (permissionsIn(channel, userId) & bits) === bits;
}

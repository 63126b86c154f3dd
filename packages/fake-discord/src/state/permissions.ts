import { type PermissionResolvable, PermissionsBitField } from "discord.js";
import type { FakeState, StoredChannel, StoredGuild } from "./fake-state.ts";

const { Flags } = PermissionsBitField;
const everything = PermissionsBitField.All;

/** What a bot's role usually allows. */
export const usualBotPermissions: PermissionResolvable = [
  "ViewChannel",
  "SendMessages",
  "EmbedLinks",
  "AttachFiles",
  "ReadMessageHistory",
  "UseExternalEmojis",
];

/** What everybody may usually do. */
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

/** What one may do in a private conversation. */
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

/** What a member may do in a channel: owner and administrators all, else roles less what the channel denies. */
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

/** What a member may do in the guild as a whole. */
function permissionsOf(guild: StoredGuild, userId: string): bigint {
  if (guild.ownerId === userId) return everything;
  const member = guild.members.get(userId);
  if (member === undefined) return 0n;
  let permissions = guild.roles.get(guild.id)?.permissions ?? 0n;
  for (const roleId of member.roleIds) permissions |= guild.roles.get(roleId)?.permissions ?? 0n;
  return (permissions & Flags.Administrator) === 0n ? permissions : everything;
}

/** Whether all of `expected` is among `held`. */
export function allows(held: bigint, expected: PermissionResolvable): boolean {
  const bits = PermissionsBitField.resolve(expected);
  return (held & bits) === bits;
}

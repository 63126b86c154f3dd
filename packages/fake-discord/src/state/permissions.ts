import { type PermissionResolvable, PermissionsBitField } from "discord.js";

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
/** The permissions of users in private conversations. */
export const privatePermissions = PermissionsBitField.resolve([
  ...ofUsers,
  "UseExternalEmojis",
  "MentionEveryone",
]);

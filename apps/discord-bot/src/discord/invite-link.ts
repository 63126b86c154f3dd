import { PermissionFlagsBits } from "discord.js";

/** The permissions that the bot needs in a server. */
const permissions =
  PermissionFlagsBits.ViewChannel |
  PermissionFlagsBits.SendMessages |
  PermissionFlagsBits.SendMessagesInThreads |
  PermissionFlagsBits.EmbedLinks |
  PermissionFlagsBits.AttachFiles |
  PermissionFlagsBits.ReadMessageHistory |
  // For the deletion of a message that contains an API key.
  PermissionFlagsBits.ManageMessages;

/** The address that invites the bot to a server or installs it for a user (Discord offers the choice). */
export function inviteLink(applicationId: string): string {
  const address = new URL("https://discord.com/oauth2/authorize");
  address.searchParams.set("client_id", applicationId);
  address.searchParams.set("permissions", permissions.toString());
  address.searchParams.set("scope", "bot applications.commands");
  return address.href;
}

import { PermissionFlagsBits } from "discord.js";

/** What the bot needs on a server, and nothing more. */
const permissions =
  PermissionFlagsBits.ViewChannel |
  PermissionFlagsBits.SendMessages |
  PermissionFlagsBits.SendMessagesInThreads |
  PermissionFlagsBits.EmbedLinks |
  PermissionFlagsBits.AttachFiles |
  PermissionFlagsBits.ReadMessageHistory |
  // To take away a message with somebody's key.
  PermissionFlagsBits.ManageMessages;

/** The address at which the bot is invited to a server, or installed for oneself (Discord asks which). */
export function inviteLink(applicationId: string): string {
  const address = new URL("https://discord.com/oauth2/authorize");
  address.searchParams.set("client_id", applicationId);
  address.searchParams.set("permissions", permissions.toString());
  address.searchParams.set("scope", "bot applications.commands");
  return address.href;
}

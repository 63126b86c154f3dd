import { DiscordAPIError, RESTJSONErrorCodes } from "discord.js";

/** Discord refused because the interaction is over: nothing can be said through it any more. */
export function isExpired(error: unknown): boolean {
  return isOneOf(error, [
    RESTJSONErrorCodes.UnknownInteraction,
    RESTJSONErrorCodes.UnknownWebhook,
    RESTJSONErrorCodes.InvalidWebhookToken,
  ]);
}

/** Someone has answered the interaction already: an attempt of ours whose answer got lost, or another process of ours. */
export function isAcknowledged(error: unknown): boolean {
  return isOneOf(error, [RESTJSONErrorCodes.InteractionHasAlreadyBeenAcknowledged]);
}

/** What should be changed or answered is gone. */
export function isGone(error: unknown): boolean {
  return isOneOf(error, [
    RESTJSONErrorCodes.UnknownMessage,
    RESTJSONErrorCodes.UnknownChannel,
    RESTJSONErrorCodes.UnknownGuild,
    RESTJSONErrorCodes.InvalidActionOnArchivedThread,
  ]);
}

/** The bot may not do that here. */
export function isForbidden(error: unknown): boolean {
  return isOneOf(error, [
    RESTJSONErrorCodes.MissingAccess,
    RESTJSONErrorCodes.MissingPermissions,
    RESTJSONErrorCodes.CannotSendMessagesToThisUser,
  ]);
}

/** Messages may be written here, yet none answered: the bot cannot read what was said before. */
export function isReferenceRefused(error: unknown): boolean {
  return isOneOf(error, [RESTJSONErrorCodes.CannotReplyWithoutPermissionToReadMessageHistory]);
}

/** The files are what Discord does not take: too large, or not allowed here. */
export function isAboutFiles(error: unknown): boolean {
  if (error instanceof DiscordAPIError && error.status === 413) return true;
  return isOneOf(error, [
    RESTJSONErrorCodes.RequestEntityTooLarge,
    RESTJSONErrorCodes.MissingPermissions,
    RESTJSONErrorCodes.ExplicitContentCannotBeSentToTheDesiredRecipient,
  ]);
}

/** What may be written into a log: no address, which can carry a token, and no content. */
export function describeError(error: unknown): { error: string; code?: number | string; status?: number } {
  if (error instanceof DiscordAPIError) {
    return { error: error.name, code: error.code, status: error.status };
  }
  if (!(error instanceof Error)) return { error: "unknown" };
  const code = "code" in error && typeof error.code === "string" ? { code: error.code } : {};
  return { error: `${error.name}: ${withoutSecrets(error.message)}`, ...code };
}

/** A text without what looks like a token of Discord's, of an interaction, or an API key. */
function withoutSecrets(text: string): string {
  return text.replace(/[\w.-]{36,}/g, "…").replace(/(https?:\/\/[^\s?]+)\?\S+/g, "$1?…");
}

function isOneOf(error: unknown, codes: readonly RESTJSONErrorCodes[]): boolean {
  return error instanceof DiscordAPIError && codes.some((code) => code === error.code);
}

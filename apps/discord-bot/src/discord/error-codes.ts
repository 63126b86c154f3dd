import { DiscordAPIError, RESTJSONErrorCodes } from "discord.js";

/** Recognizes the errors with one of these codes. */
function withCode(...codes: readonly RESTJSONErrorCodes[]) {
  return (error: unknown): boolean =>
    error instanceof DiscordAPIError && codes.some((code) => code === error.code);
}

/** The interaction has expired and accepts no responses. */
export const isExpired = withCode(
  RESTJSONErrorCodes.UnknownInteraction,
  RESTJSONErrorCodes.UnknownWebhook,
  RESTJSONErrorCodes.InvalidWebhookToken,
);

/**
 * The interaction has a response already: from an attempt of this process whose response was lost, or from
 * another process.
 */
export const isAcknowledged = withCode(RESTJSONErrorCodes.InteractionHasAlreadyBeenAcknowledged);

/** The message to edit or to reply to no longer exists. */
export const isGone = withCode(
  RESTJSONErrorCodes.UnknownMessage,
  RESTJSONErrorCodes.UnknownChannel,
  RESTJSONErrorCodes.UnknownGuild,
  RESTJSONErrorCodes.InvalidActionOnArchivedThread,
);

/** The bot lacks a permission. */
export const isForbidden = withCode(
  RESTJSONErrorCodes.MissingAccess,
  RESTJSONErrorCodes.MissingPermissions,
  RESTJSONErrorCodes.CannotSendMessagesToThisUser,
);

/** The bot may write here but not reply to a message, because it cannot read the message history. */
export const isReferenceRefused = withCode(
  RESTJSONErrorCodes.CannotReplyWithoutPermissionToReadMessageHistory,
);

/** The message to reply to was deleted: Discord rejects the field with 50035. */
export function isReferenceGone(error: unknown): boolean {
  if (!(error instanceof DiscordAPIError) || !("errors" in error.rawError)) return false;
  return listFields(error.rawError.errors).some((field) =>
    /^message_reference .*UNKNOWN_MESSAGE$/.test(field),
  );
}

/** Discord rejects the files: they are too large, or not allowed here. */
export function isAboutFiles(error: unknown): boolean {
  return (error instanceof DiscordAPIError && error.status === 413) || hasFileCode(error);
}

const hasFileCode = withCode(
  RESTJSONErrorCodes.RequestEntityTooLarge,
  RESTJSONErrorCodes.MissingPermissions,
  RESTJSONErrorCodes.ExplicitContentCannotBeSentToTheDesiredRecipient,
);

/**
 * Discord rejected the body of the request, mostly with 50035: a field has an invalid value, or a filter
 * refuses it.
 */
export function isInvalidBody(error: unknown): boolean {
  const isBadRequest = error instanceof DiscordAPIError && error.status === 400;
  const isAboutTarget = [isGone, isForbidden, isReferenceRefused, isReferenceGone].some((is) => is(error));
  return isBadRequest && !isAboutTarget;
}

/** The fields of an error for the log: no address, because it can contain a token, and no content. */
export function describeError(error: unknown): {
  error: string;
  code?: number | string;
  status?: number;
  fields?: string[];
} {
  if (error instanceof DiscordAPIError) {
    const { name, code, status, rawError } = error;
    const fields = "errors" in rawError ? listFields(rawError.errors) : [];
    return { error: name, code, status, ...(fields.length === 0 ? {} : { fields }) };
  }
  if (!(error instanceof Error)) return { error: "unknown" };
  const code = "code" in error && typeof error.code === "string" ? { code: error.code } : {};
  return { error: `${error.name}: ${withoutSecrets(error.message)}`, ...code };
}

/** The rejected fields with Discord's codes: `components.0.items.0.media BASE_TYPE_REQUIRED`. */
function listFields(errors: unknown, path: readonly string[] = []): string[] {
  if (typeof errors !== "object" || errors === null) return [];
  return Object.entries(errors).flatMap(([name, value]) => {
    if (name !== "_errors") return listFields(value, [...path, name]);
    if (!Array.isArray(value)) return [];
    return value.map(({ code }) => [path.join("."), String(code ?? "")].join(" ").trim());
  });
}

/** Removes tokens of Discord or of interactions, and API keys, from a text. */
function withoutSecrets(text: string): string {
  return text.replace(/[\w.-]{36,}/g, "…").replace(/(https?:\/\/[^\s?]+)\?\S+/g, "$1?…");
}

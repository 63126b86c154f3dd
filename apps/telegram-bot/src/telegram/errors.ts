import { GrammyError, HttpError } from "grammy";

/** Recognizes the errors whose description matches. */
function describedBy(pattern: RegExp) {
  return (error: unknown): boolean => error instanceof GrammyError && pattern.test(error.description ?? "");
}

/** The edit changes nothing. */
export const isNotModified = describedBy(/message is not modified/i);

/** The message has a file: its caption can be edited, it has no text. */
export const isWithoutText = describedBy(/there is no text in the message/i);

/** A callback or inline query has expired. */
export const isTooOld = describedBy(/query is too old|query id is invalid|query_id_invalid/i);

/** The message to edit, delete or reply to no longer exists, or can no longer be edited. */
export const isGone = describedBy(
  /message to (edit|delete|be replied|react|reply) not found|message can't be (edited|deleted)|message_id_invalid|message (identifier is not specified|not found)|there is no (text|caption|media) in the message/i,
);

/**
 * The bot may not write there, or not to this person: blocked, never started, removed, or without permission.
 */
export function isForbidden(error: unknown): boolean {
  if (error instanceof GrammyError && error.error_code === 403) return true;
  return isRefused(error);
}

const isRefused = describedBy(
  /not enough rights|have no rights|need administrator rights|chat_write_forbidden|chat_restricted|chat_send_|topic_closed|topic_deleted|thread not found|chat not found|peer_id_invalid|user_is_blocked|user not found|group chat was (deactivated|upgraded)/i,
);

/** Telegram rejects the file or all files there, or gives no reason; text can still be accepted. */
export function isAboutFile(error: unknown): boolean {
  if (error instanceof GrammyError && (error.error_code === 413 || typeof error.description !== "string"))
    return true;
  return namesFile(error);
}

const namesFile = describedBy(
  /wrong (file|remote file)|file reference|image_process_failed|photo_|video_|media_|chat_send_(photos|videos|gifs|media)_forbidden|rights to send (photos|videos|animations|media|gifs|documents)|file is too big|can't use file|failed to get http/i,
);

/** Telegram rejects the text, the buttons or another field of a message that the bot may send. */
export function isRejected(error: unknown): boolean {
  return error instanceof GrammyError && error.error_code === 400 && !isForbidden(error);
}

/** The file is above the download limit for bots. */
export const isTooBig = describedBy(/file is too big/i);

/** Telegram rejects the token. */
export function isUnknownToken(error: unknown): boolean {
  return error instanceof GrammyError && (error.error_code === 401 || error.error_code === 404);
}

/** Another process polls for updates, or a webhook is set. */
export function isConflict(error: unknown): boolean {
  return error instanceof GrammyError && error.error_code === 409;
}

/** The new id of a group that became a supergroup. */
export function readMigration(error: unknown): number | undefined {
  return error instanceof GrammyError ? error.parameters.migrate_to_chat_id : undefined;
}

/** The fields of an error for the log: no address, because it contains the bot's token, and no content. */
export function describeError(error: unknown): { error: string; code?: number | string } {
  if (error instanceof GrammyError) {
    const { method, description, error_code: code } = error;
    return { error: `${method}: ${withoutSecrets(description ?? "no description")}`, code };
  }
  if (error instanceof HttpError)
    return { ...describeError(error.error), error: withoutSecrets(error.message) };
  if (!(error instanceof Error)) return { error: "unknown" };
  const code = "code" in error && typeof error.code === "string" ? { code: error.code } : {};
  return { error: `${error.name}: ${withoutSecrets(error.message)}`, ...code };
}

/** Removes bot tokens, API keys and the paths of web addresses from a text. */
export function withoutSecrets(text: string): string {
  return text
    .replace(/\d+:[\w-]{8,}/g, "…")
    .replace(/koma_\w+/g, "…")
    .replace(/(https?:\/\/[^\s/"']+)[^\s"']*/g, "$1/…");
}

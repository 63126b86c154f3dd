import { APIError } from "better-auth/api";
import { isCommonPassword, passwordLength } from "./common-passwords.ts";

/** Fields of a request; better-auth checks the type of `email` alone. */
export type UserFacts = { email?: string | undefined; name?: unknown; image?: unknown };

/** White space, and characters that no font draws, such as the filler of Hangul. */
const blankText = /^[\s\p{Cf}\u115f\u1160\u2800\u3164\uffa0]*$/u;

/** The domain of the bots' addresses; it receives no mail. */
export const ownDomain = "@koma.invalid";

/** Throws APIError for a name, an address or an image that a user must not have. */
export function checkFacts({ email = "", name = "", image }: UserFacts): void {
  if (email.length > 254) throw badRequest("INVALID_EMAIL", "Invalid email");
  if (typeof name !== "string" || !/^\P{Cc}{0,100}$/u.test(name)) {
    throw badRequest("INVALID_NAME", "A name has at most 100 characters, none of them a control character");
  }
  if (image != null && !isImageAddress(image)) {
    throw badRequest("INVALID_IMAGE", "An image is an https address of at most 2048 characters");
  }
}

/** Throws APIError for a name, a password or another text of a request that is not accepted. */
export async function checkFields({ path, body, query }: Fields): Promise<void> {
  for (const fields of [body, query]) checkTexts(fields);
  checkChosenName(path, body);
  await checkNewPassword(path, body);
}

type Fields = { path: string; body?: object | null; query?: object | null | undefined };

/** Throws APIError if a request to this path gives a user a name without a visible character. */
function checkChosenName(path: string, body: unknown): void {
  if (path !== "/sign-up/email" && path !== "/update-user") return;
  const name = (body as { name?: unknown } | undefined)?.name;
  if (typeof name === "string" && blankText.test(name)) throw badRequest("INVALID_NAME", "A name is needed");
}

/** Whether a page can show or link to the address without executing code. */
function isImageAddress(image: unknown): boolean {
  if (typeof image !== "string") return false;
  return image.length <= 2048 && /^https:\/\/[^/]/i.test(image) && URL.canParse(image);
}

/** An error of better-auth with the status 400. */
export function badRequest(code: string, message: string): APIError {
  return new APIError("BAD_REQUEST", { code, message });
}

/** Throws APIError for NUL characters, which PostgreSQL does not store. */
function checkTexts(fields: object | undefined | null): void {
  for (const [name, value] of Object.entries(fields ?? {})) {
    if (typeof value !== "string" || !value.includes("\0")) continue;
    throw badRequest("INVALID_TEXT", `The field ${name} contains a NUL character`);
  }
}

/** Whether better-auth accepts the length, because a rejected password does not count as a sign-up. */
export function isPasswordLength(password: unknown): boolean {
  const { minimum, maximum } = passwordLength;
  return typeof password === "string" && password.length >= minimum && password.length <= maximum;
}

/** Throws APIError if a request to this path sets a common password. */
async function checkNewPassword(path: string, body: unknown): Promise<void> {
  const field = newPasswordFields[path];
  if (field === undefined || typeof body !== "object" || body === null) return;
  const password = (body as Record<string, unknown>)[field];
  if (typeof password !== "string" || !(await isCommonPassword(password))) return;
  throw badRequest("PASSWORD_TOO_COMMON", "The password is in a list of common passwords");
}

const newPasswordFields: Record<string, string | undefined> = {
  "/sign-up/email": "password",
  "/change-password": "newPassword",
  "/reset-password": "newPassword",
};

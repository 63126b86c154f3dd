import { hasSessionCookie } from "./session-cookie.ts";

/**
 * The rule of the whole API, which better-auth reads more loosely (other spellings of an origin, `Referer` in its place): what
 * changes something comes from a trusted site, letter by letter, or without a session from no site at all. Gives the refusal in
 * better-auth's words. A foreign site does not even use up what its visitors have left to try.
 */
export function checkOrigin(
  request: Request,
  trusted: readonly string[],
): { code: string; message: string } | undefined {
  if (request.method === "GET" || request.method === "HEAD") return undefined;
  const origin = request.headers.get("origin");
  const hasSession = hasSessionCookie(request.headers.get("cookie") ?? "");
  if (origin === null && !hasSession) return undefined;
  if (origin === null || origin === "null") {
    return { code: "MISSING_OR_NULL_ORIGIN", message: "Missing or null Origin" };
  }
  return trusted.includes(origin) ? undefined : { code: "INVALID_ORIGIN", message: "Invalid origin" };
}

import { hasSessionCookie } from "./session-cookie.ts";

/**
 * Checks the origin of a request before better-auth, whose own check is less strict (other spellings of an
 * origin, `Referer` as a substitute). A request that changes something needs a trusted origin, or neither an
 * origin nor a session. Returns better-auth's error. A rejected request does not count against the limits of
 * its network.
 */
export function checkOrigin(
  request: Request,
  trusted: readonly string[],
): { code: string; message: string } | undefined {
  if (!isChange(request)) return undefined;
  const origin = request.headers.get("origin");
  const hasSession = hasSessionCookie(request.headers.get("cookie") ?? "");
  if (origin === null && !hasSession) return undefined;
  if (origin === null || origin === "null") {
    return { code: "MISSING_OR_NULL_ORIGIN", message: "Missing or null Origin" };
  }
  return trusted.includes(origin) ? undefined : { code: "INVALID_ORIGIN", message: "Invalid origin" };
}

/** Whether a request can change something. */
export function isChange({ method }: Pick<Request, "method">): boolean {
  return method !== "GET" && method !== "HEAD";
}

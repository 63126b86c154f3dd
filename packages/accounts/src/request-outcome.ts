import { isAPIError } from "better-auth/api";
import type { SecurityEventName } from "./security-log.ts";

/** The path that checks a TOTP code, and all paths that check a code of the second factor. */
export const totpPath = "/two-factor/verify-totp";
export const codePaths = [totpPath, "/two-factor/verify-backup-code"];

/** Whether the password or the code was wrong. */
export function isFailure(returned: unknown): boolean {
  return isAPIError(returned) && failures.includes(String(returned.body?.code));
}

const failures = ["INVALID_EMAIL_OR_PASSWORD", "INVALID_CODE", "INVALID_BACKUP_CODE"];

/** What the security log records of a request; undefined: nothing. */
export function describeOutcome(outcome: {
  path: string;
  returned: unknown;
  hasSession: boolean;
}): SecurityEventName | undefined {
  const { path, returned, hasSession } = outcome;
  // The redirect of a link is an APIError too.
  const hasFailed = isAPIError(returned) && returned.statusCode >= 400;
  const code = hasFailed ? String(returned.body?.code) : undefined;
  if (code === "USER_DISABLED") return "account_disabled";
  if (path === "/sign-in/email" && isFailure(returned)) return "sign_in_failed";
  if (codePaths.includes(path) && isFailure(returned)) return "second_factor_failed";
  if (code !== undefined) return undefined;
  if (codePaths.includes(path)) return "second_factor";
  if (path === "/request-password-reset") return "reset_requested";
  if (path === "/reset-password") return "password_reset";
  const isSignIn = signInPaths.some((start) => path.startsWith(start));
  return isSignIn && hasSession && !needsCode(returned) ? "sign_in" : undefined;
}

const signInPaths = ["/sign-in/", "/sign-up/", "/callback", "/verify-email"];

/** Whether better-auth's plugin has replaced the response of a sign-in by the request for a code. */
export function needsCode(returned: unknown): boolean {
  return typeof returned === "object" && returned !== null && "twoFactorRedirect" in returned;
}

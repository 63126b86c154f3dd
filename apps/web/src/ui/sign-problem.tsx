import { AuthProblem } from "../api/auth.ts";
import { t } from "../state/language.ts";
import { ErrorPanel } from "./error-panel.tsx";

const known = [
  "INVALID_EMAIL_OR_PASSWORD",
  "INVALID_EMAIL",
  "PASSWORD_TOO_SHORT",
  "PASSWORD_TOO_LONG",
  "PASSWORD_TOO_COMMON",
  "INVALID_PASSWORD",
  "EMAIL_NOT_VERIFIED",
  "USER_DISABLED",
  "INVALID_TOKEN",
  "SESSION_EXPIRED",
  "INVALID_CODE",
  "INVALID_BACKUP_CODE",
  "INVALID_TWO_FACTOR_COOKIE",
] as const;

/**
 * The error of a sign-up or sign-in: a sentence in the form, or an error panel for a failure of the server.
 */
export function SignProblem({ error }: { error: unknown }) {
  if (error === undefined) return null;
  if (!(error instanceof AuthProblem) || error.status === 429) return <ErrorPanel error={error} />;
  return (
    <p class="sign-problem" role="alert">
      {t(`web.signErrors.${nameOf(error.code)}`)}
    </p>
  );
}

function nameOf(code: string) {
  if (code.startsWith("USER_ALREADY_EXISTS")) return "USER_ALREADY_EXISTS";
  if (code === "SESSION_NOT_FRESH") return "SESSION_EXPIRED";
  // The page sends a code first, which was wrong or has expired.
  if (code === "CODE_REQUIRED") return "INVALID_CODE";
  // After five wrong codes, the password is needed again.
  if (code === "TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE") return "INVALID_TWO_FACTOR_COOKIE";
  return known.find((one) => one === code) ?? "other";
}

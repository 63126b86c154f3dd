import { isAPIError } from "better-auth/api";

/**
 * better-auth's logger, reduced to internal errors and those of the OpenID Connect provider: its other lines contain
 * mail addresses and unchecked input.
 */
export function createAuthLog(log: (message: string, level: "info" | "warn") => void) {
  return {
    // With "error", "warn" or "debug", better-auth writes rejected requests to standard error.
    level: "info" as const,
    disableColors: true,
    log(_level: string, message: string, ...details: unknown[]): void {
      if (providerProblem.test(message))
        log(`KOMA_OIDC_ISSUER: the provider cannot be used. ${message}`, "warn");
      for (const detail of details) {
        if (!(detail instanceof Error) || (isAPIError(detail) && detail.statusCode < 500)) continue;
        log(`accounts: ${detail.stack ?? detail.message}`, "warn");
      }
    },
  };
}

/** A wrong issuer, or a provider that does not respond. */
const providerProblem = /^(Discovery fetch failed for|Provider) "oidc"/;

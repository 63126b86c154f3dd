import { isAPIError } from "better-auth/api";

/**
 * better-auth's logger, reduced to internal errors: its other lines contain mail addresses and unchecked
 * input.
 */
export function createAuthLog(log: (message: string, level: "info" | "warn") => void) {
  return {
    // With "error", "warn" or "debug", better-auth writes rejected requests to standard error.
    level: "info" as const,
    disableColors: true,
    log(_level: string, _message: string, ...details: unknown[]): void {
      for (const detail of details) {
        if (!(detail instanceof Error) || (isAPIError(detail) && detail.statusCode < 500)) continue;
        log(`accounts: ${detail.stack ?? detail.message}`, "warn");
      }
    },
  };
}

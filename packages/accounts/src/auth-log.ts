import { isAPIError } from "better-auth/api";

/**
 * better-auth's log, as far as it is about this service and not about who sends what: its other lines have addresses of
 * people and whatever strangers write.
 */
export function createAuthLog(log: (message: string, level: "info" | "warn") => void) {
  return {
    // With "error", "warn" or "debug" it writes refusals to standard error by itself.
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

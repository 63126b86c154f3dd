import { createHmac } from "node:crypto";
import type { Database } from "@koma/database";
import { deriveKey } from "./secret.ts";

/** What the security log records. */
export type SecurityEventName =
  | "sign_in"
  | "sign_in_failed"
  | "second_factor"
  | "second_factor_failed"
  | "reset_requested"
  | "password_reset"
  | "account_disabled"
  | "admin_denied";

/** An event with keyed hashes in place of the account's address and the client network. */
export type LoggedSecurityEvent = { event: SecurityEventName; account: string | null; network: string };

/** The log of sign-ins and their failures. */
export type SecurityLog = ReturnType<typeof createSecurityLog>;

/**
 * Passes each event to `onEvent`, and stores it. A stranger can cause any number of failures, so a process stores
 * at most 120 in a minute.
 */
export function createSecurityLog(options: {
  database: Pick<Database, "securityEvents">;
  secret: string;
  onEvent: (event: LoggedSecurityEvent) => void;
  log: (message: string, level: "warn") => void;
  now: () => Date;
}) {
  const key = deriveKey(options.secret, "security-log");
  const hash = (who: string) => createHmac("sha256", key).update(who).digest("base64url").slice(0, 16);
  const underway = new Set<Promise<void>>();
  let minute = 0;
  let stored = 0;

  const hashAccount = (email: string) => hash(`account:${email.toLowerCase()}`);

  return {
    /** The keyed hash of an account in the log. */
    hashAccount,

    report(what: { event: SecurityEventName; email: string | undefined; network: string }): void {
      const { event, email } = what;
      const account = email === undefined ? null : hashAccount(email);
      const entry = { event, account, network: hash(`network:${what.network}`) };
      options.onEvent(entry);
      const current = Math.floor(options.now().getTime() / 60_000);
      stored = current === minute ? stored + 1 : 1;
      minute = current;
      if (stored > mostStored) return;
      const write = options.database.securityEvents
        .record(entry)
        .catch(() => options.log(`A security event could not be stored: ${event}`, "warn"))
        .finally(() => underway.delete(write));
      underway.add(write);
    },

    /** Resolves when all reported events are stored. */
    async close(): Promise<void> {
      await Promise.all(underway);
    },
  };
}

const mostStored = 120;

import type { Configuration } from "@koma/config";
import type { Database } from "@koma/database";
import { createApiKeys } from "./api-keys.ts";
import { createAuthSource } from "./auth.ts";
import { createAuthentication } from "./authentication.ts";
import { createCallerHashes } from "./caller-hashes.ts";
import { createMail } from "./mail.ts";
import { createPayments, type StripeServer } from "./payments.ts";
import { createSignLimits } from "./sign-limits.ts";
import { createUsers } from "./users.ts";

/** What accounts are made of. */
export type AccountsOptions = {
  database: Database;
  /** The address under which the API is reached, path prefix included; asked when it is first needed. */
  baseUrl: () => string;
  /** Koma's secret; keys for each purpose are derived from it. */
  secret: string;
  /** Sites beside the base address that may send a user's cookie. */
  trustedOrigins: readonly string[];
  configuration: Configuration;
  /** Told in plain sentences what whoever runs Koma should know; links that no mail carries at "info". */
  log: (message: string, level: "info" | "warn") => void;
  now?: (() => Date) | undefined;
  /** Where Stripe is; by default the real one. */
  stripeServer?: StripeServer | undefined;
};

/** Users, their sessions, keys and payments. */
export type Accounts = ReturnType<typeof openAccounts>;

/** Opens accounts on a connected database, which stays the caller's to close. */
export function openAccounts(options: AccountsOptions) {
  const { database, configuration, secret, log } = options;
  const now = options.now ?? (() => new Date());
  const hashes = createCallerHashes(secret);
  const mail = createMail({ configuration, baseUrl: options.baseUrl, log });
  const limits = createSignLimits({
    database,
    secret,
    now,
    signUpsPerHour: configuration.KOMA_SIGN_UPS_PER_HOUR,
  });
  const auth = createAuthSource({ ...options, hashes, mail, limits });

  return {
    /** better-auth: everything under `/api/auth/`; `clientIp` is what the limits count by, whatever the headers say. */
    handler: (request: Request, clientIp: string) => auth.handle(request, clientIp),
    /** Who sends these headers; undefined when nobody says who they are. Nothing is cached: what was ended is refused. */
    authenticate: createAuthentication({ auth, database, now }),
    keys: createApiKeys({ auth, database }),
    users: createUsers({ auth, database, hashes }),
    payments: createPayments({
      database,
      configuration,
      baseUrl: options.baseUrl,
      server: options.stripeServer,
    }),
    /** How people can sign in here; whether mail goes out may depend on the address, which is known once the API listens. */
    describeSignIn: () => ({
      hasDiscord:
        configuration.DISCORD_CLIENT_ID !== undefined && configuration.DISCORD_CLIENT_SECRET !== undefined,
      sendsMail: mail.isPossible(),
      verifiesAddresses: mail.isConfigured,
    }),
    /** Ends when all mail that was begun is out or has failed. */
    close: () => mail.close(),
  };
}

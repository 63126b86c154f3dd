import type { Configuration } from "@koma/config";
import type { Database, Page } from "@koma/database";
import { createApiKeys } from "./api-keys.ts";
import { createAuthSource } from "./auth-source.ts";
import { createAuthentication } from "./authentication.ts";
import { createCallerHashes } from "./caller-hashes.ts";
import { createChangeLetters } from "./change-letters.ts";
import { createLeakReport } from "./leak-report.ts";
import { createMail } from "./mail.ts";
import { createPayments, type StripeServer } from "./payments.ts";
import { createSecurityLog, type LoggedSecurityEvent } from "./security-log.ts";
import { createSignLimits } from "./sign-limits.ts";
import { createUsers } from "./users.ts";

/** The options of accounts. */
export type AccountsOptions = {
  database: Database;
  /** The base address of the API, including its path prefix; called when it is first needed. */
  baseUrl: () => string;
  /** Koma's secret, from which the key of each purpose is derived. */
  secret: string;
  /** Sites beside the base address that may send a user's cookie. */
  trustedOrigins: readonly string[];
  configuration: Configuration;
  /** Receives sentences for the operator; links that are not sent by mail have the level "info". */
  log: (message: string, level: "info" | "warn") => void;
  /** Receives sign-ins and their failures. */
  onSecurityEvent?: ((event: LoggedSecurityEvent) => void) | undefined;
  now?: (() => Date) | undefined;
  /** The address of Stripe; by default the real one. */
  stripeServer?: StripeServer | undefined;
};

/** Users, their sessions, keys and payments. */
export type Accounts = ReturnType<typeof openAccounts>;

/** Opens accounts on a connected database, which the caller closes. */
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
  const reportChange = createChangeLetters({ database, limits, mail, baseUrl: options.baseUrl });
  const { onSecurityEvent: onEvent = () => undefined } = options;
  const securityLog = createSecurityLog({ database, secret, onEvent, log, now });
  const auth = createAuthSource({ ...options, hashes, mail, limits, reportChange, securityLog, now });

  return {
    /** Imports better-auth, for which the first request that needs it would wait. */
    load: auth.load,
    /** better-auth's handler below `/api/auth/`; the limits count by `clientIp` and ignore the headers. */
    handler: (request: Request, clientIp: string) => auth.handle(request, clientIp),
    /**
     * The user of these headers; undefined without credentials. Nothing is cached, so revocations apply at
     * once.
     */
    authenticate: createAuthentication({ auth, database, now }),
    keys: createApiKeys({
      database,
      reportLeak: createLeakReport({ database, limits, mail, baseUrl: options.baseUrl, log }),
      now,
    }),
    users: createUsers({ auth, database, hashes }),
    payments: createPayments({
      database,
      configuration,
      baseUrl: options.baseUrl,
      server: options.stripeServer,
    }),
    /**
     * The available ways to sign in; called after the API listens, because mail can depend on the base
     * address.
     */
    describeSignIn: () => ({
      hasDiscord:
        configuration.DISCORD_CLIENT_ID !== undefined && configuration.DISCORD_CLIENT_SECRET !== undefined,
      oidcName: nameOidc(configuration) ?? null,
      allowsSignUpByMail: !configuration.KOMA_OIDC_SIGN_UPS_ONLY,
      sendsMail: mail.isPossible(),
      verifiesAddresses: mail.isConfigured,
    }),
    /** Notifies the owner of an account of a change, if the address is confirmed and there is a mail server. */
    reportChange,
    /** Records an event of the sign-in that better-auth does not see. */
    reportSecurityEvent: securityLog.report,
    /** A page of the security log, of the account with an address or of all. */
    listSecurityEvents: ({ email, ...page }: Page & { email?: string | undefined }) =>
      database.securityEvents.list({ ...page, account: email && securityLog.hashAccount(email) }),
    /** Resolves when all started mails were sent or have failed, and all events are stored. */
    async close(): Promise<void> {
      await mail.close();
      await securityLog.close();
    },
  };
}

/** The name of the OpenID Connect provider on buttons; undefined if none is configured. */
function nameOidc(configuration: Configuration): string | undefined {
  const { KOMA_OIDC_ISSUER: issuer, KOMA_OIDC_NAME: name } = configuration;
  return issuer === undefined ? undefined : (name ?? new URL(issuer).host);
}

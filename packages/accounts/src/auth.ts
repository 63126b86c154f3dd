import type { Configuration } from "@koma/config";
import type { AuthAdapter, Database } from "@koma/database";
import { betterAuth } from "better-auth/minimal";
import { twoFactor } from "better-auth/plugins/two-factor";
import { createEndpoint } from "better-call";
import { createAuthHooks } from "./auth-hooks.ts";
import { createAuthLog } from "./auth-log.ts";
import type { CallerHashes } from "./caller-hashes.ts";
import type { ChangeLetters } from "./change-letters.ts";
import { passwordLength } from "./common-passwords.ts";
import { createConfirmation } from "./confirmation.ts";
import { createDeviceCookie } from "./device-cookie.ts";
import type { Mail } from "./mail.ts";
import { createOidcPlugins } from "./oidc.ts";
import { deriveKey } from "./secret.ts";
import type { SecurityLog } from "./security-log.ts";
import type { SignLimits } from "./sign-limits.ts";

/** better-auth as Koma configures it. */
export type Auth = ReturnType<typeof createAuth>;

/** What better-auth works with. */
export type AuthParts = {
  database: Database;
  authAdapter: AuthAdapter;
  baseUrl: string;
  /** The path of its endpoints below the base address. */
  basePath: string;
  /** The header that has the address of the client. */
  ipHeader: string;
  secret: string;
  trustedOrigins: string[];
  configuration: Configuration;
  log: (message: string, level: "info" | "warn") => void;
  hashes: CallerHashes;
  mail: Mail;
  limits: SignLimits;
  reportChange: ChangeLetters;
  securityLog: SecurityLog;
  now: () => Date;
};

export function createAuth(options: AuthParts) {
  const { database, configuration, hashes, mail, limits, baseUrl, basePath, ipHeader } = options;
  const { DISCORD_CLIENT_ID: clientId, DISCORD_CLIENT_SECRET: clientSecret } = configuration;
  const isSignUpByMail = !configuration.KOMA_OIDC_SIGN_UPS_ONLY;
  const hooks = createAuthHooks({
    database,
    configuration,
    limits,
    devices: createDeviceCookie(deriveKey(options.secret, "attempt")),
    mail,
    reportChange: options.reportChange,
    securityLog: options.securityLog,
    baseUrl,
    now: options.now,
  });
  const confirmation = createConfirmation({ key: deriveKey(options.secret, "attempt") });

  /** Sends a mail that a sign-up causes, unless the address has received too many of them. */
  const sendLimited = async (email: string, send: () => Promise<void>) => {
    if (!(await limits.signUpMail(email)).isRefused) await send();
  };
  return betterAuth({
    appName: "Koma",
    baseURL: `${baseUrl}${basePath}`,
    basePath,
    secret: deriveKey(options.secret, "auth").toString("base64url"),
    database: options.authAdapter,
    trustedOrigins: options.trustedOrigins,
    logger: createAuthLog(options.log),
    telemetry: { enabled: false },
    emailAndPassword: {
      enabled: true,
      disableSignUp: !isSignUpByMail,
      minPasswordLength: passwordLength.minimum,
      maxPasswordLength: passwordLength.maximum,
      requireEmailVerification: mail.isConfigured,
      revokeSessionsOnPasswordReset: true,
      ...(mail.isPossible() && {
        sendResetPassword: ({ user, url }) => mail.resetPassword(user.email, url),
      }),
      onPasswordReset: async ({ user }, request) => {
        hooks.noteReset(user.email, request);
        options.reportChange(user.id, "password");
      },
      onExistingUserSignUp: ({ user }) =>
        sendLimited(user.email, () => mail.notifyOfSignUp(user.email, baseUrl)),
    },
    emailVerification: {
      sendOnSignUp: mail.isPossible(),
      // `confirmation.ts` signs in, under its own conditions.
      autoSignInAfterVerification: false,
      afterEmailVerification: confirmation.noteConfirmed,
      ...(mail.isPossible() && {
        sendVerificationEmail: async ({ user, url }, request) => {
          const send = () => mail.verifyAddress(user.email, url);
          // The hook before the request has counted a mail that the caller requests.
          if (request !== undefined && /\/send-verification-email\/?$/.test(new URL(request.url).pathname)) {
            await send();
          } else {
            await sendLimited(user.email, send);
          }
        },
      }),
    },
    user: {
      // Users cannot set these fields.
      additionalFields: {
        isBot: { type: "boolean", required: false, input: false, returned: false },
        // With a default, the response for a known address, which has no such user, is the same.
        isAdmin: { type: "boolean", required: false, input: false, defaultValue: false },
      },
      deleteUser: {
        enabled: true,
        // The data is deleted first, so that the deletion can be repeated when it fails.
        beforeDelete: async ({ id }) => {
          await database.users.forget({ userId: id, callerHash: hashes.user(id) });
        },
      },
    },
    // The list of sessions is available at any age of the session; `auth-hooks.ts` protects the deletion of
    // the account.
    session: { freshAge: 0 },
    verification: { storeIdentifier: "hashed" },
    account: { encryptOAuthTokens: true },
    ...(clientId !== undefined &&
      clientSecret !== undefined && {
        socialProviders: { discord: { clientId, clientSecret, disableSignUp: !isSignUpByMail } },
      }),
    rateLimit: { enabled: true, customStorage: limits.storage, customRules },
    hooks: { before: hooks.before },
    databaseHooks: hooks.databaseHooks,
    disabledPaths: [
      // Codes by mail are no second factor, because mail resets the password; the secret is shown once.
      ...["send-otp", "verify-otp", "get-totp-uri"].map((name) => `/two-factor/${name}`),
    ],
    plugins: [
      confirmation.plugin,
      ...createOidcPlugins(configuration),
      requireForEverySignIn(twoFactor({ accountLockout: { enabled: false } })),
      // The last plugin, because its hook needs the session that remains after the hooks of the others.
      { id: "koma", hooks: { after: [{ matcher: () => true, handler: hooks.after }] } },
    ],
    advanced: {
      useSecureCookies: baseUrl.startsWith("https:"),
      // Other programs on the host do not receive them.
      defaultCookieAttributes: { path: new URL(baseUrl).pathname.replace(/(?<=.)\/$/, "") },
      ipAddress: { ipAddressHeaders: [ipHeader] },
      backgroundTasks: { handler: (work) => mail.begin(work) },
      // Set explicitly, because better-auth disables the checks in tests.
      disableOriginCheck: false,
      disableCSRFCheck: false,
    },
  });
}

/**
 * The plugin requires the code after a sign-in with a password only; this extends its hook to Discord and to
 * links of mails.
 */
function requireForEverySignIn(plugin: ReturnType<typeof twoFactor>): ReturnType<typeof twoFactor> {
  const after = plugin.hooks.after.map((hook) => ({
    ...hook,
    matcher: ({ path }: { path?: string }) => signInPaths.some((start) => path?.startsWith(start)),
  }));
  return { ...plugin, hooks: { after } };
}

const signInPaths = ["/sign-in/", "/callback/", "/verify-email"];

/** The token in a session cookie that better-auth has signed; undefined without a valid one. */
export async function readSessionToken({ $context }: Auth, cookie: string): Promise<string | undefined> {
  const { authCookies, secret } = await $context;
  const read = createEndpoint(
    { method: "GET" },
    async ({ getSignedCookie }) => await getSignedCookie(authCookies.sessionToken.name, secret),
  );
  return (await read({ headers: new Headers({ cookie }) })) || undefined;
}

/** Limits by network. The general limit covers reading requests; hooks also count sign-ups and sign-ins. */
const customRules = {
  "/sign-up/*": { window: 60, max: 60 },
  "/sign-in/*": { window: 60, max: 60 },
  "/request-password-reset": { window: 3600, max: 30 },
  "/send-verification-email": { window: 3600, max: 30 },
  "/reset-password*": { window: 60, max: 30 },
  "/change-password": { window: 60, max: 10 },
  "/verify-password": { window: 60, max: 10 },
  "/delete-user*": { window: 60, max: 10 },
  "/two-factor/verify-*": { window: 60, max: 60 },
  "/two-factor/*": { window: 60, max: 10 },
  "*": false,
} as const;

import { apiKey } from "@better-auth/api-key";
import type { Configuration } from "@koma/config";
import type { Database } from "@koma/database";
import { betterAuth } from "better-auth/minimal";
import { twoFactor } from "better-auth/plugins/two-factor";
import { createAuthHooks } from "./auth-hooks.ts";
import { createAuthLog } from "./auth-log.ts";
import type { CallerHashes } from "./caller-hashes.ts";
import type { ChangeLetters } from "./change-letters.ts";
import { checkOrigin, isChange } from "./check-origin.ts";
import { passwordLength } from "./common-passwords.ts";
import { createConfirmation } from "./confirmation.ts";
import { createDeviceCookie } from "./device-cookie.ts";
import type { Mail } from "./mail.ts";
import { createOidcPlugins } from "./oidc.ts";
import { deriveKey } from "./secret.ts";
import type { SecurityLog } from "./security-log.ts";
import type { SignLimits } from "./sign-limits.ts";

/** Creates better-auth once the address of the API is known; with port 0 that is after the API listens. */
export type AuthSource = ReturnType<typeof createAuthSource>;

type AuthParts = {
  database: Database;
  baseUrl: () => string;
  secret: string;
  trustedOrigins: readonly string[];
  configuration: Configuration;
  log: (message: string, level: "info" | "warn") => void;
  hashes: CallerHashes;
  mail: Mail;
  limits: SignLimits;
  reportChange: ChangeLetters;
  securityLog: SecurityLog;
  now: () => Date;
};

export function createAuthSource(parts: AuthParts) {
  let created: { baseUrl: string; auth: ReturnType<typeof createAuth> } | undefined;

  function get() {
    const baseUrl = parts.baseUrl();
    if (created?.baseUrl !== baseUrl) created = { baseUrl, auth: createAuth(parts, baseUrl) };
    return created.auth;
  }

  return {
    get,

    /**
     * Handles a request below `/api/auth/`; only its path and query are used, the rest is the base address.
     */
    async handle(request: Request, clientIp: string): Promise<Response> {
      const { pathname, search } = new URL(request.url);
      if (!pathname.startsWith(`${basePath}/`)) return new Response(null, { status: 404 });
      const baseUrl = parts.baseUrl();
      const refusal = checkOrigin(request, listTrustedOrigins(parts, baseUrl));
      if (refusal !== undefined) return Response.json(refusal, { status: 403 });
      const headers = new Headers(request.headers);
      headers.set(ipHeader, clientIp);
      // Node's fetch sends the mode alone, which better-auth treats as a browser that hides its origin.
      if (!headers.has("sec-fetch-site")) headers.delete("sec-fetch-mode");
      // `checkOrigin` has accepted a request without origin and session; better-auth rejects one with any other cookie.
      if (!headers.has("origin") && headers.has("cookie") && isChange(request)) {
        headers.set("origin", new URL(baseUrl).origin);
      }
      const body = request.body === null ? undefined : await request.arrayBuffer();
      const send = () =>
        get().handler(
          new Request(`${baseUrl}${pathname}${search}`, {
            method: request.method,
            headers,
            ...(body !== undefined && { body }),
          }),
        );
      const response = await send();
      return pathname === `${basePath}/sign-up/email` && (await hasLostRace(response)) ? send() : response;
    },
  };
}

/**
 * Whether a simultaneous sign-up has created the user. The repeated request gets the response for a known
 * address; this one would tell that the address was unknown.
 */
async function hasLostRace(response: Response): Promise<boolean> {
  if (response.status !== 422) return false;
  const problem = (await response.clone().json()) as { code?: string };
  return problem.code === "FAILED_TO_CREATE_USER";
}

const basePath = "/api/auth";
const ipHeader = "x-koma-client-ip";

function createAuth(parts: AuthParts, baseUrl: string) {
  const { database, configuration, hashes, mail, limits } = parts;
  const { DISCORD_CLIENT_ID: clientId, DISCORD_CLIENT_SECRET: clientSecret } = configuration;
  const trustedOrigins = listTrustedOrigins(parts, baseUrl);
  const isSignUpByMail = !configuration.KOMA_OIDC_SIGN_UPS_ONLY;
  const hooks = createAuthHooks({
    database,
    configuration,
    limits,
    devices: createDeviceCookie(deriveKey(parts.secret, "attempt")),
    mail,
    reportChange: parts.reportChange,
    securityLog: parts.securityLog,
    baseUrl,
    now: parts.now,
  });
  const confirmation = createConfirmation({ key: deriveKey(parts.secret, "attempt") });

  /** Sends a mail that a sign-up causes, unless the address has received too many of them. */
  const sendLimited = async (email: string, send: () => Promise<void>) => {
    if (!(await limits.signUpMail(email)).isRefused) await send();
  };
  return betterAuth({
    appName: "Koma",
    baseURL: `${baseUrl}${basePath}`,
    basePath,
    secret: deriveKey(parts.secret, "auth").toString("base64url"),
    database: database.authAdapter,
    trustedOrigins,
    logger: createAuthLog(parts.log),
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
        parts.reportChange(user.id, "password");
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
      // Koma has its own endpoints for keys.
      ...["create", "delete", "get", "list", "update", "verify"].map((name) => `/api-key/${name}`),
      // Codes by mail are no second factor, because mail resets the password; the secret is shown once.
      ...["send-otp", "verify-otp", "get-totp-uri"].map((name) => `/two-factor/${name}`),
    ],
    plugins: [
      // Used for its table and its hashes. `api-keys.ts` creates the keys, because the plugin has no limit
      // per user and no transaction with a link. Without this option, the plugin limits a key to ten requests
      // a day.
      apiKey({ rateLimit: { enabled: false } }),
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

function listTrustedOrigins(parts: Pick<AuthParts, "trustedOrigins">, baseUrl: string): string[] {
  return [new URL(baseUrl).origin, ...parts.trustedOrigins];
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

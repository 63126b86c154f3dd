import type { Configuration } from "@koma/config";
import type { Database } from "@koma/database";
import type { GenericEndpointContext, Session } from "better-auth";
import { APIError, createAuthMiddleware, getIP, getSessionFromCtx, isAPIError } from "better-auth/api";
import { createAccountHooks } from "./account-hooks.ts";
import type { AccountChange, ChangeLetters } from "./change-letters.ts";
import { createCodeProof } from "./code-proof.ts";
import { describeDevice } from "./describe-device.ts";
import type { DeviceCookie } from "./device-cookie.ts";
import type { Mail } from "./mail.ts";
import {
  badRequest,
  checkFacts,
  checkFields,
  isPasswordLength,
  ownDomain,
  type UserFacts,
} from "./request-fields.ts";
import { codePaths, describeOutcome, isFailure, needsCode, totpPath } from "./request-outcome.ts";
import { createReturnPages } from "./return-pages.ts";
import type { SecurityLog } from "./security-log.ts";
import type { RateLimitState, SignInAttempt, SignLimits } from "./sign-limits.ts";

/**
 * better-auth's hooks: rate limits by the content of a request, checks of new passwords, second factors,
 * deletions and disabled users.
 */
export function createAuthHooks(options: {
  database: Database;
  configuration: Configuration;
  limits: SignLimits;
  devices: DeviceCookie;
  mail: Mail;
  reportChange: ChangeLetters;
  securityLog: SecurityLog;
  baseUrl: string;
  now: () => Date;
}) {
  const { database, limits, devices, mail, reportChange, now } = options;
  const codeProof = createCodeProof(options);
  const replaceOutside = createReturnPages(options.baseUrl);
  /** The attempts between the hooks before and after a request. */
  const attempts = new WeakMap<Request, SignInAttempt & { hasSession?: boolean; email?: string }>();

  /** The addresses of users whose password a request has just reset. */
  const resets = new WeakMap<Request, string>();

  const checkRequest = createAuthMiddleware(async (context) => {
    if (context.request === undefined) return;
    await checkFields(context);
    await countTries(context, context.request);
    await codeProof.require(context);
    if (context.path.startsWith("/delete-user")) await requireProof(context);
    const body = { ...replaceOutside(context.body, context.path), ...enforced[context.path] };
    const query = replaceOutside(context.query);
    if (Object.keys(body).length + Object.keys(query).length === 0) return;
    return {
      context: {
        ...(Object.keys(body).length > 0 && { body: { ...context.body, ...body } }),
        ...(Object.keys(query).length > 0 && { query: { ...context.query, ...query } }),
      },
    };
  });

  async function countTries(context: HookContext, request: Request): Promise<void> {
    const { path } = context;
    const network = getIP(request, context.context.options) ?? "nowhere";
    const { email, password } = readBody(context.body);
    if (codePaths.includes(path)) await countCode(context, { request, network });
    if (email === undefined) return;
    if (path === "/sign-up/email" && isPasswordLength(password)) refuse(await limits.signUp(network));
    if (path === "/sign-in/email") {
      const attempt = await limits.signIn(email, { network, device: await devices.read(context, email) });
      if (attempt.isUnderAttack && mail.isConfigured) mail.begin(notify(email, mail.notifyOfFailures));
      if (attempt.isRefused) options.securityLog.report({ event: "sign_in_failed", email, network });
      refuse(attempt);
      attempts.set(request, attempt);
    }
    if (mailPaths.includes(path)) {
      refuse(await limits.mail(path, email, { network, device: await devices.read(context, email) }));
    }
  }

  /** Counts an attempt with a code of the second factor, and refuses a TOTP code that was sent before. */
  async function countCode(
    context: HookContext,
    { request, network }: { request: Request; network: string },
  ): Promise<void> {
    const session = await getSessionFromCtx(context, { disableCookieCache: true, disableRefresh: true });
    const user = session?.user ?? (await findChallenged(context));
    if (user == null) return;
    const device = await devices.read(context, user.email);
    const attempt = await limits.secondFactor(user.email, { network, device });
    if (attempt.isRefused && mail.isConfigured) mail.begin(notify(user.email, mail.notifyOfWrongCodes));
    const reportFailure = () =>
      options.securityLog.report({ event: "second_factor_failed", email: user.email, network });
    if (attempt.isRefused) reportFailure();
    refuse(attempt);
    attempts.set(request, { ...attempt, hasSession: session !== null, email: user.email });
    const code: unknown = context.body?.code;
    if (context.path !== totpPath || typeof code !== "string") return;
    // Before the check of the code, so that only one of simultaneous requests with it is accepted.
    if ((await limits.totpCode(user.id, code)).isRefused) {
      reportFailure();
      throw new APIError("UNAUTHORIZED", { code: "INVALID_CODE", message: "Invalid code" });
    }
  }

  /** The user who has sent the password and not yet the code. */
  async function findChallenged(context: HookContext) {
    const { name } = context.context.createAuthCookie("two_factor");
    const challenge = await context.getSignedCookie(name, context.context.secret);
    if (!challenge) return null;
    const found = await context.context.internalAdapter.findVerificationValue(challenge);
    return found && (await context.context.internalAdapter.findUserById(found.value));
  }

  /**
   * Requires the password for the deletion of an account, whatever the age of the session. An account without
   * a password needs a session that has just begun.
   */
  async function requireProof(context: HookContext): Promise<void> {
    const found = await getSessionFromCtx(context, { disableCookieCache: true, disableRefresh: true });
    if (found === null) return;
    const credential = await context.context.internalAdapter.findCredentialAccount(found.user.id);
    if (credential?.password) {
      // better-auth checks the password itself.
      if (!context.body?.password) throw badRequest("INVALID_PASSWORD", "The password is needed");
    } else if (now().getTime() - found.session.createdAt.getTime() >= freshMs) {
      throw badRequest("SESSION_EXPIRED", "Sign in again to delete the account");
    }
  }

  const finishRequest = createAuthMiddleware(async (context) => {
    const { request } = context;
    if (request === undefined) return;
    const attempt = attempts.get(request);
    const { returned, newSession, responseHeaders } = context.context;
    if (attempt !== undefined && !isFailure(returned)) await limits.release(attempt);
    const event = describeOutcome({ path: context.path, returned, hasSession: newSession !== null });
    if (event !== undefined) {
      const known = newSession?.user.email ?? attempt?.email ?? resets.get(request);
      const email = readBody(context.body).email ?? known;
      const network = getIP(request, context.context.options) ?? "nowhere";
      options.securityLog.report({ event, email, network });
    }
    if (needsCode(returned) && request.method === "GET") {
      throw context.redirect(locateCodeForm(responseHeaders?.get("location") ?? ""));
    }
    if (!isAPIError(returned)) await noteSuccess(context, request);
    if (newSession === null) return;
    const { id, email } = newSession.user;
    if (context.path === "/change-password" && context.body?.revokeApiKeys === true) {
      await database.apiKeys.removeAll(id);
    }
    await devices.set(context, email);
    await limits.rememberNetwork(email, getIP(request, context.context.options) ?? "nowhere");
  });

  /** Remembers right codes, and notifies the owner of a change. */
  async function noteSuccess(context: HookContext, request: Request): Promise<void> {
    const { path } = context;
    const isCode = codePaths.includes(path);
    if (!isCode && changesByPath[path] === undefined) return;
    const { newSession } = context.context;
    const found =
      newSession ?? (await getSessionFromCtx(context, { disableCookieCache: true, disableRefresh: true }));
    if (found === null) return;
    if (isCode) await codeProof.remember(found.session.id);
    const change = changesByPath[path];
    if (change !== undefined) reportChange(found.user.id, change);
    // The first code of a signed-in user activates the second factor.
    if (path === totpPath && newSession !== null && attempts.get(request)?.hasSession) {
      await endOtherSessions(context, newSession.session);
      reportChange(found.user.id, "secondFactorOn");
    }
  }

  /**
   * The page with the form for the code, for a browser that returns from Discord or from a mail to `target`.
   */
  function locateCodeForm(target: string): string {
    const { baseUrl } = options;
    const next = target.startsWith(`${baseUrl}/`) ? target.slice(baseUrl.length) : "/";
    return `${baseUrl}/sign-in?${new URLSearchParams({ step: "code", next })}`;
  }

  /** A session without the second factor does not outlive its activation. */
  async function endOtherSessions(context: HookContext, current: Session): Promise<void> {
    const where = [
      { field: "userId", value: current.userId },
      { field: "token", value: current.token, operator: "ne" as const },
    ];
    await context.context.adapter.deleteMany({ model: "session", where });
  }

  async function notify(email: string, send: (to: string, link: string) => Promise<void>): Promise<void> {
    const user = await database.users.findByEmail(email);
    if (user === undefined || !user.isEmailVerified || user.isDisabled) return;
    if ((await limits.failureMail(email)).isRefused) return;
    await send(user.email, `${options.baseUrl}/account`);
  }

  return {
    before: checkRequest,
    after: finishRequest,
    noteReset(email: string, request: Request | undefined): void {
      if (request !== undefined) resets.set(request, email);
    },
    databaseHooks: {
      user: {
        create: {
          async before(user: UserFacts, context: EndpointContext) {
            checkFacts(user);
            const request = context?.request;
            if (!context || request === undefined) return;
            if (user.email?.endsWith(ownDomain)) throw badRequest("INVALID_EMAIL", "Invalid email");
            // A sign-up with another service; the hook before the request counts sign-ups by mail address.
            if (!context.path?.startsWith("/callback")) return;
            refuse(await limits.signUp(getIP(request, context.context.options) ?? "nowhere"));
          },
        },
        update: { before: async (user: UserFacts) => checkFacts(user) },
      },
      account: createAccountHooks(options),
      session: {
        create: {
          async before(
            session: { userId: string; userAgent?: string | null | undefined },
            context: EndpointContext,
          ) {
            const user = await database.users.find(session.userId);
            if (user?.isDisabled === true) {
              throw new APIError("FORBIDDEN", {
                code: "USER_DISABLED",
                message: "This account is disabled.",
              });
            }
            // Koma does not use the address, which reveals where a user is.
            const userAgent = context?.request?.headers.get("user-agent") ?? session.userAgent;
            return { data: { ipAddress: null, userAgent: describeDevice(userAgent) } };
          },
        },
      },
    },
  };
}

type HookContext = GenericEndpointContext & { path: string };

type EndpointContext =
  | {
      request?: Request | undefined;
      path?: string | undefined;
      context: { options: Parameters<typeof getIP>[1] };
    }
  | null
  | undefined;

const mailPaths = ["/request-password-reset", "/send-verification-email"];

function readBody(body: unknown): { email: string | undefined; password: unknown } {
  const { email, password } =
    typeof body === "object" && body !== null ? (body as Record<string, unknown>) : {};
  const isAddress = typeof email === "string" && email.includes("@");
  return { email: isAddress ? email.toLowerCase() : undefined, password };
}

/** The age at which a session no longer proves by itself that its user is present. */
const freshMs = 5 * 60_000;

const changesByPath: Record<string, AccountChange | undefined> = {
  "/change-password": "password",
  "/two-factor/disable": "secondFactorOff",
  "/two-factor/generate-backup-codes": "recoveryCodes",
};

/** Values that a request cannot choose. No device is exempt from the second factor. */
const enforced: Record<string, object | undefined> = {
  "/change-password": { revokeOtherSessions: true },
  ...Object.fromEntries(codePaths.map((path) => [path, { trustDevice: false }])),
};

function refuse({ isRefused, retryAfterSeconds }: RateLimitState): void {
  if (!isRefused) return;
  throw new APIError(
    "TOO_MANY_REQUESTS",
    { code: "TOO_MANY_REQUESTS", message: "Too many requests. Please try again later." },
    { "retry-after": String(retryAfterSeconds) },
  );
}

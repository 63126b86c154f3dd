import type { Database } from "@koma/database";
import type { GenericEndpointContext, Session } from "better-auth";
import { APIError, createAuthMiddleware, getIP, getSessionFromCtx, isAPIError } from "better-auth/api";
import { isCommonPassword, passwordLength } from "./common-passwords.ts";
import { describeDevice } from "./describe-device.ts";
import type { DeviceCookie } from "./device-cookie.ts";
import type { Mail } from "./mail.ts";
import type { RateLimitState, SignInAttempt, SignLimits } from "./sign-limits.ts";

/**
 * better-auth's hooks: rate limits by the content of a request, checks of new passwords, second factors,
 * deletions and disabled users.
 */
export function createAuthHooks(options: {
  database: Database;
  limits: SignLimits;
  devices: DeviceCookie;
  mail: Mail;
  baseUrl: string;
  now: () => Date;
}) {
  const { database, limits, devices, mail, now } = options;
  /** The attempts between the hooks before and after a request. */
  const attempts = new WeakMap<Request, SignInAttempt & { hasSession?: boolean }>();

  const checkRequest = createAuthMiddleware(async (context) => {
    if (context.request === undefined) return;
    for (const fields of [context.body, context.query]) checkTexts(fields);
    await checkNewPassword(context.path, context.body);
    await countTries(context, context.request);
    if (context.path.startsWith("/delete-user")) await requireProof(context);
    const change = enforced[context.path];
    return change && { context: { body: { ...context.body, ...change } } };
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
    refuse(attempt);
    attempts.set(request, { ...attempt, hasSession: session !== null });
    const code: unknown = context.body?.code;
    if (context.path !== totpPath || typeof code !== "string") return;
    // Before the check of the code, so that only one of simultaneous requests with it is accepted.
    if ((await limits.totpCode(user.id, code)).isRefused) {
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
    if (needsCode(returned) && request.method === "GET") {
      throw context.redirect(locateCodeForm(responseHeaders?.get("location") ?? ""));
    }
    if (newSession === null) return;
    const { id, email } = newSession.user;
    // The first code of a signed-in user activates the second factor.
    if (context.path === totpPath && attempt?.hasSession) await endOtherSessions(context, newSession.session);
    if (context.path === "/change-password" && context.body?.revokeApiKeys === true) {
      const where = [{ field: "referenceId", value: id }];
      await context.context.adapter.deleteMany({ model: "apikey", where });
    }
    await devices.set(context, email);
    await limits.rememberNetwork(email, getIP(request, context.context.options) ?? "nowhere");
  });

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
    databaseHooks: {
      user: {
        create: {
          async before(user: UserFacts, context: EndpointContext) {
            checkFacts(user);
            const request = context?.request;
            if (!context || request === undefined) return;
            if (user.email?.endsWith(ownDomain)) throw badRequest("INVALID_EMAIL", "Invalid email");
            // A sign-up with Discord; the hook before the request counts sign-ups by mail address.
            if (!context.path?.startsWith("/callback")) return;
            refuse(await limits.signUp(getIP(request, context.context.options) ?? "nowhere"));
          },
        },
        update: { before: async (user: UserFacts) => checkFacts(user) },
      },
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

/** Fields of a request; better-auth checks the type of `email` alone. */
type UserFacts = { email?: string | undefined; name?: unknown; image?: unknown };

/** The domain of the bots' addresses; it receives no mail. */
const ownDomain = "@koma.invalid";

function checkFacts({ email = "", name = "", image }: UserFacts): void {
  if (email.length > 254) throw badRequest("INVALID_EMAIL", "Invalid email");
  if (typeof name !== "string" || !/^\P{Cc}{0,100}$/u.test(name)) {
    throw badRequest("INVALID_NAME", "A name has at most 100 characters, none of them a control character");
  }
  if (image != null && !isImageAddress(image)) {
    throw badRequest("INVALID_IMAGE", "An image is an https address of at most 2048 characters");
  }
}

/** Whether a page can show or link to the address without executing code. */
function isImageAddress(image: unknown): boolean {
  if (typeof image !== "string") return false;
  return image.length <= 2048 && /^https:\/\/[^/]/i.test(image) && URL.canParse(image);
}

function badRequest(code: string, message: string): APIError {
  return new APIError("BAD_REQUEST", { code, message });
}

/** PostgreSQL stores no NUL characters, and a query that contains one fails. */
function checkTexts(fields: object | undefined | null): void {
  for (const [name, value] of Object.entries(fields ?? {})) {
    if (typeof value !== "string" || !value.includes("\0")) continue;
    throw badRequest("INVALID_TEXT", `The field ${name} contains a NUL character`);
  }
}

const mailPaths = ["/request-password-reset", "/send-verification-email"];

function readBody(body: unknown): { email: string | undefined; password: unknown } {
  const { email, password } =
    typeof body === "object" && body !== null ? (body as Record<string, unknown>) : {};
  const isAddress = typeof email === "string" && email.includes("@");
  return { email: isAddress ? email.toLowerCase() : undefined, password };
}

/** Whether better-auth accepts the length, because a rejected password does not count as a sign-up. */
function isPasswordLength(password: unknown): boolean {
  const { minimum, maximum } = passwordLength;
  return typeof password === "string" && password.length >= minimum && password.length <= maximum;
}

async function checkNewPassword(path: string, body: unknown): Promise<void> {
  const field = newPasswordFields[path];
  if (field === undefined || typeof body !== "object" || body === null) return;
  const password = (body as Record<string, unknown>)[field];
  if (typeof password !== "string" || !(await isCommonPassword(password))) return;
  throw badRequest("PASSWORD_TOO_COMMON", "The password is in a list of common passwords");
}

const newPasswordFields: Record<string, string | undefined> = {
  "/sign-up/email": "password",
  "/change-password": "newPassword",
  "/reset-password": "newPassword",
};

/** The age at which a session no longer proves by itself that its user is present. */
const freshMs = 5 * 60_000;

const totpPath = "/two-factor/verify-totp";
const codePaths = [totpPath, "/two-factor/verify-backup-code"];

/** Values that a request cannot choose. No device is exempt from the second factor. */
const enforced: Record<string, object | undefined> = {
  "/change-password": { revokeOtherSessions: true },
  ...Object.fromEntries(codePaths.map((path) => [path, { trustDevice: false }])),
};

/** Whether the password or the code was wrong. */
function isFailure(returned: unknown): boolean {
  return isAPIError(returned) && failures.includes(String(returned.body?.code));
}

const failures = ["INVALID_EMAIL_OR_PASSWORD", "INVALID_CODE", "INVALID_BACKUP_CODE"];

/** Whether better-auth's plugin has replaced the response of a sign-in by the request for a code. */
function needsCode(returned: unknown): boolean {
  return typeof returned === "object" && returned !== null && "twoFactorRedirect" in returned;
}

function refuse({ isRefused, retryAfterSeconds }: RateLimitState): void {
  if (!isRefused) return;
  throw new APIError(
    "TOO_MANY_REQUESTS",
    { code: "TOO_MANY_REQUESTS", message: "Too many requests. Please try again later." },
    { "retry-after": String(retryAfterSeconds) },
  );
}

import type { Database } from "@koma/database";
import { APIError, createAuthMiddleware, getIP } from "better-auth/api";
import type { RateLimitState, SignLimits } from "./sign-limits.ts";

/** better-auth's hooks: rate limits by the content of a request, and the rejection of disabled users. */
export function createAuthHooks(options: { database: Database; limits: SignLimits }) {
  const { database, limits } = options;

  const countTries = createAuthMiddleware(async (context) => {
    const { request, path } = context;
    if (request === undefined) return;
    const network = getIP(request, context.context.options) ?? "nowhere";
    const { email, password } = readBody(context.body);
    if (email === undefined) return;
    if (path === "/sign-up/email" && isPasswordLength(password)) refuse(await limits.signUp(network));
    if (path === "/sign-in/email") refuse(await limits.signIn(email, network));
    if (mailPaths.includes(path)) refuse(await limits.mail(email));
  });

  return {
    hooks: { before: countTries },
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
          async before(session: { userId: string }) {
            const user = await database.users.find(session.userId);
            if (user?.isDisabled === true) {
              throw new APIError("FORBIDDEN", {
                code: "USER_DISABLED",
                message: "This account is disabled.",
              });
            }
            // Koma does not use these values, which reveal where a user is.
            return { data: { ipAddress: null, userAgent: null } };
          },
        },
      },
    },
  };
}

type EndpointContext =
  | {
      request?: Request | undefined;
      path?: string | undefined;
      context: { options: Parameters<typeof getIP>[1] };
    }
  | null
  | undefined;

type UserFacts = { email?: string | undefined; name?: string | undefined; image?: string | null | undefined };

/** The domain of the bots' addresses; it receives no mail. */
const ownDomain = "@koma.invalid";

function checkFacts({ email = "", name = "", image }: UserFacts): void {
  if (email.length > 254) throw badRequest("INVALID_EMAIL", "Invalid email");
  if (!/^\P{Cc}{0,100}$/u.test(name)) {
    throw badRequest("INVALID_NAME", "A name has at most 100 characters, none of them a control character");
  }
  if (image != null && !isImageAddress(image)) {
    throw badRequest("INVALID_IMAGE", "An image is an https address of at most 2048 characters");
  }
}

/** Whether a page can show or link to the address without executing code. */
function isImageAddress(image: string): boolean {
  return image.length <= 2048 && /^https:\/\/[^/]/i.test(image) && URL.canParse(image);
}

function badRequest(code: string, message: string): APIError {
  return new APIError("BAD_REQUEST", { code, message });
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
  return typeof password === "string" && password.length >= 8 && password.length <= 128;
}

function refuse({ isRefused, retryAfterSeconds }: RateLimitState): void {
  if (!isRefused) return;
  throw new APIError(
    "TOO_MANY_REQUESTS",
    { code: "TOO_MANY_REQUESTS", message: "Too many requests. Please try again later." },
    { "retry-after": String(retryAfterSeconds) },
  );
}

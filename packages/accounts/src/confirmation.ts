import { createHmac } from "node:crypto";
import type { GenericEndpointContext, User } from "better-auth";
import { createAuthMiddleware, getSessionFromCtx, isAPIError } from "better-auth/api";
import { setSessionCookie } from "better-auth/cookies";

/**
 * The sign-in of a new user by the link that confirms the address, only in the browser that signed up, and never
 * in place of another session. Otherwise a stranger could send a user the link of the stranger's account, and the
 * user's searches and purchases would then belong to that account.
 */
export function createConfirmation({ key }: { key: Buffer }) {
  const hash = (email: string) => createHmac("sha256", key).update(`sign-up:${email}`).digest("base64url");
  /** The users whose address a request has just confirmed. */
  const confirmed = new WeakMap<Request, User>();
  const describe = ({ context }: GenericEndpointContext) =>
    context.createAuthCookie("sign_up", { maxAge: linkSeconds });

  /** Marks the browser of a sign-up. The cookie is the same for known addresses, which it must not reveal. */
  const markBrowser = createAuthMiddleware(async (context) => {
    const email: unknown = context.body?.email;
    if (typeof email !== "string" || isAPIError(context.context.returned)) return;
    const { name, attributes } = describe(context);
    await context.setSignedCookie(name, hash(email.toLowerCase()), context.context.secret, attributes);
  });

  const signIn = createAuthMiddleware(async (context) => {
    const user = context.request && confirmed.get(context.request);
    if (user === undefined) return;
    const { name } = describe(context);
    if ((await context.getSignedCookie(name, context.context.secret)) !== hash(user.email)) return;
    if ((await getSessionFromCtx(context, { disableCookieCache: true })) !== null) return;
    const session = await context.context.internalAdapter.createSession(user.id);
    await setSessionCookie(context, { session, user });
  });

  return {
    /** For `emailVerification.afterEmailVerification`. */
    async noteConfirmed(user: User, request: Request | undefined): Promise<void> {
      if (request !== undefined) confirmed.set(request, user);
    },

    /** Its place is before the plugin of the second factor, which acts on new sessions. */
    plugin: {
      id: "koma-confirmation",
      hooks: {
        after: [
          { matcher: ({ path }: { path?: string }) => path === "/sign-up/email", handler: markBrowser },
          { matcher: ({ path }: { path?: string }) => path === "/verify-email", handler: signIn },
        ],
      },
    },
  };
}

/** The time for which better-auth's link is valid. */
const linkSeconds = 3600;

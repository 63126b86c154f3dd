import type { Database } from "@koma/database";
import type { GenericEndpointContext } from "better-auth";
import { APIError, getSessionFromCtx } from "better-auth/api";
import type { SignLimits } from "./sign-limits.ts";

/** Operations that a stolen session and the password alone must not permit on an account with a second factor. */
const protectedPaths = ["/change-password", "/two-factor/generate-backup-codes", "/two-factor/disable"];

/**
 * Requires a code of the second factor for changes of an account that has one: the session must have sent a
 * right code within the last five minutes, at its sign-in or afterwards.
 */
export function createCodeProof(options: {
  database: Pick<Database, "users">;
  limits: Pick<SignLimits, "markCode" | "hasSentCode">;
}) {
  const { database, limits } = options;

  return {
    /** Throws APIError CODE_REQUIRED. */
    async require(context: GenericEndpointContext & { path: string }): Promise<void> {
      const { path } = context;
      if (!protectedPaths.includes(path) && !path.startsWith("/delete-user")) return;
      const found = await getSessionFromCtx(context, { disableCookieCache: true, disableRefresh: true });
      if (found === null) return;
      const user = await database.users.find(found.user.id);
      if (user?.isTwoFactorEnabled !== true || (await limits.hasSentCode(found.session.id))) return;
      throw new APIError("FORBIDDEN", {
        code: "CODE_REQUIRED",
        message: "Send a code of the second factor first.",
      });
    },

    /** Remembers that a session has sent a right code. */
    remember: (sessionId: string) => limits.markCode(sessionId),
  };
}

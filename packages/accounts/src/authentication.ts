import { defaultKeyHasher } from "@better-auth/api-key";
import type { Database } from "@koma/database";
import { isAPIError } from "better-auth/api";
import { isBotPermission, keyPattern } from "./api-keys.ts";
import type { AuthSource } from "./auth.ts";
import { hasSessionCookie } from "./session-cookie.ts";

/** The user of a request, or the problem of its credentials. */
export type Authentication =
  | { userId: string; by: "session" | "key"; keyId?: string; isBot: boolean }
  | { problem: "unauthenticated" | "invalid_api_key" };

export function createAuthentication(options: { auth: AuthSource; database: Database; now: () => Date }) {
  const { auth, database, now } = options;

  return async function authenticate(headers: {
    authorization?: string | undefined;
    cookie?: string | undefined;
  }): Promise<Authentication | undefined> {
    const { authorization, cookie } = headers;
    if (authorization !== undefined) return await authenticateKey(authorization);
    if (cookie !== undefined && hasSessionCookie(cookie)) return await authenticateSession(cookie);
    return undefined;
  };

  /** Replaces the plugin's check, which reports an unavailable database as an invalid key. */
  async function authenticateKey(authorization: string): Promise<Authentication> {
    const refused = { problem: "invalid_api_key" } as const;
    const key = /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
    if (key === undefined || !keyPattern.test(key)) return refused;
    const { adapter } = await auth.get().$context;
    const hash = [{ field: "key", value: await defaultKeyHasher(key) }];
    const row = await adapter.findOne<KeyRow>({ model: "apikey", where: hash });
    const at = now();
    if (row === null || row.enabled === false || (row.expiresAt !== null && row.expiresAt <= at))
      return refused;
    if (!(await isActiveUser(row.referenceId))) return refused;
    if (row.lastRequest === null || at.getTime() - row.lastRequest.getTime() >= lastUseResolutionMs) {
      const update = { lastRequest: at };
      await adapter.updateMany({ model: "apikey", where: [{ field: "id", value: row.id }], update });
    }
    return { userId: row.referenceId, by: "key", keyId: row.id, isBot: isBotPermission(row.permissions) };
  }

  async function authenticateSession(cookie: string): Promise<Authentication> {
    const found = await auth
      .get()
      .api.getSession({
        headers: new Headers({ cookie }),
        // Only `/api/auth/get-session` extends a session, because it can send the new cookie.
        query: { disableRefresh: true, disableCookieCache: true },
      })
      .catch(async (error: unknown) => {
        if (!isAPIError(error)) throw error;
        if (error.statusCode < 500) return null;
        // better-auth reports an unavailable database like an internal error; the ping throws for the former.
        await database.ping();
        throw error;
      });
    if (found === null || !(await isActiveUser(found.user.id))) return { problem: "unauthenticated" };
    return { userId: found.user.id, by: "session", isBot: false };
  }

  async function isActiveUser(userId: string): Promise<boolean> {
    const user = await database.users.find(userId);
    return user !== undefined && !user.isDisabled;
  }
}

type KeyRow = {
  id: string;
  referenceId: string;
  enabled: boolean | null;
  expiresAt: Date | null;
  lastRequest: Date | null;
  permissions: string | null;
};

/** The resolution of a key's last use; a finer one would cost a write per search. */
const lastUseResolutionMs = 1000;

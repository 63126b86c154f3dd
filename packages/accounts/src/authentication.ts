import { defaultKeyHasher } from "@better-auth/api-key";
import type { ApiKeyScope } from "@koma/contract";
import type { Database } from "@koma/database";
import { createEndpoint } from "better-call";
import { isBotPermission, keyPattern, readScopes } from "./api-keys.ts";
import type { AuthSource } from "./auth.ts";
import { hasSessionCookie } from "./session-cookie.ts";

/** The user of a request, or the problem of its credentials; `expiredAt` of a key that has expired. */
export type Authentication =
  | { userId: string; by: "session"; isBot: false }
  | { userId: string; by: "key"; keyId: string; isBot: boolean; scopes: readonly ApiKeyScope[] }
  | { problem: "unauthenticated" }
  | { problem: "invalid_api_key"; expiredAt?: Date };

export function createAuthentication(options: { auth: AuthSource; database: Database; now: () => Date }) {
  const { auth, database, now } = options;
  /** The token in a session cookie that better-auth has signed; null or false without a valid one. */
  const readSessionToken = createEndpoint({ method: "GET" }, async ({ getSignedCookie }) => {
    const { authCookies, secret } = await auth.get().$context;
    return await getSignedCookie(authCookies.sessionToken.name, secret);
  });

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
    if (row === null || row.enabled === false) return refused;
    if (row.expiresAt !== null && row.expiresAt <= at) return { ...refused, expiredAt: row.expiresAt };
    if (!(await isActiveUser(row.referenceId))) return refused;
    if (row.lastRequest === null || at.getTime() - row.lastRequest.getTime() >= lastUseResolutionMs) {
      const update = { lastRequest: at };
      await adapter.updateMany({ model: "apikey", where: [{ field: "id", value: row.id }], update });
    }
    const { referenceId: userId, id: keyId, permissions } = row;
    const scopes = readScopes(permissions);
    return { userId, by: "key", keyId, isBot: isBotPermission(permissions), scopes };
  }

  /**
   * Reads session and user with one statement, and does not extend the session: only `/api/auth/get-session`
   * does, because it can send the new cookie.
   */
  async function authenticateSession(cookie: string): Promise<Authentication> {
    const token = await readSessionToken({ headers: new Headers({ cookie }) });
    const user = token ? await database.users.findBySession(token) : undefined;
    if (user === undefined || user.isDisabled) return { problem: "unauthenticated" };
    return { userId: user.id, by: "session", isBot: false };
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

import type { ApiKeyScope } from "@koma/contract";
import type { Database } from "@koma/database";
import { hashKey, isBotPermission, keyPattern, readScopes } from "./api-keys.ts";
import type { AuthSource } from "./auth-source.ts";
import { hasSessionCookie } from "./session-cookie.ts";

/** The user of a request, or the problem of its credentials; `expiredAt` of a key that has expired. */
export type Authentication =
  | { userId: string; by: "session"; isBot: false }
  | { userId: string; by: "key"; keyId: string; isBot: boolean; scopes: readonly ApiKeyScope[] }
  | { problem: "unauthenticated" }
  | { problem: "invalid_api_key"; expiredAt?: Date };

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

  async function authenticateKey(authorization: string): Promise<Authentication> {
    const refused = { problem: "invalid_api_key" } as const;
    const key = /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
    if (key === undefined || !keyPattern.test(key)) return refused;
    const found = await database.apiKeys.findEnabled(hashKey(key));
    if (found === undefined) return refused;
    const { id: keyId, userId, permissions, expiresAt, lastUsedAt } = found;
    const at = now();
    if (expiresAt !== null && expiresAt <= at) return { ...refused, expiredAt: expiresAt };
    if (lastUsedAt === null || at.getTime() - lastUsedAt.getTime() >= lastUseResolutionMs) {
      await database.apiKeys.recordUse(keyId, at);
    }
    const scopes = readScopes(permissions);
    return { userId, by: "key", keyId, isBot: isBotPermission(permissions), scopes };
  }

  /**
   * Reads session and user with one statement, and does not extend the session: only `/api/auth/get-session`
   * does, because it can send the new cookie.
   */
  async function authenticateSession(cookie: string): Promise<Authentication> {
    const token = await auth.readSessionToken(cookie);
    const user = token ? await database.users.findBySession(token) : undefined;
    if (user === undefined || user.isDisabled) return { problem: "unauthenticated" };
    return { userId: user.id, by: "session", isBot: false };
  }
}

/** The resolution of a key's last use; a finer one would cost a write per search. */
const lastUseResolutionMs = 1000;

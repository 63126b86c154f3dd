import { createHmac } from "node:crypto";
import type { Database } from "@koma/database";
import { deriveKey } from "./secret.ts";

/** Rate limits for sign-up, sign-in and mail; the database counts for all instances. */
export type SignLimits = ReturnType<typeof createSignLimits>;

/** At most `limit` attempts in `windowSeconds`. */
type Limit = { limit: number; windowSeconds: number };

/** Whether an attempt exceeds its limit, and when the next one is permitted. */
export type RateLimitState = { isRefused: boolean; retryAfterSeconds: number };

export function createSignLimits(options: {
  database: Database;
  secret: string;
  now: () => Date;
  signUpsPerHour: number;
}) {
  const { database, now } = options;
  const key = deriveKey(options.secret, "attempt");

  /** Counts one attempt of a caller. */
  async function take(who: string, limit: Limit): Promise<RateLimitState> {
    const at = now();
    const hash = createHmac("sha256", key).update(who).digest("base64url");
    const { isRefused, windowEndsAt } = await database.attempts.take({ key: hash, at, ...limit });
    return {
      isRefused,
      retryAfterSeconds: Math.max(1, Math.ceil((windowEndsAt.getTime() - at.getTime()) / 1000)),
    };
  }

  return {
    /** A new account from a network. */
    signUp: (network: string) =>
      take(`sign-up:${network}`, { limit: options.signUpsPerHour, windowSeconds: 3600 }),

    /** An attempt to sign in: limited per network, and per account over all networks. */
    async signIn(email: string, network: string): Promise<RateLimitState> {
      const near = await take(`sign-in:${email}:${network}`, { limit: 20, windowSeconds: 300 });
      if (near.isRefused) return near;
      return await take(`sign-in:${email}`, { limit: 100, windowSeconds: 3600 });
    },

    /** A mail to an address. */
    mail: (email: string) => take(`mail:${email}`, { limit: 5, windowSeconds: 3600 }),

    /** better-auth's storage for its limits by network and path. */
    storage: {
      async consume(who: string, rule: { window: number; max: number }) {
        const limit = await take(`request:${who}`, { limit: rule.max, windowSeconds: rule.window });
        return {
          allowed: !limit.isRefused,
          retryAfter: limit.isRefused ? limit.retryAfterSeconds : null,
        };
      },
    },
  };
}

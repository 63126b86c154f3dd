import type { Accounts, CallerHashes } from "@koma/accounts";
import type { Database } from "@koma/database";
import { ApiError } from "../api-error.ts";

/** The reports of a bot for one chat user within the window; the bot repeats those that are refused. */
const reportLimit = 60;
const windowSeconds = 600;

export type LeakedKeys = ReturnType<typeof createLeakedKeys>;

/** Revokes API keys that bots find in public messages. */
export function createLeakedKeys(options: {
  database: Pick<Database, "rateLimits">;
  accounts: Pick<Accounts, "keys">;
  hashes: CallerHashes;
  now: () => Date;
}) {
  const { database, accounts, hashes, now } = options;

  return {
    /**
     * Revokes a key; unknown and already revoked keys have the same result. Throws ApiError
     * `too_many_requests`.
     */
    async revoke(report: { botUserId: string; chatUser: string; key: string }): Promise<void> {
      const { botUserId, chatUser, key } = report;
      const at = now();
      const { isRefused, windowEndsAt } = await database.rateLimits.take({
        key: hashes.requests(`leaked-key ${botUserId} ${chatUser}`),
        limit: reportLimit,
        windowSeconds,
        at,
      });
      if (isRefused) {
        throw new ApiError("too_many_requests", `At most ${reportLimit} keys of a chat user in 10 minutes.`, {
          retryAfterSeconds: (windowEndsAt.getTime() - at.getTime()) / 1000,
        });
      }
      await accounts.keys.revokeLeaked({ key, foundBy: botUserId });
    },
  };
}

import type { Configuration } from "@koma/config";
import type { Database } from "@koma/database";
import type { ChangeLetters } from "./change-letters.ts";
import { applyAdminClaim, oidcProvider } from "./oidc.ts";

type StoredAccount = { userId: string; providerId: string; idToken?: string | null | undefined };

/** better-auth's hooks for the accounts of a user at other services. */
export function createAccountHooks(options: {
  database: Pick<Database, "users">;
  configuration: Configuration;
  reportChange: ChangeLetters;
  now: () => Date;
}) {
  const { database, reportChange, now } = options;
  return {
    create: {
      async after(account: StoredAccount) {
        const { userId, providerId } = account;
        if (providerId === oidcProvider) await applyAdminClaim(options, account);
        // A sign-up with another service creates the user a moment before.
        const user = await database.users.find(userId);
        const isNew = user === undefined || now().getTime() - user.createdAt.getTime() < 60_000;
        if ((providerId === "discord" || providerId === oidcProvider) && !isNew)
          reportChange(userId, providerId);
      },
    },
    update: {
      async after(account: StoredAccount) {
        if (account.providerId === oidcProvider) await applyAdminClaim(options, account);
      },
    },
  };
}

import { randomBytes } from "node:crypto";
import type { Database, NewAuditEntry, Page, User } from "@koma/database";
import type { AuthSource } from "./auth-source.ts";
import type { CallerHashes } from "./caller-hashes.ts";
import { EmailTakenError } from "./errors.ts";

/** The operator's functions for accounts. */
export type Users = ReturnType<typeof createUsers>;

export function createUsers(options: { auth: AuthSource; database: Database; hashes: CallerHashes }) {
  const { auth, database, hashes } = options;
  const isTaken = async (email: string) => (await database.users.findByEmail(email)) !== undefined;

  return {
    /**
     * Creates an account with a verified address. A person gets the passed password or a generated one, which
     * the result contains; a bot has no password, because it does not sign in. Throws EmailTakenError.
     */
    async create(params: {
      email: string;
      name?: string | undefined;
      password?: string | undefined;
      isBot?: boolean | undefined;
    }): Promise<{ user: User; password: string | undefined }> {
      const { internalAdapter, password: passwords } = await (await auth.get()).$context;
      const email = params.email.trim().toLowerCase();
      const name = params.name ?? email.split("@", 1)[0] ?? email;
      if (await isTaken(email)) throw new EmailTakenError();
      const created = await internalAdapter
        .createUser(
          { email, name, emailVerified: true, isBot: params.isBot ?? false },
          { method: "email-password" },
        )
        .catch(async (error: unknown) => {
          // Another process has created the account meanwhile.
          throw (await isTaken(email)) ? new EmailTakenError() : error;
        });
      const password = params.isBot ? undefined : (params.password ?? randomBytes(18).toString("base64url"));
      if (password !== undefined) {
        const credential = { userId: created.id, accountId: created.id, providerId: "credential" };
        await internalAdapter.linkAccount({ ...credential, password: await passwords.hash(password) });
      }
      const user = await database.users.find(created.id);
      if (user === undefined) throw new Error("The new user does not exist.");
      return { user, password };
    },

    /** A page of users, oldest first, with their credits; pages count from 1. */
    list: (params: Page) => database.users.list(params),

    /** The user with this id or mail address. */
    async show(idOrEmail: string): Promise<User | undefined> {
      if (idOrEmail.includes("@")) return await database.users.findByEmail(idOrEmail);
      return await database.users.find(idOrEmail);
    },

    /** Disables a user; sessions and keys stop working at once. False for an unknown user. */
    disable: (userId: string, audit?: NewAuditEntry) => database.users.setDisabled(userId, true, audit),

    /** Enables a user again; the keys work as before. False for an unknown user. */
    enable: (userId: string, audit?: NewAuditEntry) => database.users.setDisabled(userId, false, audit),

    /** Grants or revokes the administrator's rights. False for an unknown user and for bots. */
    setAdmin: (userId: string, isAdmin: boolean, audit?: NewAuditEntry) =>
      database.users.setAdmin(userId, isAdmin, audit),

    /**
     * Removes the second factor and ends all sessions. False when there was none, and for an unknown user.
     */
    resetTwoFactor: (userId: string, audit?: NewAuditEntry) => database.users.resetTwoFactor(userId, audit),

    /** Deletes a user with all personal data. False for an unknown user. */
    forget: (userId: string, audit?: NewAuditEntry) =>
      database.users.forget({ userId, callerHash: hashes.user(userId), audit }),
  };
}

import { runTransaction } from "../connection/run-transaction.ts";
import type { PrismaClient, User as UserRow } from "../generated/client.ts";
import { listPage, type Page } from "../page.ts";
import { anonymised } from "../searches/searches-aging.ts";
import { containsText } from "../text-filters.ts";
import { type NewAuditEntry, recordAudit } from "./audit.ts";

/** The account of a person or of a bot. */
export type User = {
  id: string;
  name: string;
  /** In lower case. */
  email: string;
  isEmailVerified: boolean;
  isDisabled: boolean;
  isBot: boolean;
  /** May use the operator's page. */
  isAdmin: boolean;
  /** Whether a sign-in needs a second factor. */
  isTwoFactorEnabled: boolean;
  createdAt: Date;
};

/** The operations on users that better-auth does not have. */
export function createUsers(prisma: PrismaClient) {
  return {
    /** The user with this id. */
    async find(id: string): Promise<User | undefined> {
      const row = await prisma.user.findUnique({ where: { id } });
      return row === null ? undefined : toUser(row);
    },

    /** The users with these ids, in no particular order; unknown ids are omitted. */
    async findMany(ids: readonly string[]): Promise<User[]> {
      if (ids.length === 0) return [];
      return (await prisma.user.findMany({ where: { id: { in: [...ids] } } })).map(toUser);
    },

    /** The user of a session that has not expired. */
    async findBySession(token: string): Promise<User | undefined> {
      const [row] = await prisma.$queryRaw<UserRow[]>`
        SELECT u.* FROM "Session" s JOIN "User" u ON u."id" = s."userId"
        WHERE s."token" = ${token} AND s."expiresAt" > ${new Date()}::timestamptz`;
      return row === undefined ? undefined : toUser(row);
    },

    /** The user with this mail address; case is ignored. */
    async findByEmail(email: string): Promise<User | undefined> {
      const row = await prisma.user.findUnique({ where: { email: email.trim().toLowerCase() } });
      return row === null ? undefined : toUser(row);
    },

    /**
     * A page of users with their credits, oldest first by default; pages count from 1. `query` matches a part
     * of the name or mail address.
     */
    async list(
      options: Page & { query?: string | undefined; order?: "oldest" | "newest" | undefined },
    ): Promise<{ total: number; items: (User & { purchasedCredits: number })[] }> {
      const contains = containsText(options.query ?? "");
      const where = options.query ? { OR: [{ name: contains }, { email: contains }] } : {};
      const direction = options.order === "newest" ? "desc" : "asc";
      const { total, rows } = await listPage(prisma.user, options, where, (part) =>
        prisma.user.findMany({
          ...part,
          include: { creditAccount: true },
          orderBy: [{ createdAt: direction }, { id: direction }],
        }),
      );
      const items = rows.map(({ creditAccount, ...row }) => ({
        ...toUser(row),
        purchasedCredits: Number(creditAccount?.purchased ?? 0),
      }));
      return { total, items };
    },

    /** Disables or enables a user; a disabled user loses all sessions. False for an unknown user. */
    async setDisabled(id: string, isDisabled: boolean, audit?: NewAuditEntry): Promise<boolean> {
      return await runTransaction(prisma, async (tx) => {
        const { count } = await tx.user.updateMany({ where: { id }, data: { isDisabled } });
        if (count === 1 && audit) await recordAudit(tx, audit);
        if (isDisabled) await tx.session.deleteMany({ where: { userId: id } });
        return count === 1;
      });
    },

    /** Grants or revokes the administrator's rights. False for an unknown user and for bots. */
    async setAdmin(id: string, isAdmin: boolean, audit?: NewAuditEntry): Promise<boolean> {
      return await runTransaction(prisma, async (tx) => {
        const { count } = await tx.user.updateMany({ where: { id, isBot: false }, data: { isAdmin } });
        if (count === 1 && audit) await recordAudit(tx, audit);
        return count === 1;
      });
    },

    /**
     * Removes the second factor of a user, begun or complete, and ends all sessions. False when there was
     * none, and for an unknown user.
     */
    async resetTwoFactor(id: string, audit?: NewAuditEntry): Promise<boolean> {
      return await runTransaction(prisma, async (tx) => {
        const { count } = await tx.twoFactor.deleteMany({ where: { userId: id } });
        const data = { twoFactorEnabled: false };
        const enabled = await tx.user.updateMany({ where: { id, twoFactorEnabled: true }, data });
        if (count + enabled.count === 0) return false;
        if (audit) await recordAudit(tx, audit);
        await tx.session.deleteMany({ where: { userId: id } });
        return true;
      });
    },

    /**
     * Deletes an account with sessions, keys, links, credits and history. Public confirmed searches and
     * credit entries stay without a reference to the user. `callerHash` also finds the data of a user whom
     * better-auth has already deleted. False when there was nothing to delete.
     */
    async forget(options: {
      userId: string;
      callerHash: string;
      audit?: NewAuditEntry | undefined;
    }): Promise<boolean> {
      const { userId, callerHash, audit } = options;
      return await runTransaction(prisma, async (tx) => {
        // A settlement takes this lock too, so it no longer finds its reservation.
        await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${callerHash}, 0))`;
        const user = await tx.user.findUnique({ where: { id: userId } });
        const reservations = await tx.quotaReservation.deleteMany({ where: { callerHash } });
        await tx.idempotentAnswer.deleteMany({ where: { callerHash } });
        const searches = await tx.search.deleteMany({ where: { callerHash, listedAnimeId: null } });
        const listed = await tx.$executeRaw`
          UPDATE "Search" SET ${anonymised} WHERE "callerHash" = ${callerHash}`;
        const identifiers = user === null ? [] : [{ identifier: user.email }];
        await tx.verification.deleteMany({ where: { OR: [{ value: userId }, ...identifiers] } });
        await tx.user.deleteMany({ where: { id: userId } });
        if (user !== null && audit) await recordAudit(tx, audit);
        return user !== null || reservations.count + searches.count + listed > 0;
      });
    },

    /**
     * Deletes expired sessions, those of 90 days, verifications and rate limits, and accounts whose creation
     * stopped more than an hour ago: they have no credential, key or credits, and an unverified address.
     */
    async collectGarbage(): Promise<void> {
      const now = new Date();
      // A used session is prolonged, so a stolen one would never end.
      const oldest = new Date(now.getTime() - longestSessionMs);
      await prisma.session.deleteMany({
        where: { OR: [{ expiresAt: { lt: now } }, { createdAt: { lt: oldest } }] },
      });
      await prisma.verification.deleteMany({ where: { expiresAt: { lt: now } } });
      const dayAgo = now.getTime() - 24 * 60 * 60 * 1000;
      await prisma.rateLimit.deleteMany({ where: { lastRequest: { lt: BigInt(dayAgo) } } });
      await prisma.user.deleteMany({
        where: {
          isBot: false,
          emailVerified: false,
          accounts: { none: {} },
          apikeys: { none: {} },
          creditEntries: { none: {} },
          createdAt: { lt: new Date(now.getTime() - 60 * 60 * 1000) },
        },
      });
    },
  };
}

const longestSessionMs = 90 * 24 * 60 * 60 * 1000;

function toUser(row: UserRow): User {
  const { id, name, email, emailVerified, isDisabled, isBot, isAdmin, twoFactorEnabled, createdAt } = row;
  const flags = { isDisabled, isBot, isAdmin, isTwoFactorEnabled: twoFactorEnabled };
  return { id, name, email, isEmailVerified: emailVerified, ...flags, createdAt };
}

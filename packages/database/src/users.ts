import type { PrismaClient, User as UserRow } from "./generated/client.ts";
import { toSkipTake } from "./page.ts";
import { runTransaction } from "./run-transaction.ts";
import { anonymised } from "./searches-aging.ts";

/** A person or a bot with an account. */
export type User = {
  id: string;
  name: string;
  /** In lower case. */
  email: string;
  isEmailVerified: boolean;
  isDisabled: boolean;
  isBot: boolean;
  /** Sees the operator's page. */
  isAdmin: boolean;
  createdAt: Date;
};

/** What better-auth does not do with users. */
export type UserStore = ReturnType<typeof createUsers>;

export function createUsers(prisma: PrismaClient) {
  return {
    /** The user of this id. */
    async find(id: string): Promise<User | undefined> {
      const row = await prisma.user.findUnique({ where: { id } });
      return row === null ? undefined : toUser(row);
    },

    /** The user with this mail address, in whatever case. */
    async findByEmail(email: string): Promise<User | undefined> {
      const row = await prisma.user.findUnique({ where: { email: email.trim().toLowerCase() } });
      return row === null ? undefined : toUser(row);
    },

    /**
     * A page of users with their credits, oldest first unless `order` says otherwise; pages count from 1. `query` is part
     * of a name or mail address.
     */
    async list(options: {
      page: number;
      pageSize: number;
      query?: string | undefined;
      order?: "oldest" | "newest" | undefined;
    }): Promise<{ total: number; items: (User & { purchasedCredits: number })[] }> {
      // Prisma passes these on as they are, and LIKE would take them for anything.
      const text = (options.query ?? "").replace(/[\\%_]/g, "\\$&");
      const contains = { contains: text, mode: "insensitive" } as const;
      const where = options.query ? { OR: [{ name: contains }, { email: contains }] } : {};
      const direction = options.order === "newest" ? "desc" : "asc";
      const [total, rows] = await Promise.all([
        prisma.user.count({ where }),
        prisma.user.findMany({
          where,
          include: { creditAccount: true },
          orderBy: [{ createdAt: direction }, { id: direction }],
          ...toSkipTake(options),
        }),
      ]);
      const items = rows.map(({ creditAccount, ...row }) => ({
        ...toUser(row),
        purchasedCredits: creditAccount?.purchased ?? 0,
      }));
      return { total, items };
    },

    /** Shuts a user out or lets them in again; who is shut out loses all sessions. False for an unknown user. */
    async setDisabled(id: string, isDisabled: boolean): Promise<boolean> {
      return await runTransaction(prisma, async (tx) => {
        const { count } = await tx.user.updateMany({ where: { id }, data: { isDisabled } });
        if (isDisabled) await tx.session.deleteMany({ where: { userId: id } });
        return count === 1;
      });
    },

    /** Makes a user a bot. False for an unknown user. */
    async markAsBot(id: string): Promise<boolean> {
      return (await prisma.user.updateMany({ where: { id }, data: { isBot: true } })).count === 1;
    },

    /** Makes a person an operator, or one no longer. False for an unknown user and for bots. */
    async setAdmin(id: string, isAdmin: boolean): Promise<boolean> {
      return (await prisma.user.updateMany({ where: { id, isBot: false }, data: { isAdmin } })).count === 1;
    },

    /**
     * Deletes an account with sessions, keys, links, credits and history. Public confirmed searches stay and lose what
     * could tell who asked; entries of credits stay for the books, without the person. Works as well where better-auth
     * has already deleted the user: `callerHash` finds the rest. False when there was neither.
     */
    async forget(options: { userId: string; callerHash: string }): Promise<boolean> {
      const { userId, callerHash } = options;
      return await runTransaction(prisma, async (tx) => {
        // Nothing is settled for this caller from here on: a settlement takes this lock too, and finds its reservation gone.
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
        return user !== null || reservations.count + searches.count + listed > 0;
      });
    },

    /**
     * Deletes what has expired of sessions, mails and counted attempts, and accounts whose making stopped halfway an hour
     * ago: no way to sign in, no key, no credits, the address unverified.
     */
    async collectGarbage(): Promise<void> {
      const now = new Date();
      await prisma.session.deleteMany({ where: { expiresAt: { lt: now } } });
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

function toUser(row: UserRow): User {
  const { id, name, email, emailVerified, isDisabled, isBot, isAdmin, createdAt } = row;
  return { id, name, email, isEmailVerified: emailVerified, isDisabled, isBot, isAdmin, createdAt };
}

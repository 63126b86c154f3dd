import { createId } from "./create-id.ts";
import type { CreditEntry as CreditEntryRow, PrismaClient } from "./generated/client.ts";
import { toSkipTake } from "./page.ts";
import { createRefunds } from "./refunds.ts";
import { retry } from "./retry-methods.ts";
import { runTransaction, type Transaction } from "./run-transaction.ts";

/** One movement of credits: above zero granted or bought, below zero spent or taken back with the money. */
export type CreditEntry = {
  id: string;
  amount: number;
  kind: (typeof kinds)[number];
  reason: string | null;
  /** What it was booked for, once; null for spends. */
  reference: string | null;
  createdAt: Date;
};

const kinds = ["grant", "purchase", "spend", "refund"] as const;

/** What became of a purchase; `known`: the event or the payment was booked before; `no_user`: booked, without a person. */
export type PurchaseResult = { state: "booked" | "known" | "no_user" };

/** Bought and granted credits: one ledger, whose sum is always the balance. */
export type CreditStore = ReturnType<typeof createCredits>;

export function createCredits(prisma: PrismaClient) {
  return {
    ...createRefunds(prisma),

    /**
     * Gives a user credits, once per `reference` where there is one; `isNew` is false when it was used before.
     * Undefined for an unknown user.
     */
    async grant(options: {
      userId: string;
      amount: number;
      reason: string;
      reference?: string | undefined;
    }): Promise<{ isNew: boolean; balance: number } | undefined> {
      const id = createId();
      // Repeated with the same id, so that a commit whose answer was lost is not booked twice.
      return await retry(() =>
        runTransaction(prisma, async (tx) => {
          if (!(await lockUser(tx, options.userId))) return undefined;
          const isNew = await book(tx, { ...options, id, kind: "grant" });
          return { isNew, balance: await readBalance(tx, options.userId) };
        }),
      );
    },

    /** Books a payment in the same transaction in which its event becomes known, once per event and per `reference`. */
    async purchase(options: {
      userId: string;
      amount: number;
      reason: string;
      reference: string;
      eventId: string;
    }): Promise<PurchaseResult> {
      const { eventId, ...booking } = options;
      return await runTransaction(prisma, async (tx) => {
        const isNewEvent = await tx.$executeRaw`
          INSERT INTO "PaymentEvent" ("id") VALUES (${eventId}) ON CONFLICT DO NOTHING`;
        if (isNewEvent === 0) return { state: "known" };
        const isUser = await lockUser(tx, options.userId);
        const userId = isUser ? options.userId : null;
        const isNew = await book(tx, { ...booking, userId, id: createId(), kind: "purchase" });
        if (!isNew) return { state: "known" };
        return { state: isUser ? "booked" : "no_user" };
      });
    },

    /** What a user has bought or was granted and not spent; what is reserved counts as not spent. */
    async balance(userId: string): Promise<number> {
      return await readBalance(prisma, userId);
    },

    /** A page of a user's entries, newest first; pages count from 1. */
    async listEntries(options: {
      userId: string;
      page: number;
      pageSize: number;
    }): Promise<{ total: number; items: CreditEntry[] }> {
      const where = { userId: options.userId };
      const [total, rows] = await Promise.all([
        prisma.creditEntry.count({ where }),
        prisma.creditEntry.findMany({
          where,
          orderBy: [{ createdAt: "desc" }, { id: "desc" }],
          ...toSkipTake(options),
        }),
      ]);
      return { total, items: rows.map(toCreditEntry) };
    },

    /** Nothing to do: the books are kept. */
    async collectGarbage(): Promise<void> {},
  };
}

/** Takes one credit and writes its entry; false when there is none. */
export async function spendCredit(tx: Transaction, userId: string): Promise<boolean> {
  const taken = await tx.$executeRaw`
    UPDATE "CreditAccount" SET "purchased" = "purchased" - 1 WHERE "userId" = ${userId} AND "purchased" >= 1`;
  if (taken === 0) return false;
  await tx.$executeRaw`
    INSERT INTO "CreditEntry" ("id", "userId", "amount", "kind") VALUES (${createId()}, ${userId}, -1, 'spend')`;
  return true;
}

async function book(
  tx: Transaction,
  entry: {
    id: string;
    userId: string | null;
    amount: number;
    kind: "grant" | "purchase";
    reason: string;
    reference?: string | undefined;
  },
): Promise<boolean> {
  const { id, userId, amount, kind, reason, reference = null } = entry;
  const isNew = await tx.$executeRaw`
    INSERT INTO "CreditEntry" ("id", "userId", "amount", "kind", "reason", "reference")
    VALUES (${id}, ${userId}, ${amount}, ${kind}, ${reason}, ${reference}) ON CONFLICT DO NOTHING`;
  if (isNew === 0) return false;
  if (userId === null) return true;
  await tx.$executeRaw`
    INSERT INTO "CreditAccount" AS account ("userId", "purchased") VALUES (${userId}, ${amount})
    ON CONFLICT ("userId") DO UPDATE SET "purchased" = account."purchased" + excluded."purchased"`;
  return true;
}

// Nobody deletes the user before this transaction ends.
async function lockUser(tx: Transaction, userId: string): Promise<boolean> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT "id" FROM "User" WHERE "id" = ${userId} FOR KEY SHARE`;
  return rows.length === 1;
}

async function readBalance(tx: Transaction, userId: string): Promise<number> {
  return (await tx.creditAccount.findUnique({ where: { userId } }))?.purchased ?? 0;
}

function toCreditEntry({ userId: _userId, ...row }: CreditEntryRow): CreditEntry {
  return { ...row, kind: kinds.find((kind) => kind === row.kind) ?? "spend" };
}

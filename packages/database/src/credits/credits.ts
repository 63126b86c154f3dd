import { type NewAuditEntry, recordAudit } from "../accounts/audit.ts";
import { runTransaction, type Transaction } from "../connection/run-transaction.ts";
import { createId } from "../create-id.ts";
import type { CreditEntry as CreditEntryRow, PrismaClient } from "../generated/client.ts";
import { listPage, type Page } from "../page.ts";
import { addToBalance } from "./balance.ts";
import { recordEvent } from "./payments.ts";
import { createRefunds } from "./refunds.ts";

/**
 * One entry of the ledger: positive for granted, purchased or reinstated credits, negative for spent or
 * refunded ones.
 */
export type CreditEntry = {
  id: string;
  amount: number;
  kind: (typeof kinds)[number];
  reason: string | null;
  /** Identifies the booking, which happens once per reference; null for spent credits. */
  reference: string | null;
  createdAt: Date;
};

const kinds = ["grant", "purchase", "spend", "refund", "reinstatement"] as const;

/** The result of a purchase; `known`: booked before; `no_user`: booked without a user, who was deleted. */
export type PurchaseResult = { state: "booked" | "known" | "no_user" };

/** Purchased and granted credits: one ledger, whose sum is always the balance. */
export function createCredits(prisma: PrismaClient) {
  return {
    ...createRefunds(prisma),

    /**
     * Grants credits to a user, once per `reference` if there is one; `isNew` is false when the reference was
     * used before. Undefined for an unknown user. Throws CreditLimitError when the balance would exceed the
     * largest one.
     */
    async grant(options: {
      userId: string;
      amount: number;
      reason: string;
      reference?: string | undefined;
      audit?: NewAuditEntry | undefined;
    }): Promise<{ isNew: boolean; balance: number } | undefined> {
      return await runTransaction(prisma, async (tx) => {
        if (!(await lockUser(tx, options.userId))) return undefined;
        const isNew = await book(tx, { ...options, kind: "grant" });
        if (isNew && options.audit) await recordAudit(tx, options.audit);
        return { isNew, balance: await readBalance(tx, options.userId) };
      });
    },

    /** Books a payment and stores its event in one transaction, once per event and per `reference`. */
    async purchase(options: {
      userId: string;
      amount: number;
      reason: string;
      reference: string;
      eventId: string;
    }): Promise<PurchaseResult> {
      const { eventId, ...booking } = options;
      return await runTransaction(prisma, async (tx) => {
        if (!(await recordEvent(tx, eventId))) return { state: "known" };
        const isUser = await lockUser(tx, options.userId);
        const userId = isUser ? options.userId : null;
        const isNew = await book(tx, { ...booking, userId, kind: "purchase" });
        if (!isNew) return { state: "known" };
        return { state: isUser ? "booked" : "no_user" };
      });
    },

    /** The credits that a user has not spent, including reserved ones. */
    async balance(userId: string): Promise<number> {
      return await readBalance(prisma, userId);
    },

    /** The credits that were booked so far by kind, as positive numbers. It reads the whole ledger. */
    async sumByKind(): Promise<{ kind: CreditEntry["kind"]; credits: number }[]> {
      const sums = await prisma.creditEntry.groupBy({ by: ["kind"], _sum: { amount: true } });
      return kinds.map((kind) => {
        const sum = sums.find((row) => row.kind === kind)?._sum.amount ?? 0n;
        return { kind, credits: Math.abs(Number(sum)) };
      });
    },

    /** A page of a user's entries, newest first; pages count from 1. */
    async listEntries(options: Page & { userId: string }): Promise<{ total: number; items: CreditEntry[] }> {
      const where = { userId: options.userId };
      const { total, rows } = await listPage(prisma.creditEntry, options, where, (part) =>
        prisma.creditEntry.findMany({ ...part, orderBy: [{ createdAt: "desc" }, { id: "desc" }] }),
      );
      return { total, items: rows.map(toCreditEntry) };
    },
  };
}

async function book(
  tx: Transaction,
  entry: {
    userId: string | null;
    amount: number;
    kind: "grant" | "purchase";
    reason: string;
    reference?: string | undefined;
  },
): Promise<boolean> {
  const { userId, amount, kind, reason, reference = null } = entry;
  const isNew = await tx.$executeRaw`
    INSERT INTO "CreditEntry" ("id", "userId", "amount", "kind", "reason", "reference")
    VALUES (${createId()}, ${userId}, ${amount}::bigint, ${kind}, ${reason}, ${reference}) ON CONFLICT DO NOTHING`;
  if (isNew === 0) return false;
  if (userId === null) return true;
  await addToBalance(tx, userId, amount);
  return true;
}

// The lock prevents the deletion of the user until the transaction ends.
async function lockUser(tx: Transaction, userId: string): Promise<boolean> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT "id" FROM "User" WHERE "id" = ${userId} FOR KEY SHARE`;
  return rows.length === 1;
}

async function readBalance(tx: Transaction, userId: string): Promise<number> {
  return Number((await tx.creditAccount.findUnique({ where: { userId } }))?.purchased ?? 0);
}

function toCreditEntry({ userId: _userId, ...row }: CreditEntryRow): CreditEntry {
  return { ...row, amount: Number(row.amount), kind: kinds.find((kind) => kind === row.kind) ?? "spend" };
}

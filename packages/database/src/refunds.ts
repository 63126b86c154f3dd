import { createId } from "./create-id.ts";
import type { PrismaClient } from "./generated/client.ts";
import { runTransaction, type Transaction } from "./run-transaction.ts";

/**
 * What became of a refund: `taken` says how many credits it took; `known`: this event, or one that took as much of the purchase
 * back, was dealt with before; `no_user`: whoever bought is gone.
 */
export type RefundResult =
  | { state: "booked"; taken: number }
  | { state: "known" | "no_user" }
  | { state: "no_purchase" };

export function createRefunds(prisma: PrismaClient) {
  return {
    /**
     * Takes credits of a purchase back, when of the money `paid` so much is `refunded` in all, earlier refunds included; never
     * more credits than the buyer still has. Nothing is remembered of an event whose purchase is not known.
     */
    async refund(options: {
      /** Of the purchase. */
      reference: string;
      refunded: number;
      paid: number;
      reason: string;
      eventId: string;
    }): Promise<RefundResult> {
      const { reference, refunded, paid, reason, eventId } = options;
      return await runTransaction(prisma, async (tx): Promise<RefundResult> => {
        const purchase = await tx.creditEntry.findUnique({ where: { reference } });
        if (purchase?.kind !== "purchase") return { state: "no_purchase" };
        const { userId } = purchase;
        const isNewEvent = await tx.$executeRaw`
          INSERT INTO "PaymentEvent" ("id") VALUES (${eventId}) ON CONFLICT DO NOTHING`;
        if (isNewEvent === 0) return { state: "known" };
        if (userId === null) return { state: "no_user" };
        const balance = await lockBalance(tx, userId);
        const owed = Math.floor((purchase.amount * Math.min(refunded, paid)) / paid);
        const owedBefore = await readOwed(tx, reference);
        if (owed <= owedBefore) return { state: "known" };
        const taken = Math.min(balance, owed - owedBefore);
        await tx.$executeRaw`
          UPDATE "CreditAccount" SET "purchased" = "purchased" - ${taken} WHERE "userId" = ${userId}`;
        await tx.$executeRaw`
          INSERT INTO "CreditEntry" ("id", "userId", "amount", "kind", "reason", "reference")
          VALUES (${createId()}, ${userId}, ${-taken}, 'refund', ${reason}, ${`${reference}${mark}${owed}`})`;
        return { state: "booked", taken };
      });
    },
  };
}

/** Between a purchase's reference and how much of it is owed back by now, in the reference of a refund. */
const mark = ":refund:";

async function lockBalance(tx: Transaction, userId: string): Promise<number> {
  const [account] = await tx.$queryRaw<{ purchased: number }[]>`
    SELECT "purchased" FROM "CreditAccount" WHERE "userId" = ${userId} FOR UPDATE`;
  return account?.purchased ?? 0;
}

async function readOwed(tx: Transaction, reference: string): Promise<number> {
  const refunds = await tx.creditEntry.findMany({
    where: { kind: "refund", reference: { startsWith: `${reference}${mark}` } },
  });
  return Math.max(0, ...refunds.map((entry) => Number(entry.reference?.split(mark)[1])));
}

import { runTransaction, type Transaction } from "../connection/run-transaction.ts";
import { createId } from "../create-id.ts";
import type { PrismaClient } from "../generated/client.ts";

/**
 * The result of a refund: `taken` is the number of withdrawn credits; `known`: this event, or another one for
 * the same amount of the purchase, was processed before; `no_user`: the buyer was deleted.
 */
export type RefundResult =
  | { state: "booked"; taken: number }
  | { state: "known" | "no_user" }
  | { state: "no_purchase" };

export function createRefunds(prisma: PrismaClient) {
  return {
    /**
     * Withdraws credits of a purchase in proportion to `refunded` of `paid`, where `refunded` includes
     * earlier refunds, but never more credits than the buyer has. An event of an unknown purchase is not
     * stored.
     */
    async refund(options: {
      /** The reference of the purchase. */
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

/** The reference of a refund is the purchase's, this mark, and the number of credits to withdraw in total. */
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

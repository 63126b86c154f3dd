import type { Transaction } from "../connection/run-transaction.ts";
import type { PrismaClient } from "../generated/client.ts";

/** The processed events of the payment provider; `credits.purchase` and `credits.refund` add theirs. */
export function createPayments(prisma: PrismaClient) {
  return {
    /** Stores an event that changes no credits. */
    async remember(eventId: string): Promise<void> {
      await recordEvent(prisma, eventId);
    },

    /** Deletes events after 90 days; the reference in the ledger still identifies a payment. */
    async collectGarbage(): Promise<void> {
      await prisma.$executeRaw`
        DELETE FROM "PaymentEvent" WHERE "createdAt" < now() - interval '90 days'`;
    },
  };
}

/** Stores an event; false when it is stored already. */
export async function recordEvent(tx: Pick<Transaction, "$executeRaw">, eventId: string): Promise<boolean> {
  const created = await tx.$executeRaw`
    INSERT INTO "PaymentEvent" ("id") VALUES (${eventId}) ON CONFLICT DO NOTHING`;
  return created > 0;
}

import type { PrismaClient } from "../generated/client.ts";

/** The processed events of the payment provider; `credits.purchase` and `credits.refund` add theirs. */
export function createPayments(prisma: PrismaClient) {
  return {
    /** Stores an event that changes no credits. */
    async remember(eventId: string): Promise<void> {
      await prisma.$executeRaw`INSERT INTO "PaymentEvent" ("id") VALUES (${eventId}) ON CONFLICT DO NOTHING`;
    },

    /** Deletes events after 90 days; the reference in the ledger still identifies a payment. */
    async collectGarbage(): Promise<void> {
      await prisma.$executeRaw`
        DELETE FROM "PaymentEvent" WHERE "createdAt" < now() - interval '90 days'`;
    },
  };
}

import type { PrismaClient } from "./generated/client.ts";

/** The payment provider's events that were dealt with; `credits.purchase` adds those that bring credits. */
export type PaymentStore = ReturnType<typeof createPayments>;

export function createPayments(prisma: PrismaClient) {
  return {
    /** Whether an event was dealt with. */
    async isKnown(eventId: string): Promise<boolean> {
      return (await prisma.paymentEvent.findUnique({ where: { id: eventId } })) !== null;
    },

    /** Remembers an event that brings no credits. */
    async remember(eventId: string): Promise<void> {
      await prisma.$executeRaw`INSERT INTO "PaymentEvent" ("id") VALUES (${eventId}) ON CONFLICT DO NOTHING`;
    },

    /** Forgets events after 90 days; a payment itself stays known by its reference. */
    async collectGarbage(): Promise<void> {
      await prisma.$executeRaw`
        DELETE FROM "PaymentEvent" WHERE "createdAt" < now() - interval '90 days'`;
    },
  };
}

import { runTransaction, type Transaction } from "../connection/run-transaction.ts";
import { createId } from "../create-id.ts";
import type { PrismaClient } from "../generated/client.ts";
import { addToBalance } from "./balance.ts";
import { recordEvent } from "./payments.ts";

/**
 * The result of a refund: `taken` is the number of withdrawn credits; `known`: this event, or another one for
 * the same amount of the purchase, was processed before; `no_user`: the buyer was deleted.
 */
export type RefundResult =
  | { state: "booked"; taken: number }
  | { state: "known" | "no_user" }
  | { state: "no_purchase" };

/**
 * The result of a dispute that was won: `restored` credits; `known`: this event was processed before, or a
 * refund covers the whole purchase; `no_dispute`: the dispute has not withdrawn credits yet; `no_user`: the
 * buyer was deleted.
 */
export type ReinstatementResult =
  | { state: "booked"; restored: number }
  | { state: "known" | "no_user" | "no_dispute" | "no_purchase" };

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
        if (!(await recordEvent(tx, eventId))) return { state: "known" };
        if (userId === null) return { state: "no_user" };
        const balance = await lockBalance(tx, userId);
        const owed = Number((purchase.amount * BigInt(Math.min(refunded, paid))) / BigInt(paid));
        const owedBefore = await readOwed(tx, reference);
        if (owed <= owedBefore) return { state: "known" };
        const taken = Math.min(balance, owed - owedBefore);
        await tx.$executeRaw`
          UPDATE "CreditAccount" SET "purchased" = "purchased" - ${taken}::bigint WHERE "userId" = ${userId}`;
        await tx.$executeRaw`
          INSERT INTO "CreditEntry" ("id", "userId", "amount", "kind", "reason", "reference")
          VALUES (${createId()}, ${userId}, ${-taken}::bigint, 'refund', ${reason}, ${`${reference}${mark}${owed}`})`;
        return { state: "booked", taken };
      });
    },

    /**
     * Restores the credits that a dispute of a purchase has withdrawn, where `reason` is the one of its
     * refund. A later refund of the purchase withdraws credits again. An event of an unknown purchase or
     * dispute is not stored.
     */
    async reinstate(options: {
      /** The reference of the purchase. */
      reference: string;
      reason: string;
      eventId: string;
    }): Promise<ReinstatementResult> {
      const { reference, reason, eventId } = options;
      return await runTransaction(prisma, async (tx): Promise<ReinstatementResult> => {
        const purchase = await tx.creditEntry.findUnique({ where: { reference } });
        if (purchase?.kind !== "purchase") return { state: "no_purchase" };
        const { userId } = purchase;
        if (userId !== null) await lockBalance(tx, userId);
        const dispute = await tx.creditEntry.findFirst({
          where: { kind: "refund", reason, reference: { startsWith: `${reference}${mark}` } },
        });
        const isRefunded = (await readOwed(tx, reference)) >= Number(purchase.amount);
        if (dispute === null && userId !== null && !isRefunded && !(await isKnown(tx, eventId))) {
          return { state: "no_dispute" };
        }
        if (!(await recordEvent(tx, eventId))) return { state: "known" };
        if (userId === null) return { state: "no_user" };
        if (dispute === null) return { state: "known" };
        // Without the mark, the entry does not count as owed any more, and a second dispute can use its
        // reference.
        await tx.creditEntry.update({
          where: { id: dispute.id },
          data: { reference: `${reference}:dispute:${dispute.id}` },
        });
        const restored = -Number(dispute.amount);
        await addToBalance(tx, userId, restored);
        await tx.$executeRaw`
          INSERT INTO "CreditEntry" ("id", "userId", "amount", "kind", "reason", "reference")
          VALUES (${createId()}, ${userId}, ${restored}::bigint, 'reinstatement', ${`${reason} won`},
            ${`${reference}:reinstatement:${dispute.id}`})`;
        return { state: "booked", restored };
      });
    },
  };
}

/** The reference of a refund is the purchase's, this mark, and the number of credits to withdraw in total. */
const mark = ":refund:";

async function lockBalance(tx: Transaction, userId: string): Promise<number> {
  const [account] = await tx.$queryRaw<{ purchased: bigint }[]>`
    SELECT "purchased" FROM "CreditAccount" WHERE "userId" = ${userId} FOR UPDATE`;
  return Number(account?.purchased ?? 0);
}

async function isKnown(tx: Transaction, eventId: string): Promise<boolean> {
  return (await tx.paymentEvent.findUnique({ where: { id: eventId } })) !== null;
}

async function readOwed(tx: Transaction, reference: string): Promise<number> {
  const refunds = await tx.creditEntry.findMany({
    where: { kind: "refund", reference: { startsWith: `${reference}${mark}` } },
  });
  return Math.max(0, ...refunds.map((entry) => Number(entry.reference?.split(mark)[1])));
}

import type { PrismaClient, Search as SearchRow } from "./generated/client.ts";
import { keepAnswer } from "./idempotency.ts";
import type { JsonValue } from "./json-value.ts";
import { settleReservation } from "./quota.ts";
import { runTransaction, type Transaction } from "./run-transaction.ts";

/** One answered search; the caller is a keyed HMAC. */
export type Search = {
  id: string;
  callerHash: string;
  isPublic: boolean;
  confirmTokenHash: string;
  queryKind: "file" | "url";
  matches: JsonValue;
  createdAt: Date;
};

/** The answered searches, and the one transaction that settles what an answer costs. */
export type SearchStore = ReturnType<typeof createSearches>;

export function createSearches(prisma: PrismaClient) {
  return {
    /**
     * In one transaction: the reservation counts for good, the search is stored, the idempotent answer kept. False when
     * the reservation or the hold on the idempotency key has expired or is another's: then nothing is written.
     * The same search settled again gives true and changes nothing.
     */
    async settle(answered: {
      search: Omit<Search, "createdAt">;
      reservation: { id: string; owner: string };
      idempotency?: { key: string; owner: string; answer: JsonValue } | undefined;
    }): Promise<boolean> {
      try {
        await runTransaction(prisma, (tx) => settle(tx, answered));
        return true;
      } catch (error) {
        if (error instanceof LeaseExpired) return false;
        throw error;
      }
    },

    /** A search that is still kept. */
    async get(id: string): Promise<Search | undefined> {
      const row = await prisma.search.findUnique({ where: { id } });
      return row === null ? undefined : toSearch(row);
    },

    /** Deletes searches older than 24 hours. */
    async collectGarbage(): Promise<void> {
      await prisma.$executeRaw`DELETE FROM "Search" WHERE "createdAt" < clock_timestamp() - interval '24 hours'`;
    },
  };
}

// Thrown to undo the transaction.
class LeaseExpired extends Error {}

async function settle(
  tx: Transaction,
  answered: Parameters<ReturnType<typeof createSearches>["settle"]>[0],
): Promise<void> {
  const { search, reservation, idempotency } = answered;
  const { id, callerHash, isPublic, confirmTokenHash, queryKind } = search;
  const isSettled = await settleReservation(tx, { ...reservation, callerHash });
  if (!isSettled) {
    const known = await tx.search.findUnique({ where: { id } });
    if (known?.callerHash === callerHash) return;
    throw new LeaseExpired();
  }
  if (idempotency !== undefined && !(await keepAnswer(tx, { ...idempotency, callerHash })))
    throw new LeaseExpired();
  await tx.$executeRaw`
    INSERT INTO "Search" ("id", "callerHash", "isPublic", "confirmTokenHash", "queryKind", "matches")
    VALUES (${id}, ${callerHash}, ${isPublic}, ${confirmTokenHash}, ${queryKind}, ${JSON.stringify(search.matches)}::jsonb)`;
}

function toSearch(row: SearchRow): Search {
  return { ...row, queryKind: row.queryKind === "url" ? "url" : "file" };
}

import type { Query } from "../connection/query.ts";
import { runTransaction, type Transaction } from "../connection/run-transaction.ts";
import type { PrismaClient } from "../generated/client.ts";

/** One change of the searchable episodes for one model. */
export type LibraryChange = { seq: bigint; episodeId: string; kind: "ready" | "removed" };

/** The numbered changes of the library, from which an index is updated. */
export function createLibraryChanges(prisma: PrismaClient, query: Query) {
  return {
    /** The number of the newest change; 0 before the first one. */
    async currentSeq(): Promise<bigint> {
      const [state] = await query<{ seq: string }>(`SELECT "seq" FROM "LibraryState" WHERE "id" = 1`, []);
      if (state === undefined) throw new Error("The state of the library is missing.");
      return BigInt(state.seq);
    },

    /**
     * Removals before this number may be deleted already: a follower with an older number must load
     * everything again.
     */
    async oldestSeq(): Promise<bigint> {
      return (await prisma.libraryState.findUniqueOrThrow({ where: { id: 1 } })).oldestSeq;
    },

    /**
     * At most `limit` changes after `seq`, in order, and only the latest one of each episode. An episode that
     * is published only with other models counts as `removed`.
     */
    async listSince(seq: bigint, modelId: string, limit: number): Promise<LibraryChange[]> {
      return await prisma.$queryRaw<LibraryChange[]>`
        SELECT "seq", "episodeId", CASE WHEN "modelId" = ${modelId} THEN 'ready' ELSE 'removed' END AS "kind"
          FROM "DescriptorSet" d WHERE "seq" > ${seq} AND ("modelId" = ${modelId} OR NOT EXISTS (
            SELECT 1 FROM "DescriptorSet" o
            WHERE o."episodeId" = d."episodeId" AND o."modelId" = ${modelId} AND o."seq" IS NOT NULL))
        UNION ALL
        SELECT "seq", "episodeId", 'removed' AS "kind" FROM "RemovedEpisode" WHERE "seq" > ${seq}
        ORDER BY "seq" LIMIT ${limit}`;
    },

    /** Deletes tombstones that are older than 30 days. */
    async collectGarbage(): Promise<void> {
      await runTransaction(prisma, async (tx) => {
        const [newest] = await tx.$queryRaw<{ seq: bigint | null }[]>`
          SELECT max("seq") AS "seq" FROM "RemovedEpisode" WHERE "removedAt" < clock_timestamp() - interval '30 days'`;
        if (newest === undefined || newest.seq === null) return;
        await tx.$executeRaw`UPDATE "LibraryState" SET "oldestSeq" = greatest("oldestSeq", ${newest.seq})`;
        await tx.$executeRaw`DELETE FROM "RemovedEpisode" WHERE "seq" <= ${newest.seq}`;
      });
    },
  };
}

/**
 * Takes the next numbers for `count` changes and returns the last one. The row stays locked until the
 * transaction ends, so changes become visible in the order of their numbers: a follower never reads 8 before
 * 7.
 */
export async function takeChangeSeqs(tx: Transaction, count: number): Promise<bigint> {
  const { seq } = await tx.libraryState.update({ where: { id: 1 }, data: { seq: { increment: count } } });
  return seq;
}

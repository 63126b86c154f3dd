import type { PrismaClient } from "./generated/client.ts";
import { runTransaction, type Transaction } from "./run-transaction.ts";

/** One change of what is searchable, as somebody sees it who serves one model. */
export type LibraryChange = { seq: bigint; episodeId: string; kind: "ready" | "removed" };

/** The numbered changes of the library, for those who keep something in step with it. */
export type LibraryChangeStore = ReturnType<typeof createLibraryChanges>;

export function createLibraryChanges(prisma: PrismaClient) {
  return {
    /** The number of the newest change; 0 before the first. */
    async currentSeq(): Promise<bigint> {
      return (await prisma.libraryState.findUniqueOrThrow({ where: { id: 1 } })).seq;
    },

    /** Who last looked before this number may have missed removals that are forgotten, and must load all anew. */
    async oldestSeq(): Promise<bigint> {
      return (await prisma.libraryState.findUniqueOrThrow({ where: { id: 1 } })).oldestSeq;
    },

    /**
     * At most `limit` changes after `seq`, in order; of one episode only the latest. An episode that is published with
     * other models only is `removed` for this one.
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

    /** Throws tombstones away that are older than 30 days. */
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
 * Takes the next numbers for `count` changes and gives the last of them. The row stays locked until the transaction
 * ends, so that changes become visible in the order of their numbers: a follower never sees 8 before 7.
 */
export async function takeChangeSeqs(tx: Transaction, count: number): Promise<bigint> {
  const { seq } = await tx.libraryState.update({ where: { id: 1 }, data: { seq: { increment: count } } });
  return seq;
}

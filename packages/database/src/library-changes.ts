import type { PrismaClient } from "./generated/client.ts";
import type { Transaction } from "./run-transaction.ts";

/** One change of what is searchable, as somebody sees it who serves one model. */
export type LibraryChange = { seq: bigint; episodeId: string; kind: "ready" | "removed" };

/** The numbered changes of the library, for those who keep something in step with it. */
export type LibraryChangeStore = ReturnType<typeof createLibraryChanges>;

export function createLibraryChanges(prisma: PrismaClient) {
  return {
    /** The number of the newest change; 0 before the first. */
    async currentSeq(): Promise<bigint> {
      throw new Error("not written");
    },

    /** Who last looked before this number has missed removals that are no longer known and must load all anew. */
    async oldestSeq(): Promise<bigint> {
      throw new Error("not written");
    },

    /**
     * At most `limit` changes after `seq`, in order; of one episode only the latest. An episode published
     * with another model is `removed` for this one.
     */
    async since(seq: bigint, modelId: string, limit: number): Promise<LibraryChange[]> {
      throw new Error("not written");
    },

    /** Throws tombstones away that are older than 30 days. */
    async collectGarbage(): Promise<void> {
      throw new Error("not written");
    },
  };
}

export async function nextChangeSeq(tx: Transaction): Promise<bigint> {
  throw new Error("not written");
}

import type { Prisma, PrismaClient } from "./generated/client.ts";

/** The client inside a transaction. */
export type Transaction = Prisma.TransactionClient;

/** Runs `work` in one transaction at READ COMMITTED, rolled back when it throws or takes longer than 20 seconds. */
export async function runTransaction<Result>(
  prisma: PrismaClient,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  return await prisma.$transaction(work, { maxWait: 20_000, timeout: 20_000 });
}

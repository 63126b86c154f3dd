import pRetry from "p-retry";
import type { Prisma, PrismaClient } from "../generated/client.ts";
import { isSerializationFailure } from "./database-errors.ts";

/** The client inside a transaction. */
export type Transaction = Prisma.TransactionClient;

/**
 * Runs `work` in one transaction at READ COMMITTED, rolled back when it throws or takes longer than 20
 * seconds. Runs it again after a serialization failure or a deadlock, which roll the transaction back, up to
 * five times.
 */
export async function runTransaction<Result>(
  prisma: PrismaClient,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  return await repeatConflicting(() => prisma.$transaction(work, { maxWait: 20_000, timeout: 20_000 }));
}

/** Runs `work`, which is one statement or one transaction, and repeats it as `runTransaction` does. */
export async function repeatConflicting<Result>(work: () => Promise<Result>): Promise<Result> {
  return await pRetry(work, {
    retries: 5,
    minTimeout: 40,
    randomize: true,
    shouldRetry: ({ error }) => isSerializationFailure(error),
  });
}

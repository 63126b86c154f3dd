import type { Transaction } from "../connection/run-transaction.ts";
import { CreditLimitError } from "../errors.ts";

/** The largest balance, which JSON numbers (up to 2^53) represent exactly together with the free credits. */
const creditLimit = 9_000_000_000_000_000;

/** Adds credits to a balance. Throws CreditLimitError. */
export async function addToBalance(tx: Transaction, userId: string, amount: number): Promise<void> {
  const added = await tx.$executeRaw`
    INSERT INTO "CreditAccount" AS account ("userId", "purchased")
    SELECT ${userId}, ${amount}::bigint WHERE ${amount}::bigint <= ${creditLimit}::bigint
    ON CONFLICT ("userId") DO UPDATE SET "purchased" = account."purchased" + excluded."purchased"
      WHERE account."purchased" + excluded."purchased" <= ${creditLimit}::bigint`;
  if (added === 0) throw new CreditLimitError(creditLimit);
}

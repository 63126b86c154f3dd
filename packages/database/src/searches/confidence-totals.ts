import type { Transaction } from "../connection/run-transaction.ts";
import type { PrismaClient, Search as SearchRow } from "../generated/client.ts";
import { toDay } from "./search-counts.ts";

/** The confirmed searches of a UTC week whose first match was confident. */
export type ConfidenceWeek = {
  /** The Monday of the week ("2026-11-16"). */
  firstDay: string;
  /** Searches of which the first match was confirmed. */
  right: number;
  /** Searches of which another match was confirmed, or none. */
  wrong: number;
};

export function createConfidenceTotals(prisma: PrismaClient) {
  return {
    /** The weeks from the week of `from`, oldest first, without those that have no confirmed search. */
    async listConfidence(options: { from: Date }): Promise<ConfidenceWeek[]> {
      return await prisma.$queryRaw<ConfidenceWeek[]>`
        SELECT to_char(date_trunc('week', "day"::timestamp), 'YYYY-MM-DD') AS "firstDay",
          sum("right")::int AS "right", sum("wrong")::int AS "wrong"
        FROM "ConfidenceTotal" WHERE "day" >= date_trunc('week', ${toDay(options.from)}::timestamp)
        GROUP BY 1 HAVING sum("right") + sum("wrong") > 0 ORDER BY 1`;
    },
  };
}

/** Counts the new confirmation of a search instead of its former one; null: none. */
export async function changeConfidenceTotals(
  tx: Transaction,
  row: SearchRow,
  confirmedRank: number | null,
): Promise<void> {
  if (row.outcome !== "found") return;
  const count = (rank: number | null) => ({
    right: rank === 1 ? 1 : 0,
    wrong: rank !== null && rank !== 1 ? 1 : 0,
  });
  const before = count(row.confirmedRank);
  const now = count(confirmedRank);
  const [right, wrong] = [now.right - before.right, now.wrong - before.wrong];
  if (right === 0 && wrong === 0) return;
  await tx.$executeRaw`
    INSERT INTO "ConfidenceTotal" AS known ("day", "right", "wrong")
    VALUES (${toDay(row.createdAt)}::date, ${right}, ${wrong})
    ON CONFLICT ("day") DO UPDATE SET
      "right" = known."right" + excluded."right", "wrong" = known."wrong" + excluded."wrong"`;
}

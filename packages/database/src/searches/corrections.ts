import type { Transaction } from "../connection/run-transaction.ts";
import { type Correction as CorrectionRow, Prisma, type PrismaClient } from "../generated/client.ts";
import { listPage, type Page } from "../page.ts";
import { type StoredMatch, toMatches } from "./search-row.ts";
import type { SearchAging } from "./searches-aging.ts";

/** An anime of the library, or a text in its place, and the number of the episode, as far as the maker of a search knows them. */
export type CorrectedScene = { text: string | null; animeId: string | null; number: string | null };

/** What the maker of a search says that its image shows. */
export type Correction = CorrectedScene & {
  searchId: string;
  /** The first match of the search. */
  match: StoredMatch | undefined;
  createdAt: Date;
};

/** The corrections that no operator has settled. */
export function createCorrections(prisma: PrismaClient) {
  return {
    /** A page of corrections, newest first; pages count from 1. */
    async list(options: Page): Promise<{ total: number; items: Correction[] }> {
      const { total, rows } = await listPage(prisma.correction, options, {}, (part) =>
        prisma.correction.findMany({ ...part, orderBy: [{ createdAt: "desc" }, { searchId: "asc" }] }),
      );
      return { total, items: rows.map(toCorrection) };
    },

    /** The correction of a search. */
    async find(searchId: string): Promise<Correction | undefined> {
      const row = await prisma.correction.findUnique({ where: { searchId } });
      return row === null ? undefined : toCorrection(row);
    },

    /** Deletes a correction; false when there is none. */
    async remove(searchId: string): Promise<boolean> {
      return (await prisma.correction.deleteMany({ where: { searchId } })).count > 0;
    },

    /** Deletes the corrections that are older than the histories. */
    async collectGarbage({ at, historyDays }: SearchAging): Promise<void> {
      if (historyDays === undefined) return;
      const before = new Date(at.getTime() - historyDays * dayMs);
      await prisma.correction.deleteMany({ where: { createdAt: { lte: before } } });
    },
  };
}

function toCorrection({ match, ...row }: CorrectionRow): Correction {
  return { ...row, match: toMatches([match])[0] };
}

const dayMs = 24 * 60 * 60 * 1000;

/** Replaces the correction of a search; undefined deletes it. */
export async function replaceCorrection(
  tx: Transaction,
  searchId: string,
  correction: Omit<Correction, "searchId"> | undefined,
): Promise<void> {
  await tx.correction.deleteMany({ where: { searchId } });
  if (correction === undefined) return;
  const { match, ...rest } = correction;
  await tx.correction.create({ data: { searchId, match: match ?? Prisma.DbNull, ...rest } });
}

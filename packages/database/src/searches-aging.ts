import { Prisma, type PrismaClient } from "./generated/client.ts";
import { openMs } from "./search-row.ts";

/** What the age of searches is measured by: now, and the days for which users' histories are kept. */
export type SearchAging = { at: Date; historyDays: number };

/**
 * What an UPDATE of "Search" sets so that nothing tells who asked. The time goes too, down to the day: compared with that of
 * a spent credit, it would tell.
 */
export const anonymised = Prisma.sql`
  "callerHash" = NULL, "confirmTokenHash" = NULL, "inHistory" = false, "anonymisedAt" = clock_timestamp(),
  "createdAt" = date_trunc('day', "createdAt", 'UTC')`;

const dayMs = 24 * 60 * 60 * 1000;
const batch = 2000;

/** Deletes or anonymises searches that are too old, in batches, so that no transaction is long. */
export async function collectSearchGarbage(prisma: PrismaClient, aging: SearchAging): Promise<void> {
  for (const { inHistory, retentionMs } of [
    { inHistory: false, retentionMs: openMs },
    { inHistory: true, retentionMs: aging.historyDays * dayMs },
  ]) {
    const before = new Date(aging.at.getTime() - retentionMs);
    await repeat(() => deleteUnlisted(prisma, inHistory, before));
    await repeat(() => anonymiseListed(prisma, inHistory, before));
  }
}

async function deleteUnlisted(prisma: PrismaClient, inHistory: boolean, before: Date): Promise<number> {
  return await prisma.$executeRaw`
    DELETE FROM "Search" WHERE "id" IN (
      SELECT "id" FROM "Search"
      WHERE "anonymisedAt" IS NULL AND "inHistory" = ${inHistory} AND "createdAt" <= ${before} AND "listedAnimeId" IS NULL
      LIMIT ${batch} FOR UPDATE SKIP LOCKED)`;
}

async function anonymiseListed(prisma: PrismaClient, inHistory: boolean, before: Date): Promise<number> {
  return await prisma.$executeRaw`
    UPDATE "Search" SET ${anonymised}
    WHERE "id" IN (
      SELECT "id" FROM "Search"
      WHERE "anonymisedAt" IS NULL AND "inHistory" = ${inHistory} AND "createdAt" <= ${before} AND "listedAnimeId" IS NOT NULL
      LIMIT ${batch} FOR UPDATE SKIP LOCKED)`;
}

async function repeat(work: () => Promise<number>): Promise<void> {
  while ((await work()) === batch);
}

import { Prisma, type PrismaClient } from "../generated/client.ts";
import { openMs } from "./search-row.ts";

/**
 * The current time, and the numbers of days for which users' histories and missing scenes are stored; without a
 * number they stay, so that only programs with the settings of the site delete them.
 */
export type SearchAging = { at: Date; historyDays?: number | undefined; missingDays?: number | undefined };

/**
 * The columns that an UPDATE of "Search" sets to remove the reference to its caller. The time is cut to the
 * day, because the time of a spent credit would identify the user.
 */
export const anonymised = Prisma.sql`
  "callerHash" = NULL, "confirmTokenHash" = NULL, "inHistory" = false, "anonymisedAt" = clock_timestamp(),
  "createdAt" = date_trunc('day', "createdAt", 'UTC')`;

const dayMs = 24 * 60 * 60 * 1000;
const batch = 2000;

/** Deletes or anonymises old searches in batches, which keeps the transactions short. */
export async function collectSearchGarbage(prisma: PrismaClient, aging: SearchAging): Promise<void> {
  const { historyDays } = aging;
  for (const { inHistory, retentionMs } of [
    { inHistory: false, retentionMs: openMs },
    ...(historyDays === undefined ? [] : [{ inHistory: true, retentionMs: historyDays * dayMs }]),
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

import { Prisma, type PrismaClient } from "../generated/client.ts";

/** The length of the ranges of time that searches are grouped by, in UTC. */
export type TimeUnit = "minute" | "hour" | "day";

/** The values below which these shares of searches are: 0, 10, 25, 50, 75, 90 and 100 %. */
export type Percentiles = Record<"p0" | "p10" | "p25" | "p50" | "p75" | "p90" | "p100", number>;

type Range = { unit: TimeUnit; from: Date };

/** Settled searches that are still stored, grouped by time; those of a guest are stored for a day. */
export function createSearchTimes(prisma: PrismaClient) {
  return {
    /** The numbers of searches of all callers or of one, oldest first, without zeros. */
    async countByTime({
      unit,
      from,
      callerHash,
    }: Range & { callerHash?: string | undefined }): Promise<{ at: Date; searches: number }[]> {
      const isMeant = callerHash === undefined ? Prisma.sql`true` : Prisma.sql`"callerHash" = ${callerHash}`;
      return await prisma.$queryRaw`
        SELECT date_trunc(${unit}, "createdAt", 'UTC') AS "at", count(*)::int AS "searches"
        FROM "Search" WHERE "createdAt" > ${from} AND ${isMeant} GROUP BY 1 ORDER BY 1`;
    },

    /** Percentiles of the durations in milliseconds, or of the similarities of the best matches, oldest first. */
    async measureByTime({
      unit,
      from,
      value,
    }: Range & { value: "duration" | "similarity" }): Promise<(Percentiles & { at: Date })[]> {
      const measured =
        value === "duration"
          ? Prisma.sql`"tookMs"::float8`
          : Prisma.sql`coalesce(("matches"->0->>'similarity')::float8, 0)`;
      const rows = await prisma.$queryRaw<{ at: Date; values: number[] }[]>`
        SELECT date_trunc(${unit}, "createdAt", 'UTC') AS "at",
          percentile_disc(ARRAY[0, 0.1, 0.25, 0.5, 0.75, 0.9, 1]) WITHIN GROUP (ORDER BY ${measured}) AS "values"
        FROM "Search" WHERE "createdAt" > ${from} GROUP BY 1 ORDER BY 1`;
      return rows.map(({ at, values: [p0 = 0, p10 = 0, p25 = 0, p50 = 0, p75 = 0, p90 = 0, p100 = 0] }) => ({
        at,
        ...{ p0, p10, p25, p50, p75, p90, p100 },
      }));
    },
  };
}

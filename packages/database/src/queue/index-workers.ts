import { createId } from "../create-id.ts";
import type { PrismaClient } from "../generated/client.ts";

/** A worker that is running, or was killed less than a day ago. */
export type IndexWorker = {
  id: string;
  /** "host:pid" */
  name: string;
  startedAt: Date;
  /** The time since the last heartbeat, by the clock of the database. */
  heartbeatAgeSeconds: number;
  videosDone: number;
  /** Failed attempts. */
  failures: number;
  /** The paths of the videos that it indexes now. */
  paths: string[];
};

export function createIndexWorkers(prisma: PrismaClient) {
  return {
    /** Registers a worker and returns its id. */
    async registerWorker(name: string): Promise<string> {
      const id = createId();
      await prisma.$executeRaw`
        INSERT INTO "IndexWorker" ("id", "name", "startedAt", "lastSeenAt")
        VALUES (${id}, ${name}, clock_timestamp(), clock_timestamp())`;
      return id;
    },

    /** Stores a heartbeat of a worker and adds to its numbers. */
    async beat(
      id: string,
      add: { videosDone?: number | undefined; failures?: number | undefined } = {},
    ): Promise<void> {
      await prisma.$executeRaw`
        UPDATE "IndexWorker" SET "lastSeenAt" = clock_timestamp(),
          "videosDone" = "videosDone" + ${add.videosDone ?? 0}, "failures" = "failures" + ${add.failures ?? 0}
        WHERE "id" = ${id}`;
    },

    async removeWorker(id: string): Promise<void> {
      await prisma.indexWorker.deleteMany({ where: { id } });
    },

    /** All workers by name. */
    async listWorkers(): Promise<IndexWorker[]> {
      return await prisma.$queryRaw<IndexWorker[]>`
        SELECT w."id", w."name", w."startedAt", w."videosDone", w."failures",
          greatest(0, extract(epoch FROM clock_timestamp() - w."lastSeenAt"))::float8 AS "heartbeatAgeSeconds",
          coalesce(array_agg(q."path" ORDER BY q."path") FILTER (WHERE q."path" IS NOT NULL), '{}') AS "paths"
        FROM "IndexWorker" w LEFT JOIN "QueuedVideo" q ON q."claimWorkerId" = w."id"
          AND q."state" = 'running' AND q."claimExpiresAt" > clock_timestamp()
        GROUP BY w."id" ORDER BY w."name", w."startedAt"`;
    },

    /** Deletes workers that were killed more than a day ago. */
    async collectGarbage(): Promise<void> {
      await prisma.$executeRaw`
        DELETE FROM "IndexWorker" WHERE "lastSeenAt" < clock_timestamp() - interval '1 day'`;
    },
  };
}

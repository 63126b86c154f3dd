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
  /** Where it serves previews, as "host:port"; null: nowhere. */
  previewAddress: string | null;
  /** The paths of the videos that it indexes now. */
  paths: string[];
};

export function createIndexWorkers(prisma: PrismaClient) {
  return {
    /**
     * Registers a worker and returns its id. `folders`: those of the videos that it can read; default: all.
     * `previewAddress`: where it serves their previews, as "host:port".
     */
    async registerWorker(
      name: string,
      o: { folders?: readonly string[] | undefined; previewAddress?: string | undefined } = {},
    ): Promise<string> {
      const id = createId();
      await prisma.$executeRaw`
        INSERT INTO "IndexWorker" ("id", "name", "startedAt", "lastSeenAt", "previewAddress", "folders")
        VALUES (${id}, ${name}, clock_timestamp(), clock_timestamp(), ${o.previewAddress ?? null}::text,
          ${o.folders ?? []}::text[])`;
      return id;
    },

    /**
     * The addresses of workers that serve previews of the video at this path and have a recent heartbeat. The
     * order is the same for each request of one video, so that its previews are in the cache of one worker.
     */
    async listPreviewAddresses(
      path: string,
      o: { seenWithinSeconds: number; limit: number },
    ): Promise<string[]> {
      const rows = await prisma.$queryRaw<{ previewAddress: string }[]>`
        SELECT "previewAddress" FROM "IndexWorker"
        WHERE "previewAddress" IS NOT NULL
          AND "lastSeenAt" > clock_timestamp() - make_interval(secs => ${o.seenWithinSeconds})
          AND EXISTS (SELECT 1 FROM unnest("folders") AS f("folder")
            WHERE starts_with(${path}, rtrim(f."folder", '/') || '/'))
        ORDER BY md5("id" || ${path}) LIMIT ${o.limit}`;
      return rows.map(({ previewAddress }) => previewAddress);
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
        SELECT w."id", w."name", w."startedAt", w."videosDone", w."failures", w."previewAddress",
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

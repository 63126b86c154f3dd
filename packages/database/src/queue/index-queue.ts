import { runTransaction } from "../connection/run-transaction.ts";
import { createId } from "../create-id.ts";
import { Prisma, type PrismaClient } from "../generated/client.ts";
import type { JsonObject } from "../json-value.ts";
import { createIndexWorkers } from "./index-workers.ts";
import { createQueueLists } from "./queue-lists.ts";

/** A video to index, with its facts at the time of queueing. */
export type VideoToQueue = { path: string; sizeBytes: number; modifiedAtMs: number };

/** A video that a worker has taken, until its lease expires; the lease can be renewed. */
export type QueueClaim = {
  id: string;
  token: string;
  revision: number;
  path: string;
  options: JsonObject;
  /** With this one. */
  attempts: number;
};

const endClaim = Prisma.sql`
  "claimToken" = NULL, "claimWorkerId" = NULL, "claimExpiresAt" = NULL, "progress" = NULL`;

/** The videos that workers index, and the workers. */
export function createIndexQueueStore(prisma: PrismaClient) {
  return {
    ...createIndexWorkers(prisma),
    ...createQueueLists(prisma),

    /**
     * Queues videos. One that waits gets the new options and is tried at once; one that is running is indexed
     * again afterwards. A dead one stays dead while its file and its options are the same, unless `revive`.
     * Returns the number of queued videos.
     */
    async enqueue(
      videos: readonly VideoToQueue[],
      o: { options: JsonObject; priority: number; revive?: boolean | undefined },
    ): Promise<number> {
      return await prisma.$executeRaw`
        INSERT INTO "QueuedVideo" AS q ("id", "path", "sizeBytes", "modifiedAtMs", "options", "priority")
        SELECT v."id", v."path", v."sizeBytes", v."modifiedAtMs", ${JSON.stringify(o.options)}::jsonb, ${o.priority}
        FROM unnest(${videos.map(createId)}::text[], ${videos.map(({ path }) => path)}::text[],
          ${videos.map(({ sizeBytes }) => BigInt(sizeBytes))}::bigint[],
          ${videos.map(({ modifiedAtMs }) => BigInt(modifiedAtMs))}::bigint[])
          WITH ORDINALITY AS v("id", "path", "sizeBytes", "modifiedAtMs", "position")
        ORDER BY v."position"
        ON CONFLICT ("path") DO UPDATE SET
          "sizeBytes" = EXCLUDED."sizeBytes", "modifiedAtMs" = EXCLUDED."modifiedAtMs",
          "options" = EXCLUDED."options", "priority" = EXCLUDED."priority",
          "state" = CASE WHEN q."state" = 'running' THEN 'running' ELSE 'waiting' END,
          "attempts" = CASE WHEN q."state" = 'running' THEN q."attempts" ELSE 0 END,
          "problem" = NULL, "nextAttemptAt" = clock_timestamp(), "revision" = q."revision" + 1
        WHERE ${o.revive === true} OR NOT (q."state" = 'dead' AND q."options" = EXCLUDED."options"
          AND q."sizeBytes" = EXCLUDED."sizeBytes" AND q."modifiedAtMs" = EXCLUDED."modifiedAtMs")`;
    },

    /**
     * Takes the next video for `leaseSeconds`: the highest priority first, then the oldest. Videos of workers
     * that stopped are taken again when their lease expires; after `maxAttempts` attempts they become dead.
     * Undefined while no video under `folders` is due (default: any path), or while the queue is paused.
     */
    async take(o: {
      workerId: string;
      leaseSeconds: number;
      maxAttempts: number;
      folders?: readonly string[] | undefined;
    }): Promise<QueueClaim | undefined> {
      await prisma.$executeRaw`
        UPDATE "QueuedVideo" SET ${endClaim}, "state" = 'dead',
          "problem" = 'Each of ' || "attempts" || ' workers stopped while it indexed the video.'
        WHERE "state" = 'running' AND "claimExpiresAt" < clock_timestamp() AND "attempts" >= ${o.maxAttempts}`;
      const token = createId();
      // SKIP LOCKED: workers that take at the same time get different rows and do not wait for each other.
      const rows = await prisma.$queryRaw<Omit<QueueClaim, "token">[]>`
        UPDATE "QueuedVideo" SET "state" = 'running', "attempts" = "attempts" + 1, "claimToken" = ${token},
          "progress" = NULL, "claimWorkerId" = ${o.workerId},
          "claimExpiresAt" = clock_timestamp() + make_interval(secs => ${o.leaseSeconds})
        WHERE "id" = (
          SELECT "id" FROM "QueuedVideo"
          WHERE (("state" = 'waiting' AND "nextAttemptAt" <= clock_timestamp())
              OR ("state" = 'running' AND "claimExpiresAt" < clock_timestamp()))
            AND ${isUnder(o.folders)}
            AND NOT EXISTS (SELECT 1 FROM "IndexQueue" WHERE "isPaused")
          ORDER BY "priority" DESC, "queuedAt", "path" LIMIT 1 FOR UPDATE SKIP LOCKED)
        RETURNING "id", "revision", "path", "options", "attempts"`;
      return rows[0] === undefined ? undefined : { ...rows[0], token };
    },

    /** The number of videos under `folders` that are waiting or running, also those that are not due. */
    async countOpen(folders?: readonly string[]): Promise<number> {
      const [row] = await prisma.$queryRaw<{ videos: number }[]>`
        SELECT count(*)::int AS "videos" FROM "QueuedVideo" WHERE "state" <> 'dead' AND ${isUnder(folders)}`;
      return row?.videos ?? 0;
    },

    /** Extends the lease of a taken video and stores its progress, 0 to 1; false when the lease is lost. */
    async renewTaken(claim: QueueClaim, o: { leaseSeconds: number; progress: number }): Promise<boolean> {
      const renewed = await prisma.$executeRaw`
        UPDATE "QueuedVideo" SET "progress" = ${o.progress}::float8,
          "claimExpiresAt" = clock_timestamp() + make_interval(secs => ${o.leaseSeconds})
        WHERE ${isHeld(claim)} AND "claimExpiresAt" > clock_timestamp()`;
      return renewed === 1;
    },

    /** Deletes an indexed video from the queue. One that was queued again meanwhile waits again. */
    async complete(claim: QueueClaim): Promise<void> {
      await runTransaction(prisma, async (tx) => {
        await tx.$executeRaw`
          DELETE FROM "QueuedVideo" WHERE ${isHeld(claim)} AND "revision" = ${claim.revision}`;
        await tx.$executeRaw`
          UPDATE "QueuedVideo" SET ${endClaim}, "state" = 'waiting', "attempts" = 0, "problem" = NULL,
            "nextAttemptAt" = clock_timestamp() WHERE ${isHeld(claim)}`;
      });
    },

    /** Puts a taken video back; the attempt does not count. */
    async putBack(claim: QueueClaim, o: { afterSeconds: number }): Promise<void> {
      await prisma.$executeRaw`
        UPDATE "QueuedVideo" SET ${endClaim}, "state" = 'waiting', "attempts" = greatest(0, "attempts" - 1),
          "nextAttemptAt" = clock_timestamp() + make_interval(secs => ${o.afterSeconds}) WHERE ${isHeld(claim)}`;
    },

    /** Ends a failed attempt: the video waits for `retryAfterSeconds`, or is dead without it. */
    async failAttempt(
      claim: QueueClaim,
      o: { problem: string; retryAfterSeconds: number | undefined },
    ): Promise<void> {
      const isDead = o.retryAfterSeconds === undefined;
      await prisma.$executeRaw`
        UPDATE "QueuedVideo" SET ${endClaim}, "problem" = ${o.problem},
          "state" = CASE WHEN ${isDead} AND "revision" = ${claim.revision} THEN 'dead' ELSE 'waiting' END,
          "nextAttemptAt" = clock_timestamp() + make_interval(secs => ${o.retryAfterSeconds ?? 0})
        WHERE ${isHeld(claim)}`;
    },
  };
}

function isHeld(claim: QueueClaim): Prisma.Sql {
  return Prisma.sql`"id" = ${claim.id} AND "claimToken" = ${claim.token}`;
}

function isUnder(folders: readonly string[] | undefined): Prisma.Sql {
  if (folders === undefined) return Prisma.sql`true`;
  const prefixes = folders.map((folder) => (folder.endsWith("/") ? folder : `${folder}/`));
  return Prisma.sql`EXISTS (SELECT 1 FROM unnest(${prefixes}::text[]) AS f("prefix") WHERE starts_with("path", f."prefix"))`;
}

import { Prisma, type PrismaClient } from "../generated/client.ts";

/** `waiting` includes the videos of killed workers, `dead` those that are not tried again by themselves. */
export type QueueState = "waiting" | "running" | "dead";

/** A video of the queue. */
export type QueuedVideo = {
  id: string;
  path: string;
  state: QueueState;
  priority: number;
  attempts: number;
  /** The reason of the last failed attempt, in one sentence. */
  problem: string | null;
  queuedAt: Date;
  /** The time until the next attempt; 0: it is due, is running or is dead. */
  dueInSeconds: number;
  /** The indexed part of a running video, 0 to 1, a few seconds old. */
  progress: number | null;
  /** The id and the name of the worker of a running video. */
  workerId: string | null;
  worker: string | null;
  /** The time since the worker's last heartbeat. */
  heartbeatAgeSeconds: number | null;
};

// A killed worker leaves its videos in the state "running" until another one takes them.
const currentState = Prisma.sql`
  CASE WHEN q."state" = 'running' AND q."claimExpiresAt" < clock_timestamp() THEN 'waiting' ELSE q."state" END`;

export function createQueueLists(prisma: PrismaClient) {
  return {
    /** The videos of the queue: running ones first, then waiting ones in their order, then dead ones. */
    async list(o: {
      limit: number;
      offset?: number | undefined;
      state?: QueueState | undefined;
    }): Promise<QueuedVideo[]> {
      return await prisma.$queryRaw<QueuedVideo[]>`
        SELECT * FROM (
          SELECT q."id", q."path", ${currentState} AS "state", q."priority", q."attempts", q."problem", q."queuedAt",
            CASE WHEN q."state" = 'waiting'
              THEN greatest(0, extract(epoch FROM q."nextAttemptAt" - clock_timestamp()))::float8
              ELSE 0::float8 END AS "dueInSeconds",
            q."progress", w."id" AS "workerId", w."name" AS "worker",
            extract(epoch FROM clock_timestamp() - w."lastSeenAt")::float8 AS "heartbeatAgeSeconds"
          FROM "QueuedVideo" q LEFT JOIN "IndexWorker" w ON w."id" = q."claimWorkerId") v
        WHERE ${o.state ?? null}::text IS NULL OR v."state" = ${o.state ?? null}
        ORDER BY array_position(ARRAY['running', 'waiting', 'dead'], v."state"), v."priority" DESC,
          v."queuedAt", v."path" LIMIT ${o.limit} OFFSET ${o.offset ?? 0}`;
    },

    /** The numbers of videos by state, and whether the queue is paused. */
    async count(): Promise<{ [state in QueueState]: number } & { isPaused: boolean }> {
      const rows = await prisma.$queryRaw<{ state: QueueState; videos: number }[]>`
        SELECT ${currentState} AS "state", count(*)::int AS "videos" FROM "QueuedVideo" q GROUP BY 1`;
      const videos = (state: QueueState) => rows.find((row) => row.state === state)?.videos ?? 0;
      const queue = await prisma.indexQueue.findUnique({ where: { id: 1 } });
      return {
        waiting: videos("waiting"),
        running: videos("running"),
        dead: videos("dead"),
        isPaused: queue?.isPaused === true,
      };
    },

    /** Puts dead videos back, all or the one with this id; returns their number. */
    async retryDead(id?: string): Promise<number> {
      return await prisma.$executeRaw`
        UPDATE "QueuedVideo" SET "state" = 'waiting', "attempts" = 0, "nextAttemptAt" = clock_timestamp()
        WHERE "state" = 'dead' AND (${id ?? null}::text IS NULL OR "id" = ${id ?? null})`;
    },

    /** Pauses the queue, or resumes it. Videos that are running are indexed to their end. */
    async setPaused(isPaused: boolean): Promise<void> {
      await prisma.indexQueue.upsert({ where: { id: 1 }, create: { isPaused }, update: { isPaused } });
    },
  };
}

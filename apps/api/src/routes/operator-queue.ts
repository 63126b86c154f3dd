import {
  getSharedQueue,
  retryQueuedVideos,
  type SharedQueueState,
  type SharedQueueVideo,
  type SharedQueueWorker,
  setQueuePaused,
} from "@koma/contract";
import type { Database, IndexWorker, QueuedVideo } from "@koma/database";
import { workerLeaseSeconds } from "@koma/library";
import type { FastifyInstance } from "fastify";
import { ApiError } from "../api-error.ts";
import { registerEndpoint } from "../register-endpoint.ts";
import { describeAction } from "./operator-library.ts";

/** More running videos than a fleet has. */
const maxRunning = 1000;

/** `/api/operator/queue` and `/api/operator/queue/retry`. */
export function registerOperatorQueue(app: FastifyInstance, { database }: { database: Database }): void {
  const queue = database.indexQueue;

  registerEndpoint(app, getSharedQueue, async ({ query: { page, pageSize, state } }) => {
    const stored = state === "failed" ? "dead" : state;
    const [{ isPaused, waiting, running, dead }, workers, runningVideos, videos] = await Promise.all([
      queue.count(),
      queue.listWorkers(),
      queue.list({ state: "running", limit: maxRunning }),
      queue.list({ state: stored, limit: pageSize, offset: (page - 1) * pageSize }),
    ]);
    const counts = { waiting, running, failed: dead };
    return {
      isPaused,
      counts,
      workers: workers.map((worker) => presentWorker(worker, runningVideos)),
      page,
      pageSize,
      total: state === undefined ? waiting + running + dead : counts[state],
      items: videos.map(presentVideo),
    };
  });

  registerEndpoint(app, setQueuePaused, async ({ caller, json: { isPaused } }) => {
    const action = isPaused ? "queue.pause" : "queue.resume";
    await database.audit.record(describeAction(caller, action, "queue"));
    await queue.setPaused(isPaused);
  });

  registerEndpoint(app, retryQueuedVideos, async ({ caller, json: { id } }) => {
    const target = id === undefined ? "queue" : `video:${id}`;
    await database.audit.record(describeAction(caller, "queue.retry", target));
    const videos = await queue.retryDead(id);
    if (id !== undefined && videos === 0) {
      throw new ApiError("not_found", "No failed video of the queue has this id.");
    }
    return { videos };
  });
}

function presentWorker(worker: IndexWorker, running: readonly QueuedVideo[]): SharedQueueWorker {
  const { name, startedAt, heartbeatAgeSeconds, videosDone, failures, previewAddress } = worker;
  return {
    name,
    startedAt: startedAt.toISOString(),
    heartbeatAgeSeconds,
    isAlive: heartbeatAgeSeconds < workerLeaseSeconds,
    videosDone,
    failures,
    hasPreviews: previewAddress !== null,
    videos: running
      .filter(({ workerId }) => workerId === worker.id)
      .map(({ path, progress }) => ({ path, progress })),
  };
}

function presentVideo(video: QueuedVideo): SharedQueueVideo {
  const { id, path, state, priority, attempts, problem, queuedAt, dueInSeconds, worker, progress } = video;
  const isRunning = state === "running";
  const presented: SharedQueueState = state === "dead" ? "failed" : state;
  return {
    id,
    path,
    state: presented,
    priority,
    attempts,
    problem,
    queuedAt: queuedAt.toISOString(),
    dueInSeconds,
    worker: isRunning ? worker : null,
    progress: isRunning ? progress : null,
  };
}

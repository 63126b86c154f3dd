import { stat } from "node:fs/promises";
import { isDatabaseUnavailable, type QueueClaim } from "@koma/database";
import { createDescribeSettler } from "../indexing/describe-episodes.ts";
import type { IndexingParts } from "../indexing/describe-video.ts";
import { holdLease, leaseSeconds } from "../indexing/hold-claim.ts";
import type { IndexEvent, IndexOptions } from "../indexing/index-event.ts";
import type { PathMapping } from "../indexing/path-mapping.ts";
import { createVideoSettler, type Settling } from "../indexing/settle-video.ts";
import { createVideoNaming } from "../indexing/video-naming.ts";

export type TakenVideoParts = IndexingParts & { mapping: PathMapping };

/** Attempts after which a video is dead. */
export const maxAttempts = 5;
const firstRetrySeconds = 30;
const longestRetrySeconds = 3600;
const busyRetrySeconds = 2;

/** `describe`: the episode is described again if its descriptors are of an earlier version. */
type TakenOptions = Pick<IndexOptions, "title" | "force" | "fast"> & { describe?: boolean };

/** What became of a taken video; undefined: it went back to the queue without an attempt. */
type Outcome = "done" | "retried" | "dead" | undefined;

/**
 * Returns a function that indexes a taken video with the code of `indexPaths` while it renews the lease,
 * and stores the outcome in the queue. An error that is not about the video is thrown afterwards.
 */
export function createTakenVideoIndexer(parts: TakenVideoParts) {
  const { database, mapping } = parts;
  const queue = database.indexQueue;

  return async function indexTaken(claim: QueueClaim, o: Settling): Promise<Outcome> {
    const failures: Extract<IndexEvent, { kind: "failed" }>[] = [];
    let progress = 0;
    const onEvent = (event: IndexEvent): void => {
      if (event.kind === "progress") progress = event.fraction;
      if (event.kind === "failed") failures.push(event);
      else o.onEvent(event);
    };
    let jobSignal = o.signal;
    try {
      const lease = {
        renew: () => queue.renewTaken(claim, { leaseSeconds, progress }),
        createLostError: () => new Error(`The lease of ${claim.path} is lost.`),
      };
      const settled = await holdLease(lease, o.signal, (signal) => {
        jobSignal = signal;
        return settle(claim, { onEvent, signal });
      });
      if (settled === "busy") {
        // `koma index` or a worker that was killed holds the episode.
        o.onEvent({ kind: "waiting", file: claim.path });
        await queue.putBack(claim, { afterSeconds: busyRetrySeconds });
        return undefined;
      }
    } catch (error) {
      return await endAfterError(claim, { ...o, jobSignal, error });
    }
    const [failure] = failures;
    if (failure === undefined) {
      await queue.complete(claim);
      return "done";
    }
    return await endAttempt(claim, failure, o.onEvent);
  };

  async function settle(claim: QueueClaim, o: Settling) {
    const { describe, force, fast, ...names } = claim.options as TakenOptions;
    const facts = await stat(mapping.toLocal(claim.path) ?? claim.path).catch(() => undefined);
    const found = {
      path: claim.path,
      sizeBytes: facts?.size ?? 0,
      modifiedAtMs: Math.trunc(facts?.mtimeMs ?? 0),
    };
    if (describe === true) {
      const row = await database.episodes.findByPath(claim.path);
      return await createDescribeSettler(parts, new Set(row && [row.id]))(found, o);
    }
    const settleVideo = createVideoSettler({
      ...parts,
      naming: createVideoNaming(database, names, mapping.toLocal),
      stale: new Set(await database.episodes.listStale(parts.modelId)),
      isSample: false,
      force: force === true,
      fast: fast === true,
    });
    return await settleVideo(found, o);
  }

  async function endAfterError(
    claim: QueueClaim,
    o: Settling & { jobSignal: AbortSignal; error: unknown },
  ): Promise<Outcome> {
    o.onEvent({ kind: "released", file: claim.path });
    if (o.signal.aborted) {
      // The lease expires by itself where the database is unavailable.
      await queue.putBack(claim, { afterSeconds: 0 }).catch(() => undefined);
      throw o.error;
    }
    // Another worker has taken the video.
    if (o.jobSignal.aborted) return undefined;
    if (isDatabaseUnavailable(o.error)) {
      await queue.putBack(claim, { afterSeconds: 0 }).catch(() => undefined);
      throw o.error;
    }
    // The video may be the cause, so the attempt counts; the worker may be, so it ends.
    const problem = `Indexing failed: ${o.error instanceof Error ? o.error.message : String(o.error)}`;
    await queue.failAttempt(claim, { problem, retryAfterSeconds: retryAfter(claim.attempts) });
    throw o.error;
  }

  async function endAttempt(
    claim: QueueClaim,
    failure: Extract<IndexEvent, { kind: "failed" }>,
    onEvent: (event: IndexEvent) => void,
  ): Promise<Outcome> {
    const { problem, isPermanent } = failure;
    const retryAfterSeconds = isPermanent === true ? undefined : retryAfter(claim.attempts);
    await queue.failAttempt(claim, { problem, retryAfterSeconds });
    if (retryAfterSeconds === undefined) onEvent(failure);
    else onEvent({ kind: "retrying", file: claim.path, problem, afterSeconds: retryAfterSeconds });
    return retryAfterSeconds === undefined ? "dead" : "retried";
  }
}

/** 30 s, 2 min, 8 min, 32 min; undefined after the last attempt. */
function retryAfter(attempts: number): number | undefined {
  if (attempts >= maxAttempts) return undefined;
  return Math.min(longestRetrySeconds, firstRetrySeconds * 4 ** (attempts - 1));
}

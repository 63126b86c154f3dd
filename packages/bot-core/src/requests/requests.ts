import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { RequestClaim } from "@koma/database/bots";
import { z } from "zod";
import type { OpenRequest } from "../model/bot-core.ts";
import type { MessageReference } from "../model/request.ts";
import { withReason } from "../process/with-reason.ts";
import type { Shared } from "../shared.ts";

const Content = z.object({
  requestId: z.string(),
  resume: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
});

/** Ensures that each request gets one reply. */
export function createRequests({ platform, store, vault, identities, log }: Shared) {
  const owners = new Set<string>();
  const running = new Set<string>();
  /** Replied requests by owner that the database could not record. They stay leased and running until then. */
  const unrecorded = new Map<string, ReturnType<typeof identities.request>>();
  /** Requests that failed here: the next start, or another process, repeats them. */
  const failed = new Set<string>();
  let expired: ReadonlySet<string> = new Set();
  const associatedDataOf = (requestKey: string) => `HandledRequest ${requestKey}`;
  const timer = setInterval(() => void renew(), leaseSeconds * 300);
  timer.unref();

  /**
   * Runs `work` for a request unless it has a reply or is in progress, and records it: each request gets exactly
   * one reply. `work` calls `sending()` right before it sends, and returns the sent message's reference, if any. If
   * an earlier run was interrupted between sending and its end, `isUncertain` is true: the message may exist
   * already. `sending()` throws if another process continues the request. Returns false if `work` did not run, or
   * another process replies.
   */
  const handle = async (
    { requestId, resume = {} }: { requestId: string; resume?: MessageReference | undefined },
    work: (attempt: {
      isUncertain: boolean;
      sending(): Promise<void>;
    }) => Promise<MessageReference | undefined>,
  ): Promise<boolean> => {
    const request = identities.request(requestId);
    const { requestKey } = request;
    if (running.has(requestKey)) return false;
    running.add(requestKey);
    const owner = randomUUID();
    const how = vault.sealJson(associatedDataOf(requestKey), { requestId, resume });
    try {
      const claim = await ignoreErrors<RequestClaim>(claimWithRetries(request, owner, how), unstored);
      if (claim.state !== "claimed") {
        running.delete(requestKey);
        return false;
      }
      owners.add(owner);
      await work({
        isUncertain: claim.before === "sending",
        async sending() {
          const isOwn = await ignoreErrors(store.requests.markSending(request, owner), true);
          if (!isOwn && claim !== unstored) throw new RequestTakenError();
        },
      });
    } catch (error) {
      const isTaken = error instanceof RequestTakenError;
      if (!isTaken) await release(requestKey, owner);
      forget(requestKey, owner);
      if (isTaken) return false;
      throw error;
    }
    await record(request, owner);
    return true;
  };

  return {
    handle,

    /**
     * The unfinished requests of earlier runs, oldest first. Each is handled again, or dropped by a `work` without
     * effect.
     */
    async listOpen(): Promise<OpenRequest[]> {
      const rows = await store.requests.listOpen(platform);
      // Requests of a killed process still have its lease: `handle` waits for its expiry.
      return rows.filter(({ requestKey }) => !running.has(requestKey)).flatMap(read);
    },

    /**
     * The unfinished requests that no process continues: those whose lease is expired at this call and at the call
     * before. The time between two calls lets the other processes renew their leases after an outage of the
     * database. Empty while the database is away, and without requests that failed in this process.
     */
    async listExpired(): Promise<OpenRequest[]> {
      const rows = await ignoreErrors(store.requests.listOpen(platform, { isExpired: true }), []);
      const left = rows.filter(({ requestKey }) => !running.has(requestKey) && !failed.has(requestKey));
      const before = expired;
      expired = new Set(left.map(({ requestKey }) => requestKey));
      return left.filter(({ requestKey }) => before.has(requestKey)).flatMap(read);
    },

    close(): void {
      clearInterval(timer);
    },
  };

  function read({
    requestKey,
    resume: sealed,
    state,
    createdAt,
  }: Awaited<ReturnType<typeof store.requests.listOpen>>[number]): OpenRequest[] {
    try {
      const { requestId, resume } = Content.parse(vault.openJson(associatedDataOf(requestKey), sealed));
      return [{ requestId, resume, state, startedAt: createdAt }];
    } catch {
      log("warn", "An unfinished request cannot be decrypted.");
      return [];
    }
  }

  /** The leases of a killed process expire; a running process renews its own. */
  async function claimWithRetries(
    request: ReturnType<typeof identities.request>,
    owner: string,
    resume: ReturnType<typeof vault.sealJson>,
  ) {
    for (let waitedMs = 0; ; waitedMs += 500) {
      const claim = await store.requests.claim(request, { owner, leaseSeconds, resume });
      if (claim.state !== "busy" || waitedMs > leaseSeconds * 1200) return claim;
      await pause(500);
    }
  }

  async function release(requestKey: string, owner: string): Promise<void> {
    failed.add(requestKey);
    const [oldest] = failed;
    if (failed.size > failedLimit && oldest !== undefined) failed.delete(oldest);
    await ignoreErrors(store.requests.release(owner), undefined);
  }

  async function record(request: ReturnType<typeof identities.request>, owner: string): Promise<void> {
    const isRecorded = await ignoreErrors(
      store.requests.markDone(request, owner).then(() => true),
      false,
    );
    if (isRecorded) forget(request.requestKey, owner);
    else unrecorded.set(owner, request);
  }

  function forget(requestKey: string, owner: string): void {
    unrecorded.delete(owner);
    owners.delete(owner);
    running.delete(requestKey);
  }

  async function renew(): Promise<void> {
    for (const [owner, request] of unrecorded) await record(request, owner);
    if (owners.size > 0) await ignoreErrors(store.requests.renew([...owners], leaseSeconds), undefined);
  }

  /** Without its database the bot still replies; the reply is then not recorded across a restart. */
  async function ignoreErrors<Result>(work: Promise<Result>, otherwise: Result): Promise<Result> {
    try {
      return await work;
    } catch (error) {
      log("error", withReason("A request could not be recorded", error));
      return otherwise;
    }
  }
}

/** Another process continues the request, because its lease expired here; this one must not reply. */
class RequestTakenError extends Error {
  override readonly name = "RequestTakenError";

  constructor() {
    super("Another process continues this request.");
  }
}

/** The claim of a request that the database could not record. */
const unstored: RequestClaim = { state: "claimed", before: undefined };
const leaseSeconds = 10;
const failedLimit = 10_000;

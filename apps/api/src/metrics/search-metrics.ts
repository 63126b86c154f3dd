import type { SearchOutcome as Outcome } from "@koma/contract";
import type { SearchOutcome } from "@koma/library";
import type { FastifyReply } from "fastify";
import { Counter, Histogram, type Registry } from "prom-client";
import { type Caller, describeCaller } from "../caller.ts";
import { toApiError } from "../plugins/problem.ts";
import type { Reservation } from "../search/quota.ts";

/** Counters and timers of searches. Their labels have a fixed set of values each. */
export type SearchMetrics = ReturnType<typeof createSearchMetrics>;

/** The steps of a search that the API times itself. */
type TimedStep = "receive" | "fetch" | "upstream";

export function createSearchMetrics(registry: Registry) {
  const registers = [registry];
  const searches = new Counter({
    name: "koma_searches_total",
    help: "Search requests of known callers by outcome: that of the response, `aborted`, or the code of the problem.",
    registers,
    labelNames: ["outcome", "caller", "protocol"],
  });
  const duration = new Histogram({
    name: "koma_search_duration_seconds",
    help: "Duration of successful search requests, upload included.",
    registers,
    labelNames: ["protocol"],
    buckets,
  });
  const stages = new Histogram({
    name: "koma_search_stage_duration_seconds",
    help: "Duration of the stages of searches: receive, fetch, upstream, queue, decode, describe, index, verification, database.",
    registers,
    labelNames: ["stage"],
    buckets,
  });
  const spent = new Counter({
    name: "koma_credits_spent_total",
    help: "Charged searches by the kind of their quota: guest, free, purchased.",
    registers,
    labelNames: ["kind"],
  });
  return {
    /** Runs a search request and counts its outcome. */
    async count<T>(
      request: { caller: Caller; protocol: "koma" | "trace_moe"; reply: FastifyReply },
      search: () => Promise<T>,
      outcomeOf: (response: T) => Outcome,
    ): Promise<T> {
      const { protocol, reply } = request;
      const caller = describeCaller(request.caller);
      const startedMs = performance.now();
      try {
        const response = await search();
        searches.inc({ outcome: outcomeOf(response), caller, protocol });
        duration.observe({ protocol }, secondsSince(startedMs));
        return response;
      } catch (error) {
        const outcome = reply.raw.destroyed ? "aborted" : toApiError(error).code;
        searches.inc({ outcome, caller, protocol });
        throw error;
      }
    },

    /** Returns the result of a step and records its duration if it succeeds. */
    async time<T>(stage: TimedStep, step: () => Promise<T>): Promise<T> {
      const startedMs = performance.now();
      const result = await step();
      stages.observe({ stage }, secondsSince(startedMs));
      return result;
    },

    /** Records the wait for a search worker. */
    observeQueue(waitedMs: number): void {
      stages.observe({ stage: "queue" }, waitedMs / 1000);
    },

    /** Records a settled search; `databaseMs` is the time of its reservation and settlement. */
    observeSettled(
      { decodeMs, describeMs, indexMs, verificationMs, ...found }: SearchOutcome["timings"],
      databaseMs: number,
      { kind }: Reservation,
    ): void {
      stages.observe({ stage: "decode" }, decodeMs / 1000);
      stages.observe({ stage: "describe" }, describeMs / 1000);
      stages.observe({ stage: "index" }, indexMs / 1000);
      stages.observe({ stage: "verification" }, verificationMs / 1000);
      stages.observe({ stage: "database" }, (found.databaseMs + databaseMs) / 1000);
      spent.inc({ kind });
    },
  };
}

const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

function secondsSince(startedMs: number): number {
  return (performance.now() - startedMs) / 1000;
}

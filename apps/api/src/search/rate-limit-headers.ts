import type { FastifyReply } from "fastify";
import type { Caller } from "../caller.ts";
import type { Allowance, CallerQuota } from "./quota.ts";

/**
 * Adds the remaining quota to the response to a search: what the search has learned of it, or what a query
 * returns. A caller that has left receives no headers, so it costs no query.
 */
export async function addRateLimit(
  reply: FastifyReply,
  options: {
    caller: Caller;
    quota: CallerQuota;
    /** Undefined if the search ended before its reservation. */
    known: Allowance | undefined;
    signal: AbortSignal;
    now: () => Date;
  },
): Promise<void> {
  const { caller, quota, known, signal, now } = options;
  if (signal.aborted) return;
  const allowance = known ?? (await quota.usage(caller).catch(() => undefined));
  if (allowance !== undefined) reply.headers(describeRateLimit(allowance, now()));
}

/**
 * The remaining quota as headers of draft-ietf-httpapi-ratelimit-headers-10: the day, and the hour if it is
 * limited.
 */
function describeRateLimit(
  { quota, hourly }: Allowance,
  now: Date,
): { ratelimit: string; "ratelimit-policy": string } {
  const day = { name: quota.kind, windowSeconds: 86_400, ...quota };
  const limits = [day, ...(hourly === undefined ? [] : [{ name: "hourly", windowSeconds: 3600, ...hourly }])];
  return {
    "ratelimit-policy": limits.map((l) => `"${l.name}";q=${l.limit};w=${l.windowSeconds}`).join(", "),
    ratelimit: limits
      .map((l) => `"${l.name}";r=${l.remaining};t=${secondsUntil(l.resetsAt, now)}`)
      .join(", "),
  };
}

function secondsUntil(instant: string, now: Date): number {
  return Math.max(0, Math.ceil((Date.parse(instant) - now.getTime()) / 1000));
}

import type { Allowance } from "./quota.ts";

/**
 * The remaining quota as headers of draft-ietf-httpapi-ratelimit-headers-10: the day, and the hour if it is
 * limited.
 */
export function describeRateLimit(
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

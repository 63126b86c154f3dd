import type { Quota } from "@koma/contract";

/** A quota as the headers of draft-ietf-httpapi-ratelimit-headers-10. */
export function describeRateLimit(
  quota: Quota,
  now: Date,
): { ratelimit: string; "ratelimit-policy": string } {
  const seconds = Math.max(0, Math.ceil((Date.parse(quota.resetsAt) - now.getTime()) / 1000));
  return {
    "ratelimit-policy": `"${quota.kind}";q=${quota.limit};w=86400`,
    ratelimit: `"${quota.kind}";r=${quota.remaining};t=${seconds}`,
  };
}

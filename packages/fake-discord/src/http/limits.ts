import type { Call, Response } from "./call.ts";
import { majorOf, tooMany } from "./faults.ts";

/** Discord's usual limits; if disabled, high limits that are only visible in the headers. */
export function createLimits(isOn: boolean) {
  const buckets = new Map<string, { left: number; resetAt: number }>();
  let second = { at: 0, count: 0 };

  return {
    /** Counts a request; with a response if it exceeds a limit. */
    count(call: Call): { headers: Record<string, string>; response?: Response } {
      const now = Date.now();
      const [limit, windowMs] = isOn ? limitOf(call) : [1000, 1000];
      const key = majorOf(call);
      const known = buckets.get(key);
      const bucket = known && known.resetAt > now ? known : { left: limit, resetAt: now + windowMs };
      buckets.set(key, bucket);
      if (isOn && !/^\/(interactions|webhooks)\//.test(call.route)) {
        second = now - second.at < 1000 ? { ...second, count: second.count + 1 } : { at: now, count: 1 };
        if (second.count > 50) return { headers: {}, response: tooMany(1000 - (now - second.at), "global") };
      }
      const isTooMany = bucket.left <= 0;
      bucket.left = Math.max(0, bucket.left - 1);
      const headers = {
        "x-ratelimit-limit": String(limit),
        "x-ratelimit-remaining": String(bucket.left),
        "x-ratelimit-reset": (bucket.resetAt / 1000).toFixed(3),
        "x-ratelimit-reset-after": ((bucket.resetAt - now) / 1000).toFixed(3),
        "x-ratelimit-bucket": Buffer.from(`${call.method} ${call.route}`).toString("hex").slice(-32),
      };
      return { headers, ...(isTooMany && { response: tooMany(bucket.resetAt - now, "user") }) };
    },
  };
}

/** The maximum number of requests and the period in milliseconds. */
function limitOf(call: Call): readonly [number, number] {
  if (call.method === "POST" && call.route === "/channels/{channel_id}/messages") return [5, 5000];
  if (call.route.startsWith("/webhooks/")) return [5, 2000];
  if (call.method === "DELETE" && call.route.includes("/messages/")) return [5, 1000];
  return [50, 1000];
}

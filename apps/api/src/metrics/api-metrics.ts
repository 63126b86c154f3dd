import { createIndexingMetrics } from "@koma/library/metrics";
import { Counter, type Registry } from "prom-client";
import { createSearchMetrics } from "./search-metrics.ts";

/** The metrics of an API in one registry. */
export type ApiMetrics = ReturnType<typeof createApiMetrics>;

export function createApiMetrics(registry: Registry) {
  return {
    registry,
    searches: createSearchMetrics(registry),
    /** Metrics of the videos that events of media libraries index. */
    indexing: createIndexingMetrics(registry),
    securityEvents: new Counter({
      name: "koma_security_events_total",
      help: "Sign-ins, and failures of sign-ins, second factors and requests of administrators.",
      registers: [registry],
      labelNames: ["event"],
    }),
  };
}

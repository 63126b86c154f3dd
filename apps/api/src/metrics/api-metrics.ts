import { createIndexingMetrics } from "@koma/library/metrics";
import type { Registry } from "prom-client";
import { createSearchMetrics } from "./search-metrics.ts";

/** The metrics of an API in one registry. */
export type ApiMetrics = ReturnType<typeof createApiMetrics>;

export function createApiMetrics(registry: Registry) {
  return {
    registry,
    searches: createSearchMetrics(registry),
    /** Metrics of the videos that events of media libraries index. */
    indexing: createIndexingMetrics(registry),
  };
}

/** The metrics of indexing and of the queue. Their package is imported only by programs that serve metrics. */
export { createIndexingMetrics, type IndexingMetrics } from "./indexing/indexing-metrics.ts";
export { addQueueMetrics } from "./queue/queue-metrics.ts";

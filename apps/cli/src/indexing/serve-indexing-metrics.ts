import type { Configuration } from "@koma/config";
import type { Library } from "@koma/library";
import type { IndexingMetrics } from "@koma/library/metrics";

/**
 * Serves the metrics of a watching indexer or of a worker, which adds those of its queue, if a port is
 * configured: the one after that of the API, because both often share a machine and a configuration. Throws
 * MetricsPortError.
 */
export async function serveIndexingMetrics(
  { KOMA_METRICS_PORT: apiPort, KOMA_METRICS_HOST: host }: Configuration,
  queue?: Library["queue"],
): Promise<{ metrics: IndexingMetrics; close: () => Promise<void> } | undefined> {
  if (apiPort === undefined) return undefined;
  // Most runs serve no metrics, and the import takes a tenth of a second.
  const { addQueueMetrics, createIndexingMetrics } = await import("@koma/library/metrics");
  const { createRegistry, startMetricsServer } = await import("@koma/process/metrics");
  const registry = createRegistry();
  const metrics = createIndexingMetrics(registry);
  if (queue !== undefined) addQueueMetrics(registry, queue);
  const port = apiPort === 0 ? 0 : apiPort + 1;
  const server = await startMetricsServer({ port, host, variable: "KOMA_METRICS_PORT", registry });
  process.stderr.write(`metrics: ${server.url}\n`);
  return { metrics, close: server.close };
}

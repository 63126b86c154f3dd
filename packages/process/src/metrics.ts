/** The server of metrics for Prometheus, shared by the API, the indexer and the bots. */
export { createRegistry } from "./create-registry.ts";
export { type HealthStatus, type MetricsServer, startMetricsServer } from "./start-metrics-server.ts";

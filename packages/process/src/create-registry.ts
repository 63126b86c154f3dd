import { collectDefaultMetrics, Registry } from "prom-client";

/** A registry with the metrics of this process: CPU time, memory, event loop, garbage collection. */
export function createRegistry(labels: { [name: string]: string } = {}): Registry {
  const registry = new Registry();
  registry.setDefaultLabels(labels);
  collectDefaultMetrics({ register: registry });
  return registry;
}

import type { Database } from "@koma/database";
import { Gauge, type Registry } from "prom-client";
import { leaseSeconds } from "../indexing/hold-claim.ts";

/** Adds the gauges of the shared queue, which are read from the database when they are collected. */
export function addQueueMetrics(registry: Registry, queue: Database["indexQueue"]): void {
  new Gauge({
    name: "koma_queue_videos",
    help: "Videos of the shared queue by state: waiting, running, dead.",
    registers: [registry],
    labelNames: ["state"],
    async collect() {
      // A scrape without the database still has the metrics of the process.
      const counts = await queue.count().catch(() => undefined);
      this.reset();
      if (counts === undefined) return;
      for (const state of ["waiting", "running", "dead"] as const) this.set({ state }, counts[state]);
    },
  });
  new Gauge({
    name: "koma_queue_workers",
    help: "Workers with a heartbeat in the last 15 seconds.",
    registers: [registry],
    async collect() {
      const workers = await queue.listWorkers().catch(() => undefined);
      this.reset();
      if (workers === undefined) return;
      this.set(workers.filter(({ heartbeatAgeSeconds }) => heartbeatAgeSeconds < leaseSeconds).length);
    },
  });
}

import { createRegistry } from "@koma/process/metrics";
import { Counter, Gauge, Histogram } from "prom-client";
import type { Measure } from "../model/bot-core.ts";
import type { Platform } from "../model/request.ts";

/** Counters and timers of a bot for Prometheus. */
export type Measures = ReturnType<typeof createMeasures>;

export function createMeasures(platform: Platform) {
  const registry = createRegistry({ platform });
  const registers = [registry];
  const done = new Counter({
    name: "koma_bot_operations_total",
    help: "Operations of the bot by outcome.",
    registers,
    labelNames: ["operation", "outcome"],
  });
  const seconds = new Histogram({
    name: "koma_bot_operation_duration_seconds",
    help: "Duration of operations.",
    registers,
    labelNames: ["operation"],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  });
  let readQueue: (() => { waiting: number; running: number }) | undefined;
  new Gauge({
    name: "koma_bot_queue",
    help: "Waiting and running searches.",
    registers,
    labelNames: ["state"],
    collect() {
      const { waiting, running } = readQueue?.() ?? { waiting: 0, running: 0 };
      this.set({ state: "waiting" }, waiting);
      this.set({ state: "running" }, running);
    },
  });
  const events = new Counter({
    name: "koma_bot_events_total",
    help: "Events of the platform.",
    registers,
    labelNames: ["event"],
  });
  return {
    /** The callback for `BotCoreOptions.onMeasure`. */
    take({ name, label, seconds: took }: Measure): void {
      done.inc({ operation: name, outcome: label });
      if (took !== undefined) seconds.observe({ operation: name }, took);
    },
    /** Sets the source of the queue gauge. */
    watchQueue(read: () => { waiting: number; running: number }): void {
      readQueue = read;
    },
    /** Counts an event of the platform: "gateway-resumed", "rate-limited", …: [a-z-]. */
    count(name: string): void {
      events.inc({ event: name });
    },
    registry,
  };
}

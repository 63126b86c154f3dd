import type { Measure } from "../model/bot-core.ts";

/** Counters and timers of a bot, for Prometheus. */
export type Measures = ReturnType<typeof createMeasures>;

export function createMeasures(_platform: "discord" | "telegram") {
  return {
    /** For `BotCoreOptions.onMeasure`. */
    take(_measure: Measure): void {},
    /** A platform's own count: "gateway-resumed", "rate-limited", …: [a-z-]. */
    count(_name: string): void {},
    /** The metrics as Prometheus reads them. */
    async print(): Promise<string> {
      return "";
    },
  };
}

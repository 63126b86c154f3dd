import type { Measures } from "./measures.ts";

/** A running health server. */
export type HealthServer = { port: number; close(): Promise<void> };

/**
 * Serves `/health` (200 where `isHealthy`, else 503; JSON) and `/metrics` (Prometheus) on `port` of this machine; port 0
 * takes a free one.
 */
export async function startHealthServer(_options: {
  port: number;
  host?: string | undefined;
  measures: Measures;
  look: () => { isHealthy: boolean; details: { [name: string]: string | number | boolean | null } };
}): Promise<HealthServer> {
  throw new Error("Not yet.");
}

import { createServer } from "node:http";
import type { Measures } from "./measures.ts";

/** A running health server. */
export type HealthServer = { port: number; close(): Promise<void> };

/** The status that the health server reports, without secrets. */
export type HealthStatus = {
  isHealthy: boolean;
  details: { [name: string]: string | number | boolean | null };
};

/**
 * Serves `/health` (200 if `isHealthy`, else 503; JSON) and `/metrics` (Prometheus) on `port` of this
 * machine; port 0 selects a free one.
 */
export async function startHealthServer(options: {
  port: number;
  /** The address to listen on; this machine only by default. */
  host?: string | undefined;
  measures: Measures;
  status: () => HealthStatus;
}): Promise<HealthServer> {
  const { port, host = "127.0.0.1", measures, status } = options;
  const server = createServer(async (request, response) => {
    const path = (request.url ?? "").split("?")[0];
    if (request.method !== "GET" && request.method !== "HEAD") response.writeHead(405).end();
    else if (path === "/health") {
      const { isHealthy, details } = status();
      response.writeHead(isHealthy ? 200 : 503, {
        "content-type": "application/json",
        "cache-control": "no-store",
      });
      response.end(JSON.stringify({ status: isHealthy ? "ok" : "unhealthy", ...details }));
    } else if (path === "/metrics") {
      const text = await measures.print();
      response.writeHead(200, { "content-type": "text/plain; version=0.0.4; charset=utf-8" }).end(text);
    } else response.writeHead(404).end();
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
